/**
 * Grade sheets and files named for people: whom a number and a name mean, and what a row changes.
 * What a sheet was written with is read back as just that, so that an untouched one changes nothing.
 */
import { createHash } from 'node:crypto';
import {
  LANGUAGES,
  TEXT_LIMITS,
  type CommentFileProblem,
  type ScoreProblem,
} from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';
import { neutral } from '../../platform/sheet/write.ts';
import type { GradedPersonRow } from './homework.score.queries.ts';

type Named = Pick<GradedPersonRow, 'id' | 'username' | 'name' | 'studentID'>;

const FIELDS = ['StudentID', 'Name', 'Score', 'Comment'] as const;
type Field = (typeof FIELDS)[number];

/** A row of a grade sheet as it stands there. */
export interface SheetRow {
  /** Its number in the sheet, from 1, the heading included. */
  readonly row: number;
  readonly studentID: string;
  readonly name: string;
  readonly score: string;
  readonly comment: string;
}

/** Without spaces and case, and wide letters as narrow ones. */
const folded = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();

/** Points as people write them: no decimals where there are none. */
export const pointsOf = (tenths: number): string => String(tenths / 10);

/** A text as it comes back from a cell. */
const inCell = (text: string): string =>
  neutral(text)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    // oxlint-disable-next-line no-control-regex -- what a sheet cannot hold
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .trim();

/** What somebody typed into a cell, without the sign that keeps it from being a formula. */
const outOfCell = (cell: string): string =>
  cell.startsWith("'") && neutral(cell.slice(1)) === cell ? cell.slice(1) : cell;

/** Whom a number and a name mean in a course. */
export class People {
  readonly #byBoth = new Map<string, Named[]>();
  readonly #byNumber = new Map<string, Named[]>();
  readonly #sheetNames = new Map<number, string>();

  /** @param numberOf what stands for the student number; people without one may have something else */
  constructor(people: readonly Named[], numberOf: (person: Named) => string) {
    const groups = Map.groupBy(people, (person) => this.#key(numberOf(person), person.name));
    for (const [key, group] of groups) {
      this.#byBoth.set(key, group);
      for (const person of group) {
        // Two of one number and one name are told apart by what nobody has twice.
        const name = group.length > 1 ? `${person.name} (${person.username})` : person.name;
        this.#sheetNames.set(person.id, name);
        if (group.length > 1) this.#byBoth.set(this.#key(numberOf(person), name), [person]);
      }
    }
    for (const person of people) {
      const number = folded(numberOf(person));
      if (number !== '')
        this.#byNumber.set(number, [...(this.#byNumber.get(number) ?? []), person]);
    }
  }

  #key(number: string, name: string): string {
    return `${folded(number)}\n${folded(name)}`;
  }

  /** The name by which a sheet knows somebody. */
  sheetName(person: Named): string {
    return this.#sheetNames.get(person.id) ?? person.name;
  }

  /** Who is meant, or why nobody is. */
  find(number: string, name: string): Named | Extract<ScoreProblem, CommentFileProblem> {
    const both = this.#byBoth.get(this.#key(number, name)) ?? [];
    const [first] = both;
    if (first && both.length === 1) return first;
    if (both.length > 1) return 'ambiguous';
    const [ofNumber, ...more] = this.#byNumber.get(folded(number)) ?? [];
    if (ofNumber === undefined) return 'unknown';
    if (name !== '') return 'name_differs';
    return more.length > 0 ? 'ambiguous' : ofNumber;
  }

  /**
   * For whom a file is, by its name: the number and the name joined by `_`, `-` or a space, any of
   * which may be part of either.
   */
  findByFile(file: string): Named | Extract<ScoreProblem, CommentFileProblem> {
    const stem = file.replace(/\.[^.]*$/, '');
    const found = new Map<number, Named>();
    const problems = new Set<Extract<ScoreProblem, CommentFileProblem>>();
    for (const { index } of stem.matchAll(/[_\- ]/g)) {
      const [number, name] = [stem.slice(0, index).trim(), stem.slice(index + 1).trim()];
      if (number === '' || name === '') continue;
      const outcome = this.find(number, name);
      if (typeof outcome === 'string') problems.add(outcome);
      else found.set(outcome.id, outcome);
    }
    const [only] = found.values();
    if (only && found.size === 1) return only;
    if (found.size > 1) return 'ambiguous';
    for (const problem of ['ambiguous', 'name_differs'] as const)
      if (problems.has(problem)) return problem;
    return 'unknown';
  }
}

/** A sheet knows people by their student number, which not everybody has told. */
export const peopleOfSheet = (people: readonly Named[]): People =>
  new People(people, ({ studentID }) => studentID ?? '');
/** A folder or a file needs something before the name, so the username stands in. */
export const numberOrUsername = ({ studentID, username }: Named): string => studentID ?? username;
export const peopleOfFiles = (people: readonly Named[]): People =>
  new People(people, numberOrUsername);

/** The cells of somebody in a grade sheet. */
export const cellsOf = (people: People, person: GradedPersonRow): string[] => [
  person.studentID ?? '',
  people.sheetName(person),
  person.scoreTenths === null ? '' : pointsOf(person.scoreTenths),
  person.comment,
];

/**
 * The rows of a sheet whose first row is the heading, in any language; empty rows are left out.
 * @returns undefined when the heading lacks a column
 */
export async function rowsOfSheet(
  sheet: readonly (readonly string[])[],
): Promise<SheetRow[] | undefined> {
  const headings = new Map<string, Field>();
  for (const language of LANGUAGES) {
    const { homeworkTold } = await loadCatalogue(language);
    for (const field of FIELDS)
      for (const word of homeworkTold.headings[field].split(',')) headings.set(folded(word), field);
  }
  const [heading = [], ...lines] = sheet;
  const places = new Map<Field, number>();
  for (const [place, text] of heading.entries()) {
    const field = headings.get(folded(text));
    if (field !== undefined && !places.has(field)) places.set(field, place);
  }
  if (places.size < FIELDS.length) return undefined;
  return lines.flatMap((line, index) => {
    if (line.every((cell) => cell === '')) return [];
    const cell = (field: Field): string => line[places.get(field) ?? -1] ?? '';
    return [
      {
        row: index + 2,
        studentID: outOfCell(cell('StudentID')),
        name: outOfCell(cell('Name')),
        score: cell('Score'),
        comment: cell('Comment'),
      },
    ];
  });
}

/** @returns tenths; null for no number from 0 to the maximum with at most one decimal */
export function tenthsOf(text: string, maxTenths: number): number | null {
  if (!/^\d{1,4}(?:\.\d0*)?$/.test(text.normalize('NFKC'))) return null;
  const tenths = Math.round(Number(text.normalize('NFKC')) * 10);
  return tenths <= maxTenths ? tenths : null;
}

/** What a sheet would change of somebody. */
export interface SheetChange {
  readonly row: SheetRow;
  readonly person: GradedPersonRow;
  readonly scoreTenths: number;
  readonly comment: string;
}

export interface SheetReading {
  readonly changes: readonly SheetChange[];
  readonly problems: readonly { readonly row: SheetRow; readonly problem: ScoreProblem }[];
  readonly unchanged: number;
  /** Differs whenever what would be written does. */
  readonly token: string;
}

type RowOutcome = { scoreTenths: number; comment: string } | ScoreProblem | undefined;

/** What a row changes of a person; undefined: nothing. */
function readRow(row: SheetRow, person: GradedPersonRow, maxTenths: number): RowOutcome {
  const isSameComment = row.comment.replaceAll('\r\n', '\n') === inCell(person.comment);
  const comment = isSameComment ? person.comment : outOfCell(row.comment);
  if (Array.from(comment).length > TEXT_LIMITS.homeworkComment) return 'comment_too_long';
  if (row.score === '')
    return person.scoreTenths === null && isSameComment ? undefined : 'score_missing';
  const scoreTenths = tenthsOf(row.score, maxTenths);
  if (scoreTenths === null) return 'score_invalid';
  return scoreTenths === person.scoreTenths && isSameComment ? undefined : { scoreTenths, comment };
}

/** What the rows of a sheet change of the people of a homework, and which of them cannot be. */
export function readScores(
  rows: readonly SheetRow[],
  people: readonly GradedPersonRow[],
  maxTenths: number,
): SheetReading {
  const known = new Map(people.map((person) => [person.id, person]));
  const names = peopleOfSheet(people);
  const seen = new Set<number>();
  const changes: SheetChange[] = [];
  const problems: { row: SheetRow; problem: ScoreProblem }[] = [];
  let unchanged = 0;
  for (const row of rows) {
    const found = names.find(row.studentID, row.name);
    const person = typeof found === 'string' ? undefined : known.get(found.id);
    if (person === undefined || typeof found === 'string') {
      problems.push({ row, problem: typeof found === 'string' ? found : 'unknown' });
      continue;
    }
    if (seen.has(person.id)) {
      problems.push({ row, problem: 'repeated' });
      continue;
    }
    seen.add(person.id);
    const outcome = readRow(row, person, maxTenths);
    if (outcome === undefined) unchanged += 1;
    else if (typeof outcome === 'string') problems.push({ row, problem: outcome });
    else changes.push({ row, person, ...outcome });
  }
  const token = createHash('sha256')
    .update(
      JSON.stringify([
        maxTenths,
        changes.map(({ person, scoreTenths, comment }) => [
          person.id,
          person.version,
          scoreTenths,
          comment,
        ]),
      ]),
    )
    .digest('hex');
  return { changes, problems, unchanged, token };
}
