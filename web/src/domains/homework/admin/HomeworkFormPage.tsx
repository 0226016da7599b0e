/** Setting a homework, and changing one. */
import {
  HOMEWORK_LIMITS,
  TEXT_LIMITS,
  UPLOAD_TYPES,
  type HomeworkFile,
  type ManagedHomework,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { TextField } from '../../../ui/Field.tsx';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { CheckField, LineField, NumberField } from '../../../ui/form/fields.tsx';
import { Form, useDraft, type FieldErrors } from '../../../ui/form/form.tsx';
import { useToldError } from '../../../ui/form/told.ts';
import { LeftIcon } from '../../../ui/icons.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { isoMoment, localMoment } from '../../course/admin/joining.ts';
import { BilingualMarkdown } from '../../lab/admin/ItemFields.tsx';
import { FilesField } from '../Files.tsx';
import { zoneName } from '../homework.ts';
import {
  createHomework,
  sendAttachment,
  updateHomework,
  useManagedHomeworkChanged,
} from './homework-admin.api.ts';
import { HomeworkFrame } from './HomeworkFrame.tsx';
import { isPoints } from './points.ts';

/** Values as they stand in the fields. */
interface Values {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
  /** As the browser's field has them: local time without a zone. */
  readonly OpenAt: string;
  readonly DueAt: string;
  readonly MaxScore: string;
  readonly IsPublished: boolean;
  readonly Attachments: readonly HomeworkFile[];
}

const EMPTY: Values = {
  TitleZh: '',
  TitleEn: '',
  ContentZh: '',
  ContentEn: '',
  OpenAt: '',
  DueAt: '',
  MaxScore: String(HOMEWORK_LIMITS.scoreDefault),
  IsPublished: false,
  Attachments: [],
};

const valuesOf = (homework: ManagedHomework): Values => ({
  TitleZh: homework.TitleZh,
  TitleEn: homework.TitleEn,
  ContentZh: homework.ContentZh,
  ContentEn: homework.ContentEn,
  OpenAt: localMoment(homework.OpenAt),
  DueAt: localMoment(homework.DueAt),
  MaxScore: String(homework.MaxScore),
  IsPublished: homework.IsPublished,
  Attachments: homework.Attachments,
});

/**
 * The fields of a call.
 * @param saved what the server has: a moment that was not touched keeps its seconds
 */
const bodyOf = (values: Values, saved?: ManagedHomework) => {
  const moment = (local: string, before: string | null | undefined): string | null =>
    before != null && localMoment(before) === local ? before : isoMoment(local);
  return {
    TitleZh: values.TitleZh.trim(),
    TitleEn: values.TitleEn.trim(),
    ContentZh: values.ContentZh,
    ContentEn: values.ContentEn,
    OpenAt: moment(values.OpenAt, saved?.OpenAt),
    DueAt: moment(values.DueAt, saved?.DueAt) ?? '',
    MaxScore: Number(values.MaxScore),
    IsPublished: values.IsPublished,
    AttachmentIDList: values.Attachments.map(({ ID }) => ID),
  };
};

function errorsOf(values: Values, messages: Catalogue): FieldErrors {
  const words = messages.homeworkAdmin;
  const errors: Record<string, string> = {};
  if (values.TitleZh.trim() === '') errors['TitleZh'] = messages.form.required(words.name);
  const check = (
    key: 'TitleZh' | 'TitleEn' | 'ContentZh' | 'ContentEn',
    label: string,
    max: number,
  ): void => {
    if (Array.from(values[key]).length > max) errors[key] = messages.form.tooLong(label, max);
  };
  check('TitleZh', words.name, TEXT_LIMITS.title);
  check('TitleEn', words.name, TEXT_LIMITS.title);
  check('ContentZh', words.content, TEXT_LIMITS.markdown);
  check('ContentEn', words.content, TEXT_LIMITS.markdown);
  if (values.DueAt === '') errors['DueAt'] = messages.form.required(words.dueAt);
  else if (values.OpenAt !== '' && Date.parse(values.OpenAt) >= Date.parse(values.DueAt))
    errors['DueAt'] = words.reversed;
  if (!isPoints(values.MaxScore, 1, HOMEWORK_LIMITS.scoreMax))
    errors['MaxScore'] = messages.form.invalid(words.maxScore);
  return errors;
}

/** A date with a time, in the zone of this computer. */
function MomentField({
  label,
  value,
  hint,
  isRequired,
  error,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const told = useToldError(error);
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={value}
      hint={hint}
      required={isRequired}
      error={told}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Fields({
  courseID,
  values,
  errors,
  onChange,
  onSending,
}: {
  readonly courseID: number;
  readonly values: Values;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<Values>) => void;
  readonly onSending: (isSending: boolean) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  return (
    <>
      <div className="form-grid">
        <LineField
          label={messages.form.inChinese(words.name)}
          value={values.TitleZh}
          max={TEXT_LIMITS.title}
          isRequired
          error={errors['TitleZh']}
          onChange={(TitleZh) => onChange({ TitleZh })}
        />
        <LineField
          label={messages.form.inEnglish(words.name)}
          hint={messages.form.englishHint}
          value={values.TitleEn}
          max={TEXT_LIMITS.title}
          error={errors['TitleEn']}
          onChange={(TitleEn) => onChange({ TitleEn })}
        />
      </div>
      <div className="form-grid">
        <MomentField
          label={words.dueAt}
          value={values.DueAt}
          hint={words.zoneHint(zoneName())}
          isRequired
          error={errors['DueAt']}
          onChange={(DueAt) => onChange({ DueAt })}
        />
        <MomentField
          label={words.openAt}
          value={values.OpenAt}
          hint={words.openHint}
          onChange={(OpenAt) => onChange({ OpenAt })}
        />
        <NumberField
          label={words.maxScore}
          value={values.MaxScore}
          min={1}
          max={HOMEWORK_LIMITS.scoreMax}
          step={0.1}
          hint={words.maxHint(HOMEWORK_LIMITS.scoreMax)}
          error={errors['MaxScore']}
          onChange={(MaxScore) => onChange({ MaxScore })}
        />
      </div>
      <BilingualMarkdown
        label={words.content}
        zh={values.ContentZh}
        en={values.ContentEn}
        mediaPath=""
        errors={errors}
        onChange={onChange}
      />
      <FilesField
        label={messages.homework.attachments}
        files={values.Attachments}
        types={UPLOAD_TYPES.homeworkAttachment}
        send={sendAttachment(courseID)}
        onChange={(Attachments) => onChange({ Attachments })}
        onSending={onSending}
      />
      <CheckField
        label={words.isPublished}
        hint={words.publishHint}
        isOn={values.IsPublished}
        onChange={(IsPublished) => onChange({ IsPublished })}
      />
    </>
  );
}

export function HomeworkCreationPage(): ReactNode {
  const params: { readonly courseID?: string } = useParams({ strict: false });
  const courseID = readID(params.courseID);
  return courseID === null ? <NotFoundView /> : <CreationForm key={courseID} courseID={courseID} />;
}

function CreationForm({ courseID }: { readonly courseID: number }): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  const navigate = useNavigate();
  const changed = useManagedHomeworkChanged();
  const form = useDraft<Values>(`homework-new-${courseID}`, EMPTY);
  const [isSending, setSending] = useState(false);
  const values = form.values ?? EMPTY;
  const creating = useMutation({
    mutationFn: () => createHomework(courseID, bodyOf(values)),
    onSuccess: (homework) => {
      form.forget();
      void changed();
      toast('success', homework.IsPublished ? words.publishedNow : messages.form.saved);
      void navigate({ to: paths.admin.course(courseID, 'homework') });
    },
    meta: { isHandled: true },
  });
  const errors = errorsOf(values, messages);
  return (
    <>
      <Link to={paths.admin.course(courseID, 'homework')} className="back-link">
        <LeftIcon />
        {words.back}
      </Link>
      <div className="page-head">
        <PageTitle name={words.create}>{words.create}</PageTitle>
      </div>
      <Form
        label={words.create}
        errors={errors}
        failure={creating.error}
        isBusy={creating.isPending}
        isDirty={form.isDirty && !creating.isSuccess}
        submit={messages.form.create}
        obstacle={isSending ? messages.homework.stillUploading : null}
        onSubmit={() => creating.mutate()}
      >
        <Fields
          courseID={courseID}
          values={values}
          errors={errors}
          onChange={form.change}
          onSending={setSending}
        />
      </Form>
    </>
  );
}

export const HomeworkEditPage = (): ReactNode => (
  <HomeworkFrame tab="info">
    {(homework, courseID) => <EditForm key={homework.ID} courseID={courseID} homework={homework} />}
  </HomeworkFrame>
);

function EditForm({
  courseID,
  homework,
}: {
  readonly courseID: number;
  readonly homework: ManagedHomework;
}): ReactNode {
  const messages = useMessages();
  const changed = useManagedHomeworkChanged();
  const saved = valuesOf(homework);
  const form = useDraft<Values>(`homework-${homework.ID}`, saved, homework.Version);
  const [isSending, setSending] = useState(false);
  const values = form.values ?? saved;
  const saving = useMutation({
    mutationFn: () =>
      updateHomework(courseID, homework.ID, {
        ...bodyOf(values, homework),
        Version: form.version,
      }),
    onSuccess: async () => {
      await changed();
      form.forget();
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
  const errors = errorsOf(values, messages);
  return (
    <Form
      label={messages.homeworkAdmin.tabs.info}
      errors={errors}
      failure={saving.error}
      isBusy={saving.isPending}
      isDirty={form.isDirty}
      submit={messages.form.save}
      obstacle={isSending ? messages.homework.stillUploading : null}
      onSubmit={() => saving.mutate()}
      extra={
        <DraftActions
          failure={saving.error}
          onReload={() => {
            form.forget();
            saving.reset();
            void changed();
          }}
          onDiscard={form.isDirty ? form.forget : undefined}
        />
      }
    >
      <Fields
        courseID={courseID}
        values={values}
        errors={errors}
        onChange={form.change}
        onSending={setSending}
      />
    </Form>
  );
}
