/** The personal home: the current environment and the ones before, from what is given. */
import type { AnswerOf, Usage, routes } from '@hypercube/contract';
import { errorText } from '@hypercube/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDuration, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { HISTORY_PAGE_SIZE, type UsageState } from './usage.api.ts';
import { UsageCard } from './UsageCard.tsx';
import './history.css';

export interface HistoryViewProps {
  readonly state: UsageState | undefined;
  readonly history: AnswerOf<typeof routes.listUsageHistory> | undefined;
  readonly error: unknown;
  readonly page: number;
  readonly onRetry: () => void;
  /** Stands between the current environment and the ones before. */
  readonly children?: ReactNode;
}

function HistoryTable({
  history,
}: {
  readonly history: NonNullable<HistoryViewProps['history']>;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.usage.history;
  return (
    <div className="card history">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.started}</th>
            <th scope="col">{words.duration}</th>
            <th scope="col">{words.cause}</th>
            <th scope="col">
              <span className="visually-hidden">{words.again}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {history.List.map((row) => (
            <tr key={row.ID}>
              <th scope="row">{row.Title}</th>
              <td data-label={words.type}>{messages.usage.types[row.Type]}</td>
              <td data-label={words.started} className="num">
                {formatMoment(row.CreatedAt, language)}
              </td>
              <td data-label={words.duration} className="num">
                {row.ReadyAt === null
                  ? words.never
                  : formatDuration(Date.parse(row.EndedAt) - Date.parse(row.ReadyAt))}
              </td>
              <td data-label={words.cause}>
                {messages.usage.causes[row.Cause]}
                {row.Reason ? (
                  <span className="muted history-reason">
                    {errorText(messages, row.Reason.Code, row.Reason.Params)}
                  </span>
                ) : null}
              </td>
              <td>
                <Link
                  to={row.RoutePath}
                  preload={false}
                  className="text-link"
                  aria-label={words.againNamed(row.Title)}
                >
                  {words.again}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function HistoryView({
  state,
  history,
  error,
  page,
  onRetry,
  children,
}: HistoryViewProps): ReactNode {
  const { messages } = useLanguage();
  const words = messages.usage.history;
  const usage: Usage | null | undefined = state?.usage;
  return (
    <div className="wrap">
      <PageTitle name={words.title} className="history-title">
        {words.title}
      </PageTitle>
      <div className="section-head">
        <h2>{words.current}</h2>
      </div>
      {state && usage ? (
        <div className="history-current">
          <UsageCard state={{ ...state, usage }} />
        </div>
      ) : (
        <p className="muted">{state ? words.currentEmpty : messages.common.unknown}</p>
      )}
      {children}
      <div className="section-head">
        <h2>{words.past}</h2>
      </div>
      {history === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 240 }} />
          </LoadingRegion>
        )
      ) : history.List.length === 0 ? (
        <div className="card">
          <EmptyState title={words.empty} text={words.emptyText}>
            <ButtonLink to={paths.labs} look="primary">
              {messages.home.browse}
            </ButtonLink>
          </EmptyState>
        </div>
      ) : (
        <>
          <HistoryTable history={history} />
          <Pagination
            page={page}
            pageSize={HISTORY_PAGE_SIZE}
            total={history.Total}
            to={paths.home}
            searchFor={(next): Record<string, string> => (next > 1 ? { page: String(next) } : {})}
          />
        </>
      )}
    </div>
  );
}
