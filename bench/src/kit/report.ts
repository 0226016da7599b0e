/** What a bench hands back, and how all of it is shown: one table with the machine's facts. */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** One line of the table. */
export interface Row {
  readonly bench: string;
  readonly what: string;
  readonly measured: string;
  /** The rival or limit, measured in the same run where it can be. */
  readonly against: string;
  readonly target: string;
  /** Null where there is nothing to meet: the line is there to be read. */
  readonly isMet: boolean | null;
}

/** Raw figures behind the rows, for `--json`. */
export type Figures = Readonly<Record<string, unknown>>;

export interface Result {
  readonly rows: readonly Row[];
  readonly figures: Figures;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

/** What the figures were measured on. */
export async function describeMachine(): Promise<Machine> {
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(osRelease)?.[1] ?? process.platform;
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${name}, kernel ${release()}`,
    node: process.version,
  };
}

/** Columns that a text takes in a terminal; Chinese characters take two. */
const width = (text: string): number => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);

const HEADINGS = ['bench', 'what', 'measured', 'against', 'target', 'met'] as const;

/** The table, in Markdown so that it can be pasted where it is discussed. */
export function formatTable(rows: readonly Row[], machine: Machine): string {
  const lines = rows.map((row) => [
    row.bench,
    row.what,
    row.measured,
    row.against,
    row.target,
    row.isMet === null ? '–' : row.isMet ? 'yes' : 'NO',
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(width(heading), ...lines.map((line) => width(line[column] ?? ''))),
  );
  const format = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell))).join(' | ')} |`;
  return [
    format(HEADINGS),
    `|${widths.map((columns) => '-'.repeat(columns + 2)).join('|')}|`,
    ...lines.map(format),
    '',
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB; ${machine.system}; Node ${machine.node}`,
  ].join('\n');
}

/** A number with as many digits as say something. */
export function round(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** A line on standard error about how far it is; the table alone goes to standard output. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
