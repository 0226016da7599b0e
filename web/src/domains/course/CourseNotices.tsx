/** The notices of a course, for those who are in it. */
import type { CourseNotice } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { NOTICES_PER_PAGE, noticesQuery } from './course.api.ts';
import './course.css';

/** One notice. */
export function NoticeText({
  notice,
  children,
}: {
  readonly notice: CourseNotice;
  /** What can be done with it. */
  readonly children?: ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course;
  return (
    <>
      <div className="row row-wrap row-apart">
        <h2>{notice.Title}</h2>
        {children}
      </div>
      <p className="notice-content">{notice.Content}</p>
      <div className="row row-wrap muted">
        <time className="num" dateTime={notice.CreatedAt}>
          {formatMoment(notice.CreatedAt, language)}
        </time>
        <span>{words.noticeBy(notice.Author ?? words.noOwner)}</span>
        {notice.UpdatedAt === notice.CreatedAt ? null : (
          <span className="num">{words.changedAt(formatMoment(notice.UpdatedAt, language))}</span>
        )}
      </div>
    </>
  );
}

export function CourseNotices({
  courseID,
  page,
}: {
  readonly courseID: number;
  readonly page: number;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course;
  const { data, error, refetch } = useQuery(noticesQuery(courseID, page, language));
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
        <EmptyState title={words.noticesEmpty} text={words.noticesEmptyText} />
      </div>
    );
  return (
    <>
      <ul className="card notices" aria-label={words.tabs.notice}>
        {data.List.map((notice) => (
          <li key={notice.ID}>
            <NoticeText notice={notice} />
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={NOTICES_PER_PAGE}
        total={data.Total}
        to={paths.course(courseID)}
        searchFor={(number) => ({ tab: 'notice', page: String(number) })}
      />
    </>
  );
}
