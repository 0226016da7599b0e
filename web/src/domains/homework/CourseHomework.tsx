/** The homework of a course, for those who are in it. */
import type { HomeworkSummary } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { serverNowMs } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { HOMEWORK_PER_PAGE, homeworkListQuery } from './homework.api.ts';
import { dotOf, leftText, pointsText, stateText } from './homework.ts';
import './homework.css';

/** One homework in a list: when it is due and how one stands. */
export function HomeworkLine({
  homework,
  courseID,
  course,
}: {
  readonly homework: HomeworkSummary;
  readonly courseID: number;
  /** Said where homework of several courses stands together. */
  readonly course?: string;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const isOpen = homework.State === 0 && homework.Score === null;
  return (
    <li>
      <span>
        <Link to={paths.homework(courseID, homework.ID)} className="text-link">
          {homework.Title}
        </Link>
        <span className="muted num">
          {[
            course ?? '',
            `${words.due} ${formatMoment(homework.DueAt, language)}`,
            ...(isOpen ? [leftText(homework.DueAt, serverNowMs(), messages)] : []),
          ]
            .filter((text) => text !== '')
            .join(messages.common.dotSeparator)}
        </span>
      </span>
      <span className="row homework-state">
        <span className={dotOf(homework)} aria-hidden="true" />
        {stateText(homework, messages)}
      </span>
      <span className="num homework-score">
        {homework.Score === null
          ? null
          : words.scoreOf(pointsText(homework.Score), pointsText(homework.MaxScore))}
      </span>
    </li>
  );
}

export function CourseHomework({
  courseID,
  page,
}: {
  readonly courseID: number;
  readonly page: number;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const { data, error, refetch } = useQuery(homeworkListQuery(courseID, page, language));
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 180 }} />
      </LoadingRegion>
    );
  if (data.List.length === 0)
    return (
      <div className="card">
        <EmptyState title={words.empty} text={words.emptyText} />
      </div>
    );
  return (
    <>
      <ul className="card homework-list" aria-label={words.list}>
        {data.List.map((homework) => (
          <HomeworkLine key={homework.ID} homework={homework} courseID={courseID} />
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={HOMEWORK_PER_PAGE}
        total={data.Total}
        to={paths.course(courseID)}
        searchFor={(number) => ({ tab: 'homework', page: String(number) })}
      />
    </>
  );
}
