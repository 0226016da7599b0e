import {
  API_BASE,
  CorrectionState,
  HomeworkSubmitState,
  type CommentFileImport,
  type DueHomework,
  type HomeworkDependents,
  type HomeworkDetail,
  type HomeworkFile,
  type HomeworkSummary,
  type Language,
  type ManagedHomework,
  type ManagedHomeworkRow as ManagedRowOnWire,
  type ScoreDetail,
  type ScoreImport,
  type ScoreRow,
  type Submission,
  type WaitingHomework,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type {
  DueHomeworkRow,
  HomeworkCounts,
  HomeworkDependentCounts,
  HomeworkListRow,
  HomeworkRow,
  ManagedHomeworkRow,
  WaitingHomeworkRow,
} from './homework.queries.ts';
import type { GradedPersonRow, ScoreChangeRow } from './homework.score.queries.ts';
import type { CommentFileReading } from './homework.score.service.ts';
import type { SheetReading } from './homework.sheet.ts';
import type { FileRow, SubmissionRow } from './homework.submission.queries.ts';

const points = (tenths: number): number => tenths / 10;
const pointsOrNull = (tenths: number | null): number | null =>
  tenths === null ? null : points(tenths);

const correctionOf = (scoreTenths: number | null): HomeworkSummary['Correction'] =>
  scoreTenths === null ? CorrectionState.uncorrected : CorrectionState.corrected;

const homeworkPath = ({ courseID, id }: Pick<HomeworkRow, 'courseID' | 'id'>): string =>
  `${API_BASE}/course/${courseID}/homework/${id}`;

/** @param path null for a file that nothing names yet */
export const presentFile = (row: FileRow, path: string | null): HomeworkFile => ({
  ID: row.id,
  Name: row.name,
  SizeBytes: row.sizeBytes,
  Path: path,
});

const presentAttachment = (row: FileRow, homework: HomeworkRow): HomeworkFile =>
  presentFile(row, `${homeworkPath(homework)}/file/${row.id}`);

const presentSubmissionFile = (
  row: FileRow,
  homework: HomeworkRow,
  submissionID: number,
): HomeworkFile =>
  presentFile(row, `${homeworkPath(homework)}/submission/${submissionID}/file/${row.id}`);

export const presentHomework = (row: HomeworkListRow, language: Language): HomeworkSummary => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Type: row.type as HomeworkSummary['Type'],
  DueAt: row.dueAt.toISOString(),
  MaxScore: points(row.maxTenths),
  State: (row.state ?? HomeworkSubmitState.unsubmitted) as HomeworkSummary['State'],
  Correction: correctionOf(row.scoreTenths),
  Score: pointsOrNull(row.scoreTenths),
});

export const presentDue = (row: DueHomeworkRow, language: Language): DueHomework => ({
  ...presentHomework(row, language),
  CourseID: row.courseID,
  Course: inLanguage(language, row.courseZh, row.courseEn),
});

/** @param files of the submission and of its comment, which is its learner's once the points are */
export function presentSubmission(
  row: SubmissionRow,
  files: readonly FileRow[],
  homework: HomeworkRow,
): Submission {
  const ofKind = (kind: string): HomeworkFile[] =>
    files
      .filter((file) => file.kind === kind)
      .map((file) => presentSubmissionFile(file, homework, row.id));
  return {
    ID: row.id,
    State: row.state as Submission['State'],
    Correction: correctionOf(row.scoreTenths),
    Text: row.text,
    Files: ofKind('submission'),
    SubmittedAt: row.submittedAt?.toISOString() ?? null,
    Result:
      row.scoreTenths === null || row.gradedAt === null
        ? null
        : {
            Score: points(row.scoreTenths),
            Comment: row.comment,
            CommentFile: ofKind('comment')[0] ?? null,
            GradedAt: row.gradedAt.toISOString(),
          },
    Version: row.version,
  };
}

export const presentHomeworkDetail = (
  row: HomeworkRow,
  attachments: readonly FileRow[],
  own: SubmissionRow | undefined,
  files: readonly FileRow[],
  language: Language,
): HomeworkDetail => ({
  ...presentHomework(
    { ...row, state: own?.state ?? null, scoreTenths: own?.scoreTenths ?? null },
    language,
  ),
  Content: inLanguage(language, row.contentZh, row.contentEn),
  Attachments: attachments.map((file) => presentAttachment(file, row)),
  Submission: own ? presentSubmission(own, files, row) : null,
});

export const presentManagedRow = (
  row: ManagedHomeworkRow,
  language: Language,
): ManagedRowOnWire => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  Type: row.type as ManagedRowOnWire['Type'],
  OpenAt: row.openAt?.toISOString() ?? null,
  DueAt: row.dueAt.toISOString(),
  MaxScore: points(row.maxTenths),
  IsPublished: row.isPublished,
  Members: row.members,
  Submitted: row.submitted,
  Uncorrected: row.uncorrected,
  Corrected: row.corrected,
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

export const presentManaged = (
  row: HomeworkRow & HomeworkCounts,
  attachments: readonly FileRow[],
  language: Language,
): ManagedHomework => ({
  ...presentManagedRow(row, language),
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
  Attachments: attachments.map((file) => presentAttachment(file, row)),
});

export const presentDependents = (row: HomeworkDependentCounts): HomeworkDependents => ({
  Submissions: row.submissions,
  Scores: row.scores,
  Files: row.files,
});

export const presentWaiting = (row: WaitingHomeworkRow, language: Language): WaitingHomework => ({
  ID: row.id,
  CourseID: row.courseID,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Course: inLanguage(language, row.courseZh, row.courseEn),
  DueAt: row.dueAt.toISOString(),
  Uncorrected: row.uncorrected,
});

export const presentScore = (row: GradedPersonRow): ScoreRow => ({
  UserID: row.id,
  Username: row.username,
  Name: row.name,
  StudentID: row.studentID,
  HasLeft: row.hasLeft,
  State: row.state,
  Correction: correctionOf(row.scoreTenths),
  SubmittedAt: row.submittedAt?.toISOString() ?? null,
  Files: row.files,
  Score: pointsOrNull(row.scoreTenths),
  Comment: row.comment,
});

const presentChange = ({ change, by }: ScoreChangeRow): ScoreDetail['History'][number] => ({
  At: change.at.toISOString(),
  By: by,
  ScoreBefore: pointsOrNull(change.scoreBefore),
  ScoreAfter: pointsOrNull(change.scoreAfter),
  CommentBefore: change.commentBefore,
  CommentAfter: change.commentAfter,
});

export const presentScoreDetail = (
  row: GradedPersonRow,
  {
    homework,
    submission,
    files,
    history,
    neighbours,
  }: {
    readonly homework: HomeworkRow;
    readonly submission: SubmissionRow | undefined;
    readonly files: readonly FileRow[];
    readonly history: readonly ScoreChangeRow[];
    readonly neighbours: { readonly previous: number | null; readonly next: number | null };
  },
): ScoreDetail => {
  const ofKind = (kind: string): HomeworkFile[] =>
    submission === undefined
      ? []
      : files
          .filter((file) => file.kind === kind)
          .map((file) => presentSubmissionFile(file, homework, submission.id));
  return {
    ...presentScore(row),
    SubmissionID: row.submissionID,
    Text: submission?.text ?? '',
    FileList: ofKind('submission'),
    CommentFile: ofKind('comment')[0] ?? null,
    GradedAt: row.gradedAt?.toISOString() ?? null,
    History: history.map(presentChange),
    PreviousUncorrected: neighbours.previous,
    NextUncorrected: neighbours.next,
    Version: row.version,
  };
};

export const presentScoreImport = (reading: SheetReading): ScoreImport => ({
  Changes: reading.changes.map(({ row, person, scoreTenths, comment }) => ({
    Row: row.row,
    StudentID: person.studentID ?? '',
    Name: person.name,
    Before: { Score: pointsOrNull(person.scoreTenths), Comment: person.comment },
    After: { Score: points(scoreTenths), Comment: comment },
  })),
  Problems: reading.problems.map(({ row, problem }) => ({
    Row: row.row,
    StudentID: row.studentID,
    Name: row.name,
    Problem: problem,
  })),
  Unchanged: reading.unchanged,
  Token: reading.token,
});

export const presentCommentFiles = (reading: CommentFileReading): CommentFileImport => ({
  Matched: reading.matched.map(({ file, person, isReplaced }) => ({
    File: file,
    UserID: person.id,
    StudentID: person.studentID ?? '',
    Name: person.name,
    IsReplaced: isReplaced,
  })),
  Unmatched: reading.unmatched.map(({ file, problem }) => ({ File: file, Problem: problem })),
});
