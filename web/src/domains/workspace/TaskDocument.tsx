/** The document of a task. */
import type { LabDetail, LabTask, LabTaskSummary } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { taskPath } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

interface TaskDocumentProps {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[];
  readonly task: LabTask;
}

export function TaskDocument({ lab, tasks, task }: TaskDocumentProps): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  const index = tasks.findIndex((each) => each.ID === task.ID);
  const link = (other: LabTaskSummary | undefined): string | null =>
    other === undefined ? null : taskPath(lab.Type, lab.ID, other.ID);
  const [before, after] = [link(tasks[index - 1]), link(tasks[index + 1])];
  return (
    // Another task is another document: it begins at its top and its heading takes the focus.
    <article key={task.ID} className="task-document">
      {tasks.length > 1 ? (
        <nav className="task-steps" aria-label={words.progress(index + 1, tasks.length)}>
          {tasks.map((each, position) => (
            <Link
              key={each.ID}
              to={taskPath(lab.Type, lab.ID, each.ID)}
              aria-current={each.ID === task.ID ? 'step' : undefined}
              aria-label={[words.taskNumber(position + 1), each.Title].join(
                messages.common.dotSeparator,
              )}
              title={each.Title}
            >
              <i />
            </Link>
          ))}
        </nav>
      ) : null}
      <p className="muted">{words.taskNumber(index + 1)}</p>
      <PageTitle name={[task.Title, lab.Title].join(messages.common.dotSeparator)}>
        {task.Title}
      </PageTitle>
      <Markdown text={task.Content} mediaPath={task.MediaPath} />
      <div className="task-ends">
        {before === null ? (
          <span />
        ) : (
          <ButtonLink to={before}>
            <ChevronLeftIcon />
            {words.previous}
          </ButtonLink>
        )}
        {after === null ? null : (
          <ButtonLink to={after} look="primary">
            {words.next}
            <ChevronRightIcon />
          </ButtonLink>
        )}
      </div>
    </article>
  );
}
