/** A grade sheet: chosen, looked at change by change, and only then written. */
import type { ScoreImport } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { describeError, useMessages } from '../../../kernel/language.tsx';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FileField } from '../../../ui/form/fields.tsx';
import { LoadingRegion } from '../../../ui/states.tsx';
import '../../user/user.css';
import { pointsText } from '../homework.ts';
import { importScores, previewScores, type HomeworkPlace } from './homework-admin.api.ts';

function Changes({ preview }: { readonly preview: ScoreImport }): ReactNode {
  const words = useMessages().homeworkAdmin;
  const points = (score: number | null): string =>
    score === null ? words.none : pointsText(score);
  const comment = (text: string): string => (text === '' ? words.none : text);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div className="table-scroll import-rows" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="table-number">
              {words.importRow}
            </th>
            <th scope="col">{words.person}</th>
            <th scope="col">{words.studentID}</th>
            <th scope="col">{words.importChange}</th>
          </tr>
        </thead>
        <tbody>
          {preview.Changes.map(({ Row, Name, StudentID, Before, After }) => (
            <tr key={`change ${Row}`}>
              <td className="table-number num" data-label={words.importRow}>
                {Row}
              </td>
              <th scope="row" data-label={words.person}>
                {Name}
              </th>
              <td data-label={words.studentID}>{StudentID}</td>
              <td data-label={words.importChange}>
                <div>
                  {Before.Score === After.Score ? null : (
                    <div className="num">
                      {words.historyLine(points(Before.Score), points(After.Score))}
                    </div>
                  )}
                  {Before.Comment === After.Comment ? null : (
                    <div className="homework-comment">
                      {words.commentChanged(comment(Before.Comment), comment(After.Comment))}
                    </div>
                  )}
                </div>
              </td>
            </tr>
          ))}
          {preview.Problems.map(({ Row, Name, StudentID, Problem }) => (
            <tr key={`problem ${Row}`}>
              <td className="table-number num" data-label={words.importRow}>
                {Row}
              </td>
              <th scope="row" data-label={words.person}>
                {Name}
              </th>
              <td data-label={words.studentID}>{StudentID}</td>
              <td data-label={words.importChange} className="import-problems">
                {words.problems[Problem]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function ImportScoresDialog({
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
    mutationFn: (chosen: File) => previewScores(place, chosen),
    meta: { isHandled: true },
  });
  const writing = useMutation({
    mutationFn: ({ of, token }: { readonly of: File; readonly token: string }) =>
      importScores(place, of, token),
    onSuccess: ({ Changed }) => {
      toast('success', words.imported(Changed));
      void onDone();
      onClose();
    },
    onError: (error) => {
      // Somebody graded meanwhile: the preview says what the sheet would change now.
      if (isApiError(error, 'changed_meanwhile') && file !== null) reading.mutate(file);
    },
    meta: { isHandled: true },
  });
  const failure = writing.error ?? reading.error;
  const preview = reading.isPending ? undefined : reading.data;
  const count = preview?.Changes.length ?? 0;
  return (
    <Dialog title={words.importTitle} isWide onClose={onClose}>
      <p className="muted">{words.importText}</p>
      <div className="row row-wrap import-file">
        <FileField
          label={words.importFile}
          choose={words.chooseFile}
          file={file}
          onChange={(chosen) => {
            if (chosen === null) return;
            setFile(chosen);
            writing.reset();
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
          <output>{words.importFound(count, preview.Unchanged, preview.Problems.length)}</output>
          {count + preview.Problems.length === 0 ? null : <Changes preview={preview} />}
        </>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          isBusy={writing.isPending}
          obstacle={count === 0 ? words.importNothing : null}
          onClick={() => {
            if (file !== null && preview) writing.mutate({ of: file, token: preview.Token });
          }}
        >
          {words.importNow(count)}
        </Button>
      </div>
    </Dialog>
  );
}
