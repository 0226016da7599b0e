/** An editor for programs on CodeMirror; a chunk of its own. */
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
} from '@codemirror/commands';
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { ProgrammingLanguage } from '@hypercube/contract';
import { useEffect, useRef, type ReactNode } from 'react';
import { editorLook } from './look.ts';
import { indentOf, sourceColours, sourceLanguage } from './source-language.ts';

interface SourceEditorProps {
  readonly label: string;
  readonly language: ProgrammingLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Ctrl or Cmd with Enter. */
  readonly onSubmit?: () => void;
  /** Only to read. */
  readonly isReadOnly?: boolean;
}

/**
 * The editor; another language needs another one (`key`). Tab leaves it, so that the keyboard is
 * never trapped; Ctrl+] and Ctrl+[ indent.
 */
export function SourceEditor({
  label,
  language,
  value,
  onChange,
  onSubmit,
  isReadOnly = false,
}: SourceEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor is made once; what it calls is always what was rendered last.
  const calls = useRef({ onChange, onSubmit });
  useEffect(() => {
    calls.current = { onChange, onSubmit };
  });
  const first = useRef({ label, language, value, isReadOnly });

  useEffect(() => {
    if (host.current === null) return;
    const { current } = first;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          ...(current.isReadOnly
            ? [EditorState.readOnly.of(true), EditorView.editable.of(false)]
            : [highlightActiveLine(), highlightActiveLineGutter()]),
          highlightSelectionMatches(),
          bracketMatching(),
          indentOnInput(),
          indentUnit.of(indentOf(current.language)),
          EditorView.contentAttributes.of({
            'aria-label': current.label,
            'aria-multiline': 'true',
            spellcheck: 'false',
            autocapitalize: 'off',
            autocorrect: 'off',
            // What is only read must be reached by the keyboard to be scrolled.
            ...(current.isReadOnly ? { tabindex: '0' } : {}),
          }),
          sourceLanguage(current.language),
          syntaxHighlighting(sourceColours),
          editorLook,
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  calls.current.onSubmit?.();
                  return calls.current.onSubmit !== undefined;
                },
              },
            ]),
          ),
          keymap.of([
            { key: 'Mod-]', run: indentMore },
            { key: 'Mod-[', run: indentLess },
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === value) return;
    // The text was changed from outside: the default came back.
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
  }, [value]);

  return <div className="source-editor" ref={host} />;
}
