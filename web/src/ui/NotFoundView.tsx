/** What shows for a page or a thing that does not exist, was deleted, or is not for this user. */
import type { ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { paths } from '../kernel/paths.ts';
import { ButtonLink } from './Button.tsx';
import { Mark } from './Mark.tsx';
import { PageTitle } from './PageTitle.tsx';

export function NotFoundView(): ReactNode {
  const messages = useMessages();
  return (
    <div className="wrap">
      <div className="state">
        <span className="not-found-mark">
          <Mark size={120} angle={1.4} weight={1} />
        </span>
        <p className="mono muted">404</p>
        <PageTitle name={messages.shell.notFound.title}>{messages.shell.notFound.title}</PageTitle>
        <p>{messages.shell.notFound.text}</p>
        <div className="row">
          <ButtonLink to={paths.index} look="primary">
            {messages.shell.notFound.home}
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}
