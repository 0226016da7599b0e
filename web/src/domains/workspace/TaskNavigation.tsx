/** The tasks of a lab in the slim bar: which one this is, and its neighbours. */
import type { LabDetail, LabTaskSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { taskPath } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';

export function TaskNavigation({
  lab,
  tasks,
  taskID,
}: {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[];
  readonly taskID: number;
}): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  const index = tasks.findIndex((task) => task.ID === taskID);
  const at = (other: number): string | null => {
    const task = tasks[other];
    return task === undefined ? null : taskPath(lab.Type, lab.ID, task.ID);
  };
  const [before, after] = [at(index - 1), at(index + 1)];
  if (index < 0) return null;
  return (
    <span className="slim-task">
      {before === null ? null : (
        <ButtonLink
          to={before}
          look="quiet"
          isSmall
          isIcon
          aria-label={words.previous}
          title={words.previous}
        >
          <ChevronLeftIcon />
        </ButtonLink>
      )}
      <span className="muted num">{words.taskOf(index + 1, tasks.length)}</span>
      {after === null ? null : (
        <ButtonLink
          to={after}
          look="quiet"
          isSmall
          isIcon
          aria-label={words.next}
          title={words.next}
        >
          <ChevronRightIcon />
        </ButtonLink>
      )}
    </span>
  );
}
