/** A Markdown text with its preview: a toolbar, pictures by paste or drop, and what the reader will see. */
import { TEXT_LIMITS } from '@hypercube/contract';
import { Suspense, lazy, useRef, useState, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../Button.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { Segments } from '../Segments.tsx';
import { Skeleton } from '../states.tsx';
import { useToldError } from '../form/told.ts';
import type { EditorHandle } from './CodeEditor.tsx';
import {
  BoldIcon,
  CodeIcon,
  FormulaIcon,
  HeadingIcon,
  ItalicIcon,
  LinkIcon,
  ListIcon,
  TableIcon,
} from './icons.tsx';
import './editor.css';

const CodeEditor = lazy(() =>
  loadChunk(() => import('./CodeEditor.tsx')).then((module) => ({ default: module.CodeEditor })),
);

interface MarkdownEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Address that relative addresses of the text are appended to. */
  readonly mediaPath: string;
  /** Stores a picture. @returns its address in the text; without it pictures cannot be added */
  readonly onPicture?: ((file: File) => Promise<string>) | undefined;
  readonly error?: string | null;
}

const MODES = ['write', 'both', 'preview'] as const;
type Mode = (typeof MODES)[number];

export function MarkdownEditor({
  label,
  value,
  onChange,
  mediaPath,
  onPicture,
  error,
}: MarkdownEditorProps): ReactNode {
  const messages = useMessages();
  const words = messages.editor;
  const [mode, setMode] = useState<Mode>('write');
  const [handle, setHandle] = useState<EditorHandle | null>(null);
  const [isUploading, setUploading] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const told = useToldError(error);

  const addPictures = async (files: readonly File[]): Promise<void> => {
    if (onPicture === undefined) return;
    setUploading(true);
    try {
      for (const file of files) {
        const path = await onPicture(file);
        const name = file.name.replace(/\.[^.]*$/, '').replaceAll(/[[\]]/g, ' ');
        handle?.insert(`![${name}](${path})`);
      }
    } catch (failure) {
      toast('error', describeError(messages, failure));
    } finally {
      setUploading(false);
    }
  };
  const tools: readonly { key: string; label: string; icon: ReactNode; run: () => void }[] = [
    {
      key: 'bold',
      label: words.bold,
      icon: <BoldIcon />,
      run: () => handle?.wrap('**', '**', words.bold),
    },
    {
      key: 'italic',
      label: words.italic,
      icon: <ItalicIcon />,
      run: () => handle?.wrap('*', '*', words.italic),
    },
    {
      key: 'heading',
      label: words.heading,
      icon: <HeadingIcon />,
      run: () => handle?.insert(`## ${words.heading}`),
    },
    {
      key: 'list',
      label: words.list,
      icon: <ListIcon />,
      run: () => handle?.insert('- 1\n- 2'),
    },
    {
      key: 'code',
      label: words.code,
      icon: <CodeIcon />,
      run: () => handle?.insert('```c\n\n```'),
    },
    {
      key: 'formula',
      label: words.formula,
      icon: <FormulaIcon />,
      run: () => handle?.insert('$$\nS = \\frac{T_1}{T_p}\n$$'),
    },
    {
      key: 'table',
      label: words.table,
      icon: <TableIcon />,
      run: () => handle?.insert('| A | B |\n| --- | --- |\n| 1 | 2 |'),
    },
    {
      key: 'link',
      label: words.link,
      icon: <LinkIcon />,
      run: () => handle?.wrap('[', '](https://)', words.link),
    },
  ];
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <section className={told ? 'editor editor-invalid' : 'editor'} aria-label={label}>
        <div className="editor-bar" role="toolbar" aria-label={words.toolbar}>
          {tools.map((tool) => (
            <Button
              key={tool.key}
              look="quiet"
              isSmall
              isIcon
              aria-label={tool.label}
              title={tool.label}
              obstacle={mode === 'preview' ? words.onlyWriting : null}
              onClick={tool.run}
            >
              {tool.icon}
            </Button>
          ))}
          {onPicture ? (
            <>
              <Button
                look="quiet"
                isSmall
                isBusy={isUploading}
                obstacle={mode === 'preview' ? words.onlyWriting : null}
                onClick={() => picker.current?.click()}
              >
                {words.picture}
              </Button>
              <input
                ref={picker}
                type="file"
                hidden
                multiple
                accept="image/png,image/jpeg,image/webp,image/svg+xml,image/gif,video/mp4,video/webm"
                aria-label={words.picture}
                onChange={(event) => {
                  const files = [...(event.target.files ?? [])];
                  event.target.value = '';
                  void addPictures(files);
                }}
              />
            </>
          ) : null}
          <span className="editor-space" />
          <Segments
            label={words.mode}
            value={mode}
            options={MODES.map((one) => ({ value: one, label: words.modes[one] }))}
            onChange={setMode}
          />
        </div>
        <div className={`editor-panes editor-${mode}`}>
          <div className="editor-write" hidden={mode === 'preview'}>
            <Suspense fallback={<Skeleton style={{ height: 220 }} />}>
              <CodeEditor
                label={label}
                value={value}
                placeholder={onPicture ? words.placeholder : words.placeholderText}
                onChange={onChange}
                onReady={setHandle}
                {...(onPicture
                  ? {
                      onFiles: (files: readonly File[]) => {
                        const pictures = files.filter(({ type }) =>
                          /^(?:image|video)\//.test(type),
                        );
                        if (pictures.length > 0) void addPictures(pictures);
                        return pictures.length > 0;
                      },
                    }
                  : {})}
              />
            </Suspense>
          </div>
          {mode === 'write' ? null : (
            <div className="editor-preview">
              {value.trim() === '' ? (
                <p className="muted">{words.empty}</p>
              ) : (
                <Markdown text={value} mediaPath={mediaPath} />
              )}
            </div>
          )}
        </div>
      </section>
      <div className="field-hint row row-apart">
        <span>{told ? <span className="red">{told}</span> : words.hint}</span>
        <span className="num">
          {messages.form.counter(Array.from(value).length, TEXT_LIMITS.markdown)}
        </span>
      </div>
    </div>
  );
}
