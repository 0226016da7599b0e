import type { editor as source } from '../zh-CN/editor.ts';
import type { Translation } from '../types.ts';

/** The editor of Markdown texts. */
export const editor: Translation<typeof source> = {
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  heading: 'Heading',
  list: 'List',
  code: 'Code block',
  formula: 'Formula',
  table: 'Table',
  link: 'Link',
  picture: 'Picture or video',
  mode: 'View',
  modes: { write: 'Write', both: 'Both', preview: 'Preview' },
  onlyWriting: 'Available while writing',
  placeholder: 'Write Markdown; pictures can be pasted or dropped',
  placeholderText: 'Write Markdown',
  empty: 'Nothing written yet',
  hint: 'Headings, lists, code, formulas, tables and pictures',
};
