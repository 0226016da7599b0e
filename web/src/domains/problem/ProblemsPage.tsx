/** The list of programming problems: its filters live in the address. */
import {
  Difficulty,
  PROBLEM_STATES,
  ProgrammingLanguage,
  type ProblemSummary,
} from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatDay } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { CheckIcon, MoreIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { domainsQuery } from '../catalogue/catalogue.api.ts';
import { DifficultyMark } from './DifficultyMark.tsx';
import { PROBLEM_KEY } from './keys.ts';
import { readProblems } from './problem.api.ts';
import { rateOf } from './rate.ts';
import './problem.css';

const STATES = [...PROBLEM_STATES, 'untried'] as const;
const LANGUAGES = Object.values(ProgrammingLanguage);
const SHAPE: ListShape = {
  sorts: ['comprehensive', 'latest', 'hottest'],
  filters: {
    state: STATES,
    difficulty: Object.values(Difficulty).map(String),
    language: LANGUAGES.map(String),
    // Known once the tags are; the server takes any number.
    tags: [],
  },
};

/** The filters of the address as the call takes them: a tag that is no number is none. */
const readListed: typeof readProblems = ({ tags, ...query }, signal) =>
  readProblems(
    tags !== undefined && /^[1-9]\d{0,8}$/.test(tags) ? { ...query, tags } : query,
    signal,
  );

export function ProblemsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problem;
  const { session } = useLogin();
  const list = useList([...PROBLEM_KEY, 'list', language, session?.ID ?? 0], SHAPE, readListed);
  const domains = useQuery(domainsQuery(language));
  const tags = (domains.data ?? []).flatMap(({ Tags }) => Tags);
  const stateText = ({ MyState }: ProblemSummary): string => words.states[MyState ?? 'untried'];
  const languagesText = ({ Languages }: ProblemSummary): string =>
    Languages.map((one) => words.languages[one]).join(messages.common.listSeparator);
  const rateText = (row: ProblemSummary): string => {
    const rate = rateOf(row);
    return rate === null ? messages.common.unknown : words.rateOf(rate);
  };
  const columns: [Column<ProblemSummary>, ...Column<ProblemSummary>[]] = [
    {
      key: 'title',
      title: words.name,
      cell: (row) => (
        <Link to={paths.problem(row.ID)} className="text-link">
          {row.Title}
        </Link>
      ),
      text: (row) => row.Title,
    },
    {
      key: 'state',
      title: words.state,
      cell: (row) => (
        <span className={`problem-state problem-${row.MyState ?? 'untried'}`}>
          {row.MyState === 'solved' ? <CheckIcon /> : row.MyState === 'tried' ? <MoreIcon /> : null}
          {stateText(row)}
        </span>
      ),
      text: stateText,
    },
    {
      key: 'difficulty',
      title: words.difficulty,
      cell: (row) => <DifficultyMark difficulty={row.Difficulty} />,
      text: (row) => words.difficulties[row.Difficulty],
    },
    { key: 'languages', title: words.language, cell: languagesText, text: languagesText },
    {
      key: 'tags',
      title: words.tags,
      cell: (row) => (
        <span className="row row-wrap problem-tags">
          {row.Tags.map((tag) => (
            <span key={tag.ID} className="tag">
              {tag.Title}
            </span>
          ))}
        </span>
      ),
      text: (row) => row.Tags.map(({ Title }) => Title).join(messages.common.listSeparator),
    },
    { key: 'rate', title: words.rate, isNumber: true, cell: rateText, text: rateText },
    {
      key: 'tried',
      title: words.triers,
      isNumber: true,
      sort: 'hottest',
      cell: (row) => formatCount(row.Tried),
      text: (row) => String(row.Tried),
    },
    {
      key: 'updated',
      title: words.updated,
      sort: 'latest',
      isOptional: true,
      cell: (row) => formatDay(row.UpdatedAt, language),
      text: (row) => row.UpdatedAt,
    },
  ];
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.listTitle}>{words.listTitle}</PageTitle>
          <p className="muted">{words.listLead}</p>
        </div>
      </div>
      <DataTable
        {...list}
        name="problems"
        label={words.listTitle}
        to={paths.problems}
        columns={columns}
        filters={[
          ...(session == null
            ? []
            : [
                {
                  name: 'state',
                  label: words.state,
                  options: STATES.map((value) => ({ value, label: words.states[value] })),
                },
              ]),
          {
            name: 'difficulty',
            label: words.difficulty,
            options: Object.values(Difficulty).map((value) => ({
              value: String(value),
              label: words.difficulties[value],
            })),
          },
          {
            name: 'language',
            label: words.language,
            options: LANGUAGES.map((value) => ({
              value: String(value),
              label: words.languages[value],
            })),
          },
          ...(tags.length === 0
            ? []
            : [
                {
                  name: 'tags',
                  label: words.tags,
                  options: tags.map(({ ID, Title }) => ({ value: String(ID), label: Title })),
                },
              ]),
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.search}
        emptyText={words.empty}
      />
    </div>
  );
}
