/** The workspace of a task of a lab, on a desktop or a notebook. */
import { LabType, type LabDetail, type LabTaskSummary } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID, taskPath } from '../../kernel/paths.ts';
import { MarkdownSkeleton } from '../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { labQuery, labResourcesQuery, labTaskQuery, labTasksQuery } from '../lab/lab.api.ts';
import { FilesStrip } from './FilesStrip.tsx';
import { TaskDocument } from './TaskDocument.tsx';
import { TaskNavigation } from './TaskNavigation.tsx';
import { Workspace } from './Workspace.tsx';

const ROUTE_NAMES: Readonly<Record<LabType, string>> = {
  [LabType.desktop]: 'desktopLabTaskDetail',
  [LabType.notebook]: 'notebookLabTaskDetail',
};

export function LabTaskPage(): ReactNode {
  const params: { readonly labID?: string; readonly taskID?: string } = useParams({
    strict: false,
  });
  const labID = readID(params.labID);
  const taskID = readID(params.taskID);
  if (labID === null || taskID === null) return <NotFoundView />;
  // Another lab is another workspace; another task of the same lab is not.
  return <LabTask key={labID} labID={labID} taskID={taskID} />;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

function LabTask({
  labID,
  taskID,
}: {
  readonly labID: number;
  readonly taskID: number;
}): ReactNode {
  const { language } = useLanguage();
  const lab = useQuery(labQuery(labID, language));
  const tasks = useQuery(labTasksQuery(labID, language));
  const task = useQuery(labTaskQuery(labID, taskID, language));
  if (isMissing(lab.error) || isMissing(task.error)) return <NotFoundView />;
  const error = lab.error ?? tasks.error;
  if (lab.data === undefined || tasks.data === undefined) {
    return error ? (
      <ErrorState
        error={error}
        onRetry={() => {
          void lab.refetch();
          void tasks.refetch();
        }}
      />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 48, borderRadius: 0 }} />
      </LoadingRegion>
    );
  }
  const document = task.data ? (
    <TaskDocument lab={lab.data} tasks={tasks.data} task={task.data} />
  ) : task.error ? (
    <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  ) : (
    <div className="task-document">
      <MarkdownSkeleton />
    </div>
  );
  return <TaskWorkspace lab={lab.data} tasks={tasks.data} taskID={taskID} document={document} />;
}

function TaskWorkspace({
  lab,
  tasks,
  taskID,
  document,
}: {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[];
  readonly taskID: number;
  readonly document: ReactNode;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.usage.workspace;
  const resources = useQuery(labResourcesQuery(lab.ID));
  return (
    <Workspace
      title={lab.Title}
      back={{ to: paths.lab(lab.ID), label: words.backLabel(lab.Title) }}
      documentLabel={words.documentRegion}
      document={document}
      steps={<TaskNavigation lab={lab} tasks={tasks} taskID={taskID} />}
      strip={
        resources.data && resources.data.length > 0 ? (
          <FilesStrip labID={lab.ID} resources={resources.data} />
        ) : null
      }
      createBody={{
        RouteName: ROUTE_NAMES[lab.Type],
        RoutePath: taskPath(lab.Type, lab.ID, taskID),
        LabID: lab.ID,
        TaskID: taskID,
      }}
      // Any task of the same lab shares the environment.
      matches={(usage) => usage.LabID === lab.ID}
    />
  );
}
