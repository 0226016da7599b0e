/** Who is in a course, for those who are in it. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { MEMBERS_PER_PAGE, membersQuery } from './course.api.ts';
import './course.css';

export function CourseMembers({
  courseID,
  page,
}: {
  readonly courseID: number;
  readonly page: number;
}): ReactNode {
  const words = useMessages().course;
  const { data, error, refetch } = useQuery(membersQuery(courseID, page));
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
        <EmptyState title={words.membersEmpty} text={words.membersEmptyText} />
      </div>
    );
  return (
    <>
      <ul className="card course-members" aria-label={words.tabs.member}>
        {data.List.map((member) => (
          <li key={member.ID} className="row">
            <Avatar name={member.Nickname} path={member.Avatar} size={36} />
            <span>
              <b>{member.Nickname}</b>
              {member.Organisation ? <span className="muted">{member.Organisation}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={MEMBERS_PER_PAGE}
        total={data.Total}
        to={paths.course(courseID)}
        searchFor={(number) => ({ tab: 'member', page: String(number) })}
      />
    </>
  );
}
