/** Writing a task, beside a real environment in which its steps can be tried. */
import { TEXT_LIMITS, type ManagedLab, type ManagedLabTask, type Usage } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { LineField, NumberField } from '../../../ui/form/fields.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import { Workspace } from '../../workspace/Workspace.tsx';
import {
  MANAGED_LABS_KEY,
  createTask,
  managedLabQuery,
  managedTasksQuery,
  updateTask,
  uploadMedia,
} from './lab-admin.api.ts';
import { BilingualMarkdown } from './ItemFields.tsx';
import './lab-admin.css';

interface TaskValues {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
  readonly Minutes: string;
}

const EMPTY: TaskValues = {
  TitleZh: '',
  TitleEn: '',
  ContentZh: '',
  ContentEn: '',
  Minutes: '30',
};
const MINUTES = { min: 0, max: 10_000 };

/** `/admin/lab/{labID}/task/creation` and `/admin/lab/{labID}/task/{taskID}` */
export function LabTaskEditPage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly labID?: string; readonly taskID?: string } = useParams({
    strict: false,
  });
  const labID = readID(params.labID);
  const taskID = params.taskID === undefined ? null : readID(params.taskID);
  const lab = useQuery({ ...managedLabQuery(labID ?? 0, language), enabled: labID !== null });
  const tasks = useQuery({ ...managedTasksQuery(labID ?? 0), enabled: labID !== null });
  const isUnknown = params.taskID !== undefined && taskID === null;
  if (labID === null || isUnknown || isApiError(lab.error, 'not_found')) return <NotFoundView />;
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
      <LoadingRegion />
    );
  }
  const task = tasks.data.find(({ ID }) => ID === taskID) ?? null;
  if (taskID !== null && task === null) return <NotFoundView />;
  return <Editor key={taskID ?? 'new'} lab={lab.data} task={task} />;
}

function Editor({
  lab,
  task,
}: {
  readonly lab: ManagedLab;
  readonly task: ManagedLabTask | null;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const title =
    task === null ? words.addTask : (language === 'en-US' && task.TitleEn) || task.TitleZh;
  const path =
    task === null ? paths.admin.labTaskCreation(lab.ID) : paths.admin.labTask(lab.ID, task.ID);
  return (
    <Workspace
      title={title}
      back={{
        to: paths.admin.lab(lab.ID, 'task'),
        label: messages.admin.back(lab.Title),
      }}
      documentLabel={words.taskContent}
      document={<TaskForm title={title} lab={lab} task={task} />}
      createBody={{
        RouteName: 'adminLabTask',
        RoutePath: path,
        // A task that is not written yet opens what the lab runs on.
        ...(task === null
          ? { SpecificationID: lab.SpecificationID }
          : { LabID: lab.ID, TaskID: task.ID }),
      }}
      matches={(usage: Usage) =>
        task === null ? usage.RoutePath === path : usage.LabID === lab.ID
      }
      startsItself={false}
    />
  );
}

function TaskForm({
  title,
  lab,
  task,
}: {
  readonly title: string;
  readonly lab: ManagedLab;
  readonly task: ManagedLabTask | null;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useDraft<TaskValues>(
    `task-${lab.ID}-${task?.ID ?? 'new'}`,
    task === null
      ? EMPTY
      : {
          TitleZh: task.TitleZh,
          TitleEn: task.TitleEn,
          ContentZh: task.ContentZh,
          ContentEn: task.ContentEn,
          Minutes: String(task.Minutes),
        },
    task?.Version,
  );
  const saving = useMutation({
    mutationFn: ({ Minutes, ...texts }: TaskValues) => {
      const body = { ...texts, Minutes: Number(Minutes) };
      return task === null
        ? createTask(lab.ID, body)
        : updateTask(lab.ID, task.ID, { ...body, Version: form.version });
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
      void client.invalidateQueries({ queryKey: ['lab'] });
      form.forget();
      toast('success', messages.form.saved);
      if (task === null)
        void navigate({ to: paths.admin.labTask(lab.ID, saved.ID), replace: true });
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const errors: Record<string, string> = {};
  if (values.TitleZh.trim() === '') errors['TitleZh'] = messages.form.required(words.taskName);
  for (const key of ['TitleZh', 'TitleEn'] as const)
    if (Array.from(values[key]).length > TEXT_LIMITS.title)
      errors[key] = messages.form.tooLong(words.taskName, TEXT_LIMITS.title);
  for (const key of ['ContentZh', 'ContentEn'] as const)
    if (Array.from(values[key]).length > TEXT_LIMITS.markdown)
      errors[key] = messages.form.tooLong(words.taskContent, TEXT_LIMITS.markdown);
  const minutes = Number(values.Minutes);
  if (!Number.isInteger(minutes) || minutes < MINUTES.min || minutes > MINUTES.max)
    errors['Minutes'] = messages.form.outOfRange(
      words.minutes,
      String(MINUTES.min),
      String(MINUTES.max),
    );
  return (
    <div className="task-editor">
      <PageTitle name={title}>{title}</PageTitle>
      <p className="muted">{words.taskHelp}</p>
      <Form
        label={words.taskContent}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty && !saving.isSuccess}
        submit={messages.form.save}
        onSubmit={() => saving.mutate(values)}
        extra={
          <DraftActions
            failure={saving.error}
            onReload={() => {
              form.forget();
              saving.reset();
              void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
            }}
          />
        }
      >
        <LineField
          label={messages.form.inChinese(words.taskName)}
          value={values.TitleZh}
          max={TEXT_LIMITS.title}
          isRequired
          error={errors['TitleZh'] ?? null}
          onChange={(TitleZh) => form.change({ TitleZh })}
        />
        <LineField
          label={messages.form.inEnglish(words.taskName)}
          hint={messages.form.englishHint}
          value={values.TitleEn}
          max={TEXT_LIMITS.title}
          error={errors['TitleEn'] ?? null}
          onChange={(TitleEn) => form.change({ TitleEn })}
        />
        <NumberField
          label={words.minutes}
          min={MINUTES.min}
          max={MINUTES.max}
          value={values.Minutes}
          error={errors['Minutes'] ?? null}
          onChange={(Minutes) => form.change({ Minutes })}
        />
        <BilingualMarkdown
          label={words.taskContent}
          zh={values.ContentZh}
          en={values.ContentEn}
          mediaPath={lab.MediaPath}
          errors={errors}
          onPicture={(file) => uploadMedia(lab.ID, file)}
          onChange={form.change}
        />
      </Form>
    </div>
  );
}
