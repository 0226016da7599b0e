/** Homework with submissions to correct: the first ones on the first page of the admin area, and all. */
import type { WaitingHomework as WaitingOnWire } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import {
  MANAGED_HOMEWORK_KEY,
  WAITING_SHOWN,
  readWaiting,
  waitingHomeworkQuery,
} from './homework-admin.api.ts';
import '../homework.css';

/** The way to the submissions of a homework that wait. */
function WaitingLink({ row }: { readonly row: WaitingOnWire }): ReactNode {
  return (
    <Link
      to={paths.admin.scores(row.CourseID, row.ID)}
      search={{ correction: '2' }}
      className="text-link"
    >
      {row.Title}
    </Link>
  );
}

/** Those that wait longest; nothing where none waits. */
export function WaitingHomework(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const { data, error, refetch } = useQuery(waitingHomeworkQuery(language));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.List.length === 0) return null;
  return (
    <section aria-label={words.waitingTitle}>
      <div className="section-head">
        <h2>{words.waitingTitle}</h2>
        {data.Total > WAITING_SHOWN ? (
          <Link to={paths.admin.waitingHomework} className="text-link">
            {words.allWaiting}
          </Link>
        ) : null}
      </div>
      <ul className="card homework-list" aria-label={words.waitingTitle}>
        {data.List.map((row) => (
          <li key={row.ID}>
            <span>
              <WaitingLink row={row} />
              <span className="muted num">
                {[row.Course, `${messages.homework.due} ${formatMoment(row.DueAt, language)}`].join(
                  messages.common.dotSeparator,
                )}
              </span>
            </span>
            <span className="num">{words.waitingCount(row.Uncorrected)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SHAPE: ListShape = { sorts: ['longest', 'due', 'uncorrected'], filters: {} };

export function WaitingHomeworkPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const list = useList([...MANAGED_HOMEWORK_KEY, 'waiting', language], SHAPE, readWaiting);
  const columns: [Column<WaitingOnWire>, ...Column<WaitingOnWire>[]] = [
    {
      key: 'title',
      title: words.name,
      cell: (row) => <WaitingLink row={row} />,
      text: (row) => row.Title,
    },
    { key: 'course', title: words.course, cell: (row) => row.Course, text: (row) => row.Course },
    {
      key: 'due',
      sort: 'due',
      title: words.dueAt,
      cell: (row) => formatMoment(row.DueAt, language),
      text: (row) => formatMoment(row.DueAt, language),
    },
    {
      key: 'uncorrected',
      sort: 'uncorrected',
      title: words.uncorrected,
      isNumber: true,
      cell: (row) => row.Uncorrected,
      text: (row) => String(row.Uncorrected),
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.waitingTitle}>{words.waitingTitle}</PageTitle>
          <p className="muted">{words.waitingLead}</p>
        </div>
      </div>
      <DataTable
        {...list}
        name="waiting-homework"
        label={words.waitingTitle}
        to={paths.admin.waitingHomework}
        columns={columns}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.search}
        emptyText={words.waitingEmpty}
      />
    </>
  );
}
