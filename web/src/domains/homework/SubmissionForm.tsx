/** What a learner hands in: typed and sent here, kept as a draft until it is handed in. */
import { UPLOAD_TYPES, type HomeworkDetail, type HomeworkFile } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError, serverNowMs } from '../../kernel/api.ts';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { MarkdownEditor } from '../../ui/editor/MarkdownEditor.tsx';
import { DraftActions } from '../../ui/form/DraftActions.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { FilesField } from './Files.tsx';
import {
  createSubmission,
  sendSubmissionFile,
  updateSubmission,
  useHomeworkChanged,
} from './homework.api.ts';
import { isOverdue } from './homework.ts';

interface Values {
  readonly Text: string;
  readonly Files: readonly HomeworkFile[];
}

/** The draft of a submission of one's own. */
export function useSubmissionDraft(homework: HomeworkDetail) {
  const { Submission } = homework;
  const saved: Values = { Text: Submission?.Text ?? '', Files: Submission?.Files ?? [] };
  return useDraft<Values>(`submission-${homework.ID}`, saved, Submission?.Version);
}

export function SubmissionForm({
  courseID,
  homework,
  form,
  onDone,
}: {
  readonly courseID: number;
  readonly homework: HomeworkDetail;
  readonly form: ReturnType<typeof useSubmissionDraft>;
  /** Handed in, or left as it was. */
  readonly onDone: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.homework;
  const changed = useHomeworkChanged();
  const [isSending, setSending] = useState(false);
  const { Submission } = homework;
  const isAgain = Submission !== null && Submission.State !== 0;
  const values = form.values ?? { Text: '', Files: [] };
  const handing = useMutation({
    mutationFn: () => {
      const body = { Text: values.Text, FileIDList: values.Files.map(({ ID }) => ID) };
      return isAgain
        ? updateSubmission(courseID, homework.ID, Submission.ID, { ...body, Version: form.version })
        : createSubmission(courseID, homework.ID, body);
    },
    onSuccess: async () => {
      await changed();
      form.forget();
      toast('success', words.submitted);
      onDone();
    },
    // Gone meanwhile: the page says so, and what was typed stays.
    onError: (error) => (isApiError(error, 'not_found') ? changed() : undefined),
    meta: { isHandled: true },
  });
  const isLate = isOverdue(homework.DueAt, serverNowMs());
  const isEmpty = values.Text.trim() === '' && values.Files.length === 0;
  return (
    <Form
      label={words.own}
      errors={isEmpty ? { Text: messages.form.required(words.text) } : {}}
      failure={handing.error}
      isBusy={handing.isPending}
      isDirty={form.isDirty && !handing.isSuccess}
      submit={isAgain ? words.resubmit : words.submit}
      obstacle={isSending ? words.stillUploading : null}
      onSubmit={() => handing.mutate()}
      extra={
        <>
          <DraftActions
            failure={handing.error}
            // What was corrected meanwhile is shown as it is now.
            isOld={isApiError(handing.error, 'homework_corrected')}
            onReload={() => {
              form.forget();
              handing.reset();
              void changed();
            }}
            onDiscard={form.isDirty ? form.forget : undefined}
          />
          {isAgain && !form.isDirty ? (
            <Button look="quiet" onClick={onDone}>
              {words.cancelEdit}
            </Button>
          ) : null}
        </>
      }
    >
      {isLate ? (
        <p className="notice notice-warn">
          {Submission?.State === 1 ? words.wouldBeLate : words.willBeLate}
        </p>
      ) : null}
      <div>
        <MarkdownEditor
          label={words.text}
          value={values.Text}
          mediaPath=""
          onChange={(Text) => form.change({ Text })}
        />
        <p className="field-hint">{words.textHint}</p>
      </div>
      <FilesField
        label={words.files}
        files={values.Files}
        types={UPLOAD_TYPES.homeworkSubmission}
        send={sendSubmissionFile(courseID, homework.ID)}
        onChange={(Files) => form.change({ Files })}
        onSending={setSending}
      />
      {form.isDirty ? <p className="muted">{words.draftKept}</p> : null}
    </Form>
  );
}
