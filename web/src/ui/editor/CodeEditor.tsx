/** A text editor for Markdown on CodeMirror; a chunk of its own. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, type ReactNode } from 'react';
import { editorLook } from './look.ts';

/** What a toolbar can do to the text. */
export interface EditorHandle {
  /** Puts text around the selection; without one, the words in the middle. */
  wrap(before: string, after: string, words: string): void;
  /** Puts a block on lines of its own. */
  insert(block: string): void;
  focus(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700', color: 'var(--accent-ink)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--accent-ink)' },
  { tag: tags.url, color: 'var(--ink-3)' },
  { tag: tags.monospace, color: 'var(--code-string)' },
  { tag: tags.quote, color: 'var(--ink-2)' },
  { tag: tags.processingInstruction, color: 'var(--ink-3)' },
]);

/** A text has room from the beginning. */
const room = EditorView.theme({ '.cm-scroller': { minHeight: '220px' } });

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
  /** Files that were pasted or dropped. @returns whether they were taken */
  readonly onFiles?: (files: readonly File[]) => boolean;
  readonly onReady: (handle: EditorHandle) => void;
}

const handleOf = (view: EditorView): EditorHandle => ({
  wrap(before, after, words) {
    const { from, to } = view.state.selection.main;
    const middle = view.state.sliceDoc(from, to) || words;
    view.dispatch({
      changes: { from, to, insert: before + middle + after },
      selection: { anchor: from + before.length, head: from + before.length + middle.length },
    });
    view.focus();
  },
  insert(block) {
    const { head } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    const lead = line.text.trim() === '' ? '' : '\n\n';
    const at = line.text.trim() === '' ? line.from : line.to;
    const text = `${lead}${block}\n`;
    view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length } });
    view.focus();
  },
  focus: () => view.focus(),
});

/** The editor. Tab leaves it, so that the keyboard is never trapped; Ctrl+] and Ctrl+[ indent. */
export function CodeEditor({
  label,
  value,
  placeholder = '',
  onChange,
  onFiles,
  onReady,
}: CodeEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor is made once; what it calls is always what was rendered last.
  const calls = useRef({ onChange, onFiles, onReady });
  useEffect(() => {
    calls.current = { onChange, onFiles, onReady };
  });
  const first = useRef({ label, value, placeholder });

  useEffect(() => {
    if (host.current === null) return;
    const take = (list: FileList | undefined | null, event: Event): boolean => {
      const files = [...(list ?? [])];
      if (files.length === 0 || calls.current.onFiles?.(files) !== true) return false;
      event.preventDefault();
      return true;
    };
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': first.current.label,
            'aria-multiline': 'true',
            spellcheck: 'true',
          }),
          placeholderText(first.current.placeholder),
          markdown(),
          syntaxHighlighting(colours),
          editorLook,
          room,
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({
            paste: (event) => take(event.clipboardData?.files, event),
            drop: (event) => take(event.dataTransfer?.files, event),
          }),
        ],
      }),
    });
    view.current = made;
    calls.current.onReady(handleOf(made));
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === value) return;
    // The text was changed from outside: a draft was thrown away, or loaded anew.
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
  }, [value]);

  return <div className="editor-code" ref={host} />;
}
