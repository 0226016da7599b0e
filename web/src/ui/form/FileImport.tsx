/** A file that changes much at once: chosen, looked at row by row, and only then carried out. */
import type { ErrorCode } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { LoadingRegion } from '../states.tsx';
import { FileField } from './fields.tsx';
import './file-import.css';

interface FileImportProps<Preview> {
  readonly words: {
    readonly title: string;
    readonly text: string;
    readonly file: string;
    readonly choose: string;
    readonly reading: string;
    /** Why there is nothing to carry out. */
    readonly nothing: string;
  };
  /** Says what the file would do. */
  readonly read: (file: File) => Promise<Preview>;
  /** How much of it would be done. */
  readonly countOf: (preview: Preview) => number;
  readonly found: (preview: Preview) => string;
  /** Does what the preview said. @returns what to tell of it */
  readonly carryOut: (file: File, preview: Preview) => Promise<string>;
  readonly carryOutLabel: (count: number) => string;
  /** Refused, because the preview is not true any more: the file is read again. */
  readonly outdated?: ErrorCode;
  /** Beside the choice of the file. */
  readonly beside?: ReactNode;
  readonly onDone: () => unknown;
  readonly onClose: () => void;
  /** The preview, row by row. */
  readonly children: (preview: Preview) => ReactNode;
}

export function FileImport<Preview>(props: FileImportProps<Preview>): ReactNode {
  const { words, outdated } = props;
  const messages = useMessages();
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({ mutationFn: props.read, meta: { isHandled: true } });
  const writing = useMutation({
    mutationFn: ({ of, preview }: { readonly of: File; readonly preview: Preview }) =>
      props.carryOut(of, preview),
    onSuccess: (told) => {
      toast('success', told);
      void props.onDone();
      props.onClose();
    },
    onError: (error, { of }) => {
      if (outdated !== undefined && isApiError(error, outdated)) reading.mutate(of);
    },
    meta: { isHandled: true },
  });
  const failure = writing.error ?? reading.error;
  const preview = reading.isPending ? undefined : reading.data;
  const count = preview === undefined ? 0 : props.countOf(preview);
  return (
    <Dialog title={words.title} isWide onClose={props.onClose}>
      <p className="muted">{words.text}</p>
      <div className="row row-wrap import-file">
        <FileField
          label={words.file}
          choose={words.choose}
          file={file}
          onChange={(chosen) => {
            if (chosen === null) return;
            setFile(chosen);
            writing.reset();
            reading.mutate(chosen);
          }}
        />
        {props.beside}
      </div>
      {failure ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, failure)}
        </p>
      ) : null}
      {reading.isPending ? <LoadingRegion>{words.reading}</LoadingRegion> : null}
      {preview === undefined ? null : (
        <>
          <output>{props.found(preview)}</output>
          {props.children(preview)}
        </>
      )}
      <div className="dialog-actions">
        <Button onClick={props.onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          isBusy={writing.isPending}
          obstacle={count === 0 ? words.nothing : null}
          onClick={() => {
            if (file !== null && preview !== undefined) writing.mutate({ of: file, preview });
          }}
        >
          {props.carryOutLabel(count)}
        </Button>
      </div>
    </Dialog>
  );
}

/** The rows of a preview; many of them scroll. */
export function PreviewRows({
  head,
  children,
}: {
  /** Titles of the columns; a number's stands to the right. */
  readonly head: readonly { readonly title: string; readonly isNumber?: boolean }[];
  readonly children: ReactNode;
}): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div className="table-scroll import-rows" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {head.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'table-number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
