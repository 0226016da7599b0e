/** Files of homework: shown with their sizes, and sent one at a time with true progress. */
import { COUNT_LIMITS, SIZE_LIMITS, type HomeworkFile } from '@hypercube/contract';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../kernel/api.ts';
import { formatBytes } from '../../kernel/format.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { CloseIcon, ErrorIcon } from '../../ui/icons.tsx';
import '../../ui/form/form.css';
import { fileAddress } from './homework.api.ts';
import './homework.css';

/** Films are shown where they stand; the server says so to the browser as well. */
const isFilm = (name: string): boolean => /\.(?:mp4|mkv)$/i.test(name);

/** The name of a file, which fetches it once it belongs to something. */
function FileName({ file }: { readonly file: HomeworkFile }): ReactNode {
  const words = useMessages().homework;
  const address = fileAddress(file);
  return (
    <>
      {address === null ? (
        <span>{file.Name}</span>
      ) : (
        <a
          className="text-link"
          href={address}
          download={file.Name}
          aria-label={words.download(file.Name)}
        >
          {file.Name}
        </a>
      )}
      <span className="muted num">{formatBytes(file.SizeBytes)}</span>
    </>
  );
}

/** Files that are there. */
export function FileList({
  label,
  files,
}: {
  readonly label: string;
  readonly files: readonly HomeworkFile[];
}): ReactNode {
  return (
    <ul className="homework-files" aria-label={label}>
      {files.map((file) => {
        const address = fileAddress(file);
        return (
          <li key={file.ID}>
            {isFilm(file.Name) && address !== null ? (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- it is a teacher's own file
              <video controls preload="metadata" src={address} aria-label={file.Name} />
            ) : null}
            <span className="homework-file">
              <FileName file={file} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

export type SendFile = (
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<HomeworkFile>;

interface Sending {
  readonly name: string;
  readonly share: number;
  readonly stop: () => void;
}

/** Files that a form is about to send: added one at a time, put aside, taken out again. */
export function FilesField({
  label,
  files,
  types,
  max = COUNT_LIMITS.homeworkFiles,
  choose,
  send,
  onChange,
  onSending,
}: {
  readonly label: string;
  readonly files: readonly HomeworkFile[];
  /** Extensions. */
  readonly types: readonly string[];
  readonly max?: number;
  /** Words of the button. */
  readonly choose?: string;
  readonly send: SendFile;
  /** Told all of them, in order. */
  readonly onChange: (files: readonly HomeworkFile[]) => void;
  /** Told whether one is on its way, which a form waits for. */
  readonly onSending: (isSending: boolean) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.homework;
  const id = useId();
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  // What is there when the file has arrived, not when it was chosen.
  const latest = useRef({ files, onChange, onSending });
  useEffect(() => {
    latest.current = { files, onChange, onSending };
  });
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const begin = async (file: File): Promise<void> => {
    setFailure(null);
    if (file.size > SIZE_LIMITS.upload) {
      setFailure(new ApiError('upload_too_large', 413, { LimitBytes: SIZE_LIMITS.upload }));
      return;
    }
    const ending = new AbortController();
    stop.current = () => ending.abort();
    const shown = { name: file.name, share: 0, stop: () => ending.abort() };
    setSending(shown);
    latest.current.onSending(true);
    try {
      const kept = await send(
        file,
        (share) => setSending((now) => now && { ...now, share }),
        ending.signal,
      );
      latest.current.onChange([...latest.current.files, kept]);
    } catch (error) {
      // Stopped on purpose: nothing went wrong.
      if (!ending.signal.aborted) setFailure(error);
    } finally {
      stop.current = null;
      setSending(null);
      latest.current.onSending(false);
    }
  };
  const isFull = files.length >= max;
  const [kinds, size] = [
    types.join(messages.common.listSeparator),
    formatBytes(SIZE_LIMITS.upload),
  ];
  return (
    <fieldset className="field field-choices">
      <legend className="field-label">{label}</legend>
      {files.length === 0 ? null : (
        <ul className="homework-files" aria-label={label}>
          {files.map((file) => (
            <li key={file.ID}>
              <span className="homework-file">
                <FileName file={file} />
                <Button
                  look="quiet"
                  isSmall
                  isIcon
                  aria-label={words.removeFile(file.Name)}
                  onClick={() => onChange(files.filter(({ ID }) => ID !== file.ID))}
                >
                  <CloseIcon />
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {sending ? (
        <output className="homework-upload">
          <span>
            {sending.share < 1
              ? words.uploading(sending.name, Math.floor(sending.share * 100))
              : words.storing(sending.name)}
          </span>
          <Button isSmall onClick={sending.stop}>
            {words.cancelUpload}
          </Button>
          <progress max={1} value={sending.share} aria-label={sending.name} />
        </output>
      ) : isFull ? null : (
        <div className="row file-field">
          <input
            id={id}
            type="file"
            className="visually-hidden"
            accept={types.map((type) => `.${type}`).join(',')}
            aria-label={choose ?? words.addFile}
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) void begin(file);
              // The same file can be chosen again after it was changed.
              event.target.value = '';
            }}
          />
          <label htmlFor={id} className="btn">
            {choose ?? words.addFile}
          </label>
        </div>
      )}
      <div className="field-hint" id={`${id}-hint`}>
        {max === 1
          ? words.fileHintOne(kinds, size)
          : isFull
            ? words.filesFull(max)
            : words.fileHint(kinds, size, max)}
      </div>
      {failure ? (
        <div className="field-error" role="alert">
          <ErrorIcon />
          <span>{describeError(messages, failure)}</span>
        </div>
      ) : null}
    </fieldset>
  );
}
