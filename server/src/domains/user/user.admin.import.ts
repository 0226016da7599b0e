/** A class list: which columns of a sheet mean what, and what is wrong with its rows. */
import {
  LANGUAGES,
  TEXT_LIMITS,
  UserType,
  problemsOfRow,
  type ImportProblem,
  type ImportRow,
} from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';

type Field = Exclude<keyof ImportRow, 'Row'>;
const FIELDS = [
  'Username',
  'Email',
  'Nickname',
  'RealName',
  'StudentID',
  'Organisation',
  'Type',
] as const satisfies readonly Field[];

/** Without spaces, signs for what must be filled in, and case. */
const folded = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\s*]/g, '').toLowerCase();

/** The words of a class list in every language: whoever made it need not have had this page before them. */
async function loadWords() {
  const catalogues = await Promise.all(LANGUAGES.map((language) => loadCatalogue(language)));
  const headings = new Map<string, Field>();
  const identities = new Map<string, ImportRow['Type']>();
  for (const { userAdmin } of catalogues) {
    for (const field of FIELDS)
      for (const word of userAdmin.headings[field].split(',')) headings.set(folded(word), field);
    for (const type of [UserType.graduate, UserType.undergraduate] as const)
      for (const word of userAdmin.identities[type].split(',')) identities.set(folded(word), type);
  }
  return { headings, identities };
}

/**
 * The rows of a sheet whose first row is the heading; empty rows are left out.
 * @returns undefined when the heading has no username or no e-mail address
 */
export async function rowsOfSheet(
  sheet: readonly (readonly string[])[],
): Promise<ImportRow[] | undefined> {
  const { headings, identities } = await loadWords();
  const [heading = [], ...lines] = sheet;
  const places = new Map<Field, number>();
  for (const [place, text] of heading.entries()) {
    const field = headings.get(folded(text));
    if (field !== undefined && !places.has(field)) places.set(field, place);
  }
  if (!places.has('Username') || !places.has('Email')) return undefined;
  return lines.flatMap((line, index) => {
    if (line.every((cell) => cell === '')) return [];
    const cell = (field: Field): string =>
      (line[places.get(field) ?? -1] ?? '').slice(0, TEXT_LIMITS.sheetCell);
    const identity = folded(cell('Type'));
    return [
      {
        Row: index + 2,
        Username: cell('Username'),
        Email: cell('Email'),
        Nickname: cell('Nickname'),
        RealName: cell('RealName'),
        StudentID: cell('StudentID'),
        Organisation: cell('Organisation'),
        Type: identity === '' ? UserType.undergraduate : (identities.get(identity) ?? null),
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
