/** The grading list: every member by what they handed in and got, and everything that is done in bulk. */
import {
  CorrectionState,
  HomeworkSubmitState,
  SCORE_SORTS,
  type ManagedHomework,
  type ScoreRow,
} from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import '../../course/admin/course-admin.css';
import { dotOf, pointsText, stateText } from '../homework.ts';
import { CommentFilesDialog } from './CommentFilesDialog.tsx';
import {
  MANAGED_HOMEWORK_KEY,
  readScores,
  scoresAddress,
  submissionsAddress,
  useManagedHomeworkChanged,
} from './homework-admin.api.ts';
import { HomeworkFrame } from './HomeworkFrame.tsx';
import { ImportScoresDialog } from './ImportScoresDialog.tsx';

const STATES = Object.values(HomeworkSubmitState);
const CORRECTIONS = Object.values(CorrectionState);
const SHAPE: ListShape = {
  sorts: SCORE_SORTS,
  filters: { state: STATES.map(String), correction: CORRECTIONS.map(String) },
};

export const ScoresPage = (): ReactNode => (
  <HomeworkFrame tab="score">
    {(homework, courseID) => <Scores key={homework.ID} courseID={courseID} homework={homework} />}
  </HomeworkFrame>
);

function Progress({ homework }: { readonly homework: ManagedHomework }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.homeworkAdmin;
  const all = homework.Corrected + homework.Uncorrected;
  return (
    <p className="homework-progress">
      <span className="num">{words.progressOf(homework.Corrected, all)}</span>
      <progress max={Math.max(1, all)} value={homework.Corrected} aria-label={words.progress} />
    </p>
  );
}

function Scores({
  courseID,
  homework,
}: {
  readonly courseID: number;
  readonly homework: ManagedHomework;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const changed = useManagedHomeworkChanged();
  const place = { courseID, homeworkID: homework.ID };
  const list = useList(
    [...MANAGED_HOMEWORK_KEY, 'scores', homework.ID, language],
    SHAPE,
    readScores(courseID, homework.ID),
  );
  const [open, setOpen] = useState<'scores' | 'files' | null>(null);
  const pageOf = (row: ScoreRow): string => paths.admin.score(courseID, homework.ID, row.UserID);
  const columns: [Column<ScoreRow>, ...Column<ScoreRow>[]] = [
    {
      key: 'name',
      title: words.person,
      sort: 'name',
      cell: (row) => (
        <>
          <Link to={pageOf(row)} className="text-link">
            {row.Name}
          </Link>{' '}
          <span className="muted">{row.Username}</span>
          {row.HasLeft ? <span className="tag">{words.hasLeft}</span> : null}
        </>
      ),
      text: (row) => row.Name,
    },
    {
      key: 'student',
      title: words.studentID,
      sort: 'studentID',
      cell: (row) => row.StudentID ?? messages.common.unknown,
      text: (row) => row.StudentID ?? '',
    },
    {
      key: 'state',
      title: messages.homework.state,
      cell: (row) => (
        <span className="row">
          <span className={dotOf(row)} aria-hidden="true" />
          {stateText(row, messages)}
        </span>
      ),
      text: (row) => stateText(row, messages),
    },
    {
      key: 'submitted',
      title: words.submittedAt,
      sort: 'submitted',
      cell: (row) =>
        row.SubmittedAt === null
          ? messages.common.unknown
          : formatMoment(row.SubmittedAt, language),
      text: (row) => (row.SubmittedAt === null ? '' : formatMoment(row.SubmittedAt, language)),
    },
    {
      key: 'files',
      title: words.fileCount,
      isNumber: true,
      isOptional: true,
      cell: (row) => row.Files,
      text: (row) => String(row.Files),
    },
    {
      key: 'score',
      title: words.score,
      sort: 'score',
      isNumber: true,
      cell: (row) => (row.Score === null ? messages.common.unknown : pointsText(row.Score)),
      text: (row) => (row.Score === null ? '' : pointsText(row.Score)),
    },
  ];
  return (
    <>
      <div className="notice-bar">
        <Progress homework={homework} />
        <div className="row row-wrap">
          <Button onClick={() => setOpen('scores')}>{words.importScores}</Button>
          <Button onClick={() => setOpen('files')}>{words.importFiles}</Button>
          {homework.Submitted === 0 ? null : (
            <a className="btn" href={submissionsAddress(place)} download>
              {words.exportFiles}
            </a>
          )}
        </div>
      </div>
      <DataTable
        {...list}
        name="scores"
        label={words.tabs.score}
        to={paths.admin.scores(courseID, homework.ID)}
        columns={columns}
        filters={[
          {
            name: 'state',
            label: messages.homework.state,
            options: STATES.map((state) => ({
              value: String(state),
              label: messages.homework.states[state],
            })),
          },
          {
            name: 'correction',
            label: words.correction,
            options: CORRECTIONS.map((state) => ({
              value: String(state),
              label: messages.homework.corrections[state],
            })),
          },
        ]}
        keyOf={(row) => row.UserID}
        nameOf={(row) => row.Name}
        searchLabel={words.scoreSearch}
        emptyText={words.scoreEmpty}
        onExport={() => {
          const link = document.createElement('a');
          link.href = scoresAddress(place);
          link.download = '';
          link.click();
        }}
        actions={(row) => {
          const waits = row.State !== 0 && row.Score === null;
          return (
            <ButtonLink
              isSmall
              look={waits ? 'plain' : 'quiet'}
              to={pageOf(row)}
              aria-label={waits ? words.gradeNamed(row.Name) : words.openNamed(row.Name)}
            >
              {waits ? words.grade : words.open}
            </ButtonLink>
          );
        }}
      />
      {open === 'scores' ? (
        <ImportScoresDialog place={place} onDone={changed} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'files' ? (
        <CommentFilesDialog place={place} onDone={changed} onClose={() => setOpen(null)} />
      ) : null}
    </>
  );
}
