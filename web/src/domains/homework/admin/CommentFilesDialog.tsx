/** A zip of PDFs named for learners: chosen, matched, and only then given out. */
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CommentFileImport } from '@hypercube/contract';
import { describeError, useMessages } from '../../../kernel/language.tsx';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FileField } from '../../../ui/form/fields.tsx';
import { LoadingRegion } from '../../../ui/states.tsx';
import '../../user/user.css';
import { importCommentFiles, type HomeworkPlace } from './homework-admin.api.ts';

function Files({ preview }: { readonly preview: CommentFileImport }): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div className="table-scroll import-rows" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words.fileName}</th>
            <th scope="col">{words.fileFor}</th>
          </tr>
        </thead>
        <tbody>
          {preview.Matched.map(({ File: name, Name, StudentID, UserID, IsReplaced }) => (
            <tr key={UserID}>
              <th scope="row" data-label={words.fileName}>
                {name}
              </th>
              <td data-label={words.fileFor}>
                {[Name, StudentID, IsReplaced ? words.replaces : '']
                  .filter((text) => text !== '')
                  .join(messages.common.dotSeparator)}
              </td>
            </tr>
          ))}
          {preview.Unmatched.map(({ File: name, Problem }, index) => (
            // Files of several folders may be called the same.
            // oxlint-disable-next-line react/no-array-index-key -- the list never changes its order
            <tr key={`${index} ${name}`}>
              <th scope="row" data-label={words.fileName}>
                {name}
              </th>
              <td data-label={words.fileFor} className="import-problems">
                {words.fileProblems[Problem]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function CommentFilesDialog({
  place,
  onDone,
  onClose,
}: {
  readonly place: HomeworkPlace;
  readonly onDone: () => unknown;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({
    mutationFn: (chosen: File) => importCommentFiles(place, chosen, true),
    meta: { isHandled: true },
  });
  const giving = useMutation({
    mutationFn: (chosen: File) => importCommentFiles(place, chosen, false),
    onSuccess: ({ Matched }) => {
      toast('success', words.filesDone(Matched.length));
      void onDone();
      onClose();
    },
    meta: { isHandled: true },
  });
  const failure = giving.error ?? reading.error;
  const preview = reading.isPending ? undefined : reading.data;
  const count = preview?.Matched.length ?? 0;
  return (
    <Dialog title={words.filesTitle} isWide onClose={onClose}>
      <p className="muted">{words.filesText}</p>
      <div className="row row-wrap import-file">
        <FileField
          label={words.filesFile}
          choose={words.chooseFile}
          file={file}
          onChange={(chosen) => {
            if (chosen === null) return;
            setFile(chosen);
            giving.reset();
            reading.mutate(chosen);
          }}
        />
      </div>
      {failure ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, failure)}
        </p>
      ) : null}
      {reading.isPending ? <LoadingRegion>{words.reading}</LoadingRegion> : null}
      {preview ? (
        <>
          <output>{words.filesFound(count, preview.Unmatched.length)}</output>
          <Files preview={preview} />
        </>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          isBusy={giving.isPending}
          obstacle={count === 0 ? words.filesNothing : null}
          onClick={() => {
            if (file !== null) giving.mutate(file);
          }}
        >
          {words.filesNow(count)}
        </Button>
      </div>
    </Dialog>
  );
}
