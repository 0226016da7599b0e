/** Icons of the editor's toolbar, of the same set as all others. */
import { icon } from '../icons.tsx';

export const BoldIcon = icon(
  <path d="M7 4.5h6a3.6 3.6 0 0 1 0 7.2H7zM7 11.7h7a3.9 3.9 0 0 1 0 7.8H7z" strokeWidth={2.4} />,
);
export const ItalicIcon = icon(<path d="M10 4.5h8M6 19.5h8M14.5 4.5l-5 15" />);
export const HeadingIcon = icon(<path d="M6 4.5v15M18 4.5v15M6 12h12" />);
export const ListIcon = icon(
  <path d="M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01" />,
);
export const CodeIcon = icon(<path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5" />);
export const FormulaIcon = icon(<path d="M17.5 7.5v-3h-11l6 7.5-6 7.5h11v-3" />);
export const TableIcon = icon(<path d="M4 5.5h16v13H4zM4 10h16M4 14.3h16M12 5.5v13" />);
export const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1" />,
);
