/** A class list: which columns of a sheet mean what, and what is wrong with its rows. */
import {
  TEXT_LIMITS,
  UserType,
  problemsOfRow,
  type ImportProblem,
  type ImportRow,
} from '@hypercube/contract';

type Field = Exclude<keyof ImportRow, 'Row'>;

/** Headings by which a column is known, in both languages, without spaces and in lower case. */
const HEADINGS: Readonly<Record<Field, readonly string[]>> = {
  Username: ['用户名', '账号', 'username', 'account'],
  Email: ['邮箱', '电子邮箱', '邮件', 'email', 'e-mail', 'mail'],
  Nickname: ['昵称', 'nickname'],
  RealName: ['姓名', '真实姓名', 'name', 'realname', 'fullname'],
  StudentID: ['学号', 'studentid', 'studentnumber', 'id'],
  Organisation: ['单位', '学校', '院校', 'organisation', 'organization', 'school', 'university'],
  Type: ['身份', '类型', 'type', 'identity'],
};

const GRADUATE = new Set(['研究生', '硕士', '博士', '硕士生', '博士生', 'graduate', 'postgraduate']);
const UNDERGRADUATE = new Set(['', '本科生', '本科', '学生', 'undergraduate', 'student']);

const folded = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\s*＊]/g, '').toLowerCase();

function typeOf(text: string): ImportRow['Type'] {
  const word = folded(text);
  if (GRADUATE.has(word)) return UserType.graduate;
  return UNDERGRADUATE.has(word) ? UserType.undergraduate : null;
}

/**
 * The rows of a sheet whose first row is the heading; empty rows are left out.
 * @returns undefined when the heading has no username or no e-mail address
 */
export function rowsOfSheet(sheet: readonly (readonly string[])[]): ImportRow[] | undefined {
  const [heading = [], ...lines] = sheet;
  const places = new Map<Field, number>();
  for (const [place, text] of heading.entries()) {
    const field = (Object.keys(HEADINGS) as Field[]).find((name) =>
      HEADINGS[name].includes(folded(text)),
    );
    if (field && !places.has(field)) places.set(field, place);
  }
  if (!places.has('Username') || !places.has('Email')) return undefined;
  return lines.flatMap((line, index) => {
    if (line.every((cell) => cell === '')) return [];
    const cell = (field: Field): string =>
      (line[places.get(field) ?? -1] ?? '').slice(0, TEXT_LIMITS.sheetCell);
    return [
      {
        Row: index + 2,
        Username: cell('Username'),
        Email: cell('Email'),
        Nickname: cell('Nickname'),
        RealName: cell('RealName'),
        StudentID: cell('StudentID'),
        Organisation: cell('Organisation'),
        Type: typeOf(cell('Type')),
      },
    ];
  });
}

/** What is wrong with each row: by itself, beside the others, and beside the accounts. */
export function problemsOf(
  rows: readonly ImportRow[],
  taken: { readonly usernames: ReadonlySet<string>; readonly emails: ReadonlySet<string> },
): ImportProblem[][] {
  const seen = { Username: new Set<string>(), Email: new Set<string>() };
  const known = { Username: taken.usernames, Email: taken.emails };
  return rows.map((row) => {
    const problems = problemsOfRow(row);
    for (const field of ['Username', 'Email'] as const) {
      const value = row[field].toLowerCase();
      if (value === '' || problems.some(({ Field: bad }) => bad === field)) continue;
      if (seen[field].has(value)) problems.push({ Field: field, Rule: 'repeated' });
      else if (known[field].has(value)) problems.push({ Field: field, Rule: 'taken' });
      seen[field].add(value);
    }
    return problems;
  });
}
