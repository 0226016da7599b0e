/** Columns and filters of every list of submissions. */
import {
  JUDGE_VERDICTS,
  ProgrammingLanguage,
  type Language,
  type ProblemSubmissionSummary,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { formatBytes, formatMoment } from '../../kernel/format.ts';
import type { Column, Filter } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { formatTime } from './time.ts';
import { VerdictMark } from './VerdictMark.tsx';

/** Runs are no submissions, so their verdict is none to look for. */
const VERDICTS = JUDGE_VERDICTS.filter((verdict) => verdict !== 'finished');

export const SUBMISSION_SHAPE: ListShape = {
  sorts: ['latest'],
  filters: {
    verdict: VERDICTS,
    language: Object.values(ProgrammingLanguage).map(String),
  },
};

export function submissionColumns<Row extends ProblemSubmissionSummary>(
  messages: Catalogue,
  language: Language,
): [Column<Row>, ...Column<Row>[]] {
  const words = messages.problem;
  const figure = (value: number | null, format: (value: number) => string): string =>
    value === null ? messages.common.unknown : format(value);
  return [
    {
      key: 'number',
      title: words.submissions,
      cell: (row) => <span className="num">{words.submissionNumber(row.ID)}</span>,
      text: (row) => String(row.ID),
    },
    {
      key: 'verdict',
      title: words.verdict,
      cell: (row) => (
        <span className="row row-wrap">
          <VerdictMark verdict={row.Verdict} state={row.State} />
          {row.HasOlderTests ? <span className="tag">{words.olderTests}</span> : null}
        </span>
      ),
      text: (row) => (row.Verdict === null ? words.waitingState : words.verdicts[row.Verdict]),
    },
    {
      key: 'passed',
      title: words.test,
      isNumber: true,
      cell: (row) => words.solvedOf(row.Passed, row.Total),
      text: (row) => words.solvedOf(row.Passed, row.Total),
    },
    {
      key: 'language',
      title: words.language,
      cell: (row) => words.languages[row.Language],
      text: (row) => words.languages[row.Language],
    },
    {
      key: 'cpu',
      title: words.cpu,
      isNumber: true,
      cell: (row) => figure(row.CpuMs, formatTime),
      text: (row) => String(row.CpuMs ?? ''),
    },
    {
      key: 'memory',
      title: words.memory,
      isNumber: true,
      cell: (row) => figure(row.MemoryBytes, formatBytes),
      text: (row) => String(row.MemoryBytes ?? ''),
    },
    {
      key: 'time',
      title: words.submittedAt,
      cell: (row) => formatMoment(row.CreatedAt, language),
      text: (row) => row.CreatedAt,
    },
  ];
}

export function submissionFilters(messages: Catalogue): Filter[] {
  const words = messages.problem;
  return [
    {
      name: 'verdict',
      label: words.verdict,
      options: VERDICTS.map((value) => ({
        value,
        label: words.verdicts[value],
      })),
    },
    {
      name: 'language',
      label: words.language,
      options: Object.values(ProgrammingLanguage).map((value) => ({
        value: String(value),
        label: words.languages[value],
      })),
    },
  ];
}
