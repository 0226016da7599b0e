/** Colours of program texts: words, strings, numbers and comments, which is all that reading needs. */
import { HighlightStyle, StreamLanguage, type StringStream } from '@codemirror/language';
import { ProgrammingLanguage } from '@hypercube/contract';
import { tags } from '@lezer/highlight';

const C_WORDS =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while size_t bool true false NULL';
const WORDS: Readonly<Record<'c' | 'cpp' | 'java' | 'python', ReadonlySet<string>>> = {
  c: new Set(C_WORDS.split(' ')),
  cpp: new Set(
    `${C_WORDS} class constexpr catch delete explicit friend mutable namespace new noexcept nullptr operator override private protected public template this throw try typename using virtual std vector string`.split(
      ' ',
    ),
  ),
  java: new Set(
    'abstract boolean break byte case catch char class const continue default do double else enum extends final finally float for if implements import instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws transient true false try var void volatile while String'.split(
      ' ',
    ),
  ),
  python: new Set(
    'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield'.split(
      ' ',
    ),
  ),
};

interface State {
  /** What ends the string or comment in which the line began. */
  until: string | null;
  isComment: boolean;
}

/** Reads on to the end of a string or comment. @returns its colour */
function readUntil(stream: StringStream, state: State): string {
  const colour = state.isComment ? 'comment' : 'string';
  while (state.until !== null && !stream.eol()) {
    if (!state.isComment && stream.eat('\\') !== undefined) {
      stream.next();
    } else if (stream.match(state.until)) {
      state.until = null;
    } else {
      stream.next();
    }
  }
  // A plain string ends with its line, whether it was closed or not.
  if (state.until?.length === 1) state.until = null;
  return colour;
}

function begin(stream: StringStream, state: State, until: string, isComment: boolean): string {
  state.until = until;
  state.isComment = isComment;
  return readUntil(stream, state);
}

function makeLanguage(kind: keyof typeof WORDS): StreamLanguage<State> {
  const isPython = kind === 'python';
  return StreamLanguage.define<State>({
    name: kind,
    startState: () => ({ until: null, isComment: false }),
    token(stream, state) {
      if (state.until !== null) return readUntil(stream, state);
      if (stream.eatSpace()) return null;
      if (isPython ? stream.match('#') : stream.match('//')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (!isPython && stream.match('/*')) return begin(stream, state, '*/', true);
      if (!isPython && stream.sol() && stream.peek() === '#') {
        stream.skipToEnd();
        return 'meta';
      }
      const quote = isPython ? stream.match(/^(?:"""|'''|"|')/) : stream.match(/^["']/);
      if (quote !== null && typeof quote === 'object') return begin(stream, state, quote[0], false);
      if (stream.match(/^(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z]*/))
        return 'number';
      const word = stream.match(/^[\p{L}_]\w*/u);
      if (word !== null && typeof word === 'object')
        return WORDS[kind].has(word[0]) ? 'keyword' : null;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: isPython ? '#' : '//' } },
  });
}

/** How a language is read and coloured; what is compiled as C reads as C. */
export function sourceLanguage(language: ProgrammingLanguage): StreamLanguage<State> {
  if (language === ProgrammingLanguage.python) return makeLanguage('python');
  if (language === ProgrammingLanguage.java) return makeLanguage('java');
  return makeLanguage(
    language === ProgrammingLanguage.cpp || language === ProgrammingLanguage.cuda ? 'cpp' : 'c',
  );
}

/** How far a line goes in: Python's blocks are four, the others’ two. */
export const indentOf = (language: ProgrammingLanguage): string =>
  language === ProgrammingLanguage.python || language === ProgrammingLanguage.java ? '    ' : '  ';

export const sourceColours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: tags.meta, color: 'var(--code-title)' },
]);
