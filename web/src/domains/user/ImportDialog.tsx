/** A class list: chosen, looked at row by row, and only then made into accounts. */
import type { AnswerOf, ImportProblem, routes } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FileField } from '../../ui/form/fields.tsx';
import { LoadingRegion } from '../../ui/states.tsx';
import { download, toCsv } from '../../ui/table/csv.ts';
import { importUsers, previewImport } from './user.api.ts';

type Preview = AnswerOf<typeof routes.previewUserImport>;

function ProblemText({ problem }: { readonly problem: ImportProblem }): ReactNode {
  const words = useMessages().userAdmin;
  return <li>{words.problems[problem.Rule](words.columns[problem.Field])}</li>;
}

function PreviewTable({ preview }: { readonly preview: Preview }): ReactNode {
  const messages = useMessages();
  const words = messages.userAdmin;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div className="table-scroll import-rows" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="table-number">
              {words.importRow}
            </th>
            <th scope="col">{words.columns.Username}</th>
            <th scope="col">{words.columns.Email}</th>
            <th scope="col">{words.columns.RealName}</th>
            <th scope="col">{words.importProblems}</th>
          </tr>
        </thead>
        <tbody>
          {preview.List.map((row) => (
            <tr key={row.Row}>
              <td className="table-number num" data-label={words.importRow}>
                {row.Row}
              </td>
              <th scope="row" data-label={words.columns.Username}>
                {row.Username}
              </th>
              <td data-label={words.columns.Email}>{row.Email}</td>
              <td data-label={words.columns.RealName}>{row.RealName}</td>
              <td data-label={words.importProblems}>
                {row.Problems.length === 0 ? (
                  <span className="row">
                    <span className="dot dot-good" aria-hidden="true" />
                    {words.ready}
                  </span>
                ) : (
                  <ul className="import-problems">
                    {row.Problems.map((problem) => (
                      <ProblemText key={`${problem.Field} ${problem.Rule}`} problem={problem} />
                    ))}
                  </ul>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function ImportDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.userAdmin;
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({
    mutationFn: (chosen: File) => previewImport(chosen, () => undefined),
    meta: { isHandled: true },
  });
  const good = (reading.data?.List ?? []).filter(({ Problems }) => Problems.length === 0);
  const making = useMutation({
    mutationFn: () => importUsers(good.map(({ Problems: _none, ...row }) => row)),
    onSuccess: ({ Made }) => {
      toast('success', words.imported(Made));
      onDone();
      onClose();
    },
    onError: (error) => {
      // Somebody registered one of them meanwhile: the preview says who.
      if (isApiError(error, 'import_refused') && file !== null) reading.mutate(file);
    },
    meta: { isHandled: true },
  });
  const failure = making.error ?? reading.error;
  const preview = reading.data;
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
            making.reset();
            reading.mutate(chosen);
          }}
        />
        <Button
          look="quiet"
          isSmall
          onClick={() => {
            const { Username, Email, Nickname, RealName, StudentID, Organisation, Type } =
              words.columns;
            const heading = [Username, Email, Nickname, RealName, StudentID, Organisation, Type];
            download('class-list.csv', toCsv([heading]));
          }}
        >
          {words.template}
        </Button>
      </div>
      {failure ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, failure)}
        </p>
      ) : null}
      {reading.isPending ? <LoadingRegion>{words.reading}</LoadingRegion> : null}
      {preview && !reading.isPending ? (
        <>
          <output>
            {[
              words.importFound(preview.Total),
              ...(good.length < preview.Total
                ? [words.importBad(preview.Total - good.length)]
                : []),
            ].join(messages.common.dotSeparator)}
          </output>
          <PreviewTable preview={preview} />
        </>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          isBusy={making.isPending}
          obstacle={good.length === 0 || reading.isPending ? words.importNothing : null}
          onClick={() => making.mutate()}
        >
          {words.importNow(good.length)}
        </Button>
      </div>
    </Dialog>
  );
}
