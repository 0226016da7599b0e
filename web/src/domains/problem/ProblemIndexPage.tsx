/** The entrance to the problems: what there is, and how far one is. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { begunProblemsQuery } from './problem.api.ts';
import { ProgressList } from './ProgressList.tsx';
import './problem.css';

export function ProblemIndexPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problem;
  const { session } = useLogin();
  const begun = useQuery({ ...begunProblemsQuery(language), enabled: session != null });
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
      </div>
      <section className="card problem-entrance" aria-labelledby="programming">
        <div className="row row-apart row-wrap">
          <div>
            <h2 id="programming">{words.listTitle}</h2>
            <p className="muted">{words.listLead}</p>
          </div>
          <ButtonLink look="primary" to={paths.problems}>
            {words.openList}
          </ButtonLink>
        </div>
        <ProgressList />
        {session === null ? <p className="muted">{words.loginForProgress}</p> : null}
        {begun.data !== undefined && begun.data.List.length > 0 ? (
          <div className="row row-wrap">
            {begun.data.List.map(({ ID, Title }) => (
              <ButtonLink key={ID} isSmall to={paths.problem(ID)}>
                {words.continueWith(Title)}
              </ButtonLink>
            ))}
          </div>
        ) : null}
      </section>
    </div>
  );
}
