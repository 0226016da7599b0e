/** What is to be handed in next, on the personal home. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { dueHomeworkQuery } from './homework.api.ts';
import { HomeworkLine } from './CourseHomework.tsx';

export function DueHomework(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const { data, error, refetch } = useQuery(dueHomeworkQuery(language));
  return (
    <section aria-labelledby="due-homework">
      <div className="section-head">
        <h2 id="due-homework">{words.dueTitle}</h2>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 72 }} />
          </LoadingRegion>
        )
      ) : data.List.length === 0 ? (
        <p className="muted">{words.noneDue}</p>
      ) : (
        <ul className="card homework-list" aria-label={words.dueTitle}>
          {data.List.map((homework) => (
            <HomeworkLine
              key={homework.ID}
              homework={homework}
              courseID={homework.CourseID}
              course={homework.Course}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
