/** What machine time is, how one gets it, where, and how one's own applications stand. */
import { ResourceApplyStatus } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { may, useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { MachineIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { resourceCentresQuery, resourcesQuery } from './resource.api.ts';
import { formatHours } from './ResourceFacts.tsx';
import { StateBadge } from './StateBadge.tsx';
import './resource.css';

/** So many of one's own are shown here; the others stand on their own page. */
const GLANCE = 3;

function Mine(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const own = useQuery(resourcesQuery({ page: 1, status: undefined }, language, GLANCE));
  return (
    <section aria-labelledby="resource-mine">
      <div className="section-head">
        <h2 id="resource-mine">{words.mine}</h2>
        {own.data && own.data.Total > 0 ? (
          <Link to={paths.resourceProgress} className="text-link">
            {words.allMine(own.data.Total)}
          </Link>
        ) : null}
      </div>
      {own.data === undefined ? (
        own.error ? (
          <ErrorState error={own.error} onRetry={() => void own.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 120 }} />
          </LoadingRegion>
        )
      ) : own.data.List.length === 0 ? (
        <p className="muted">{words.noneText}</p>
      ) : (
        <ul className="card resource-glance">
          {own.data.List.map((row) => (
            <li key={row.ID}>
              <Link
                to={
                  row.Status === ResourceApplyStatus.approved
                    ? paths.resourceAccount(row.ID)
                    : paths.resourceProgress
                }
                className="text-link resource-project"
              >
                {row.Project}
              </Link>
              <StateBadge status={row.Status} words={words.statuses} />
              <span className="muted">{row.Centre.Name}</span>
              <span className="muted num">{words.hours(formatHours(row.CpuHours))}</span>
              <time className="muted num" dateTime={row.UpdatedAt}>
                {formatMoment(row.UpdatedAt, language)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Centres(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const centres = useQuery(resourceCentresQuery(language));
  return (
    <section aria-labelledby="resource-centres">
      <div className="section-head">
        <h2 id="resource-centres">{words.centres}</h2>
      </div>
      {centres.data === undefined ? (
        centres.error ? (
          <ErrorState error={centres.error} onRetry={() => void centres.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 64 }} />
          </LoadingRegion>
        )
      ) : centres.data.length === 0 ? (
        <div className="card">
          <EmptyState title={words.noCentres} text={words.noCentresText} />
        </div>
      ) : (
        <ul className="resource-centres">
          {centres.data.map(({ ID, Name }) => (
            <li key={ID} className="card row">
              <MachineIcon size={20} />
              {Name}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function ResourcesPage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const session = useLogin().session ?? null;
  const steps = [
    { title: words.writeStep, text: words.writeText },
    { title: words.reviewStep, text: words.reviewText },
    { title: words.useStep, text: words.useText },
  ];
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <div className="row">
          {may(session, ['resourceApply.list']) ? (
            <ButtonLink to={paths.resourceProgress}>{words.mine}</ButtonLink>
          ) : null}
          {may(session, ['resourceApply.create']) ? (
            <ButtonLink look="primary" to={paths.resourceIssue}>
              {words.apply}
            </ButtonLink>
          ) : null}
        </div>
      </div>
      {may(session, ['resourceApply.list']) ? <Mine /> : null}
      <section aria-labelledby="resource-about">
        <div className="section-head">
          <h2 id="resource-about">{words.about}</h2>
        </div>
        <p className="resource-text">{words.aboutText}</p>
      </section>
      <section aria-labelledby="resource-how">
        <div className="section-head">
          <h2 id="resource-how">{words.how}</h2>
        </div>
        <ol className="resource-steps">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="card">
              <span className="resource-step-number num" aria-hidden="true">
                {index + 1}
              </span>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <Centres />
    </div>
  );
}
