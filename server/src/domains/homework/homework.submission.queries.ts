/** What learners hand in, and the files of homework, submissions and comments. */
import { HomeworkSubmitState } from '@hypercube/contract';
import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { homeworkFiles, homeworkSubmissions } from './homework.schema.ts';

export type SubmissionRow = typeof homeworkSubmissions.$inferSelect;
export type FileRow = typeof homeworkFiles.$inferSelect;
export type FileKind = 'attachment' | 'submission' | 'comment';

/** Files that are in nothing, of one account; of more, the oldest go. */
const LOOSE_MAX = 20;

export async function findSubmissionOf(
  db: Executor,
  homeworkID: number,
  userID: number,
): Promise<SubmissionRow | undefined> {
  const [row] = await db
    .select()
    .from(homeworkSubmissions)
    .where(
      and(eq(homeworkSubmissions.homeworkID, homeworkID), eq(homeworkSubmissions.userID, userID)),
    );
  return row;
}

export const findSubmissions = (
  db: Executor,
  homeworkID: number,
  ids: readonly number[],
): Promise<SubmissionRow[]> =>
  db
    .select()
    .from(homeworkSubmissions)
    .where(
      and(
        eq(homeworkSubmissions.homeworkID, homeworkID),
        inArray(homeworkSubmissions.id, [...ids]),
      ),
    );

/** Somebody's record of a homework, made if there is none, and theirs alone until the transaction ends. */
export async function lockSubmission(
  tx: Executor,
  homeworkID: number,
  userID: number,
): Promise<SubmissionRow> {
  await tx
    .insert(homeworkSubmissions)
    // 0: the first change of it is its first version.
    .values({ homeworkID, userID, version: 0 })
    .onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(homeworkSubmissions)
    .where(
      and(eq(homeworkSubmissions.homeworkID, homeworkID), eq(homeworkSubmissions.userID, userID)),
    )
    .for('update');
  if (!row) throw new Error(`no record of user ${userID} in homework ${homeworkID}`);
  return row;
}

export type SubmissionValues = Partial<
  Pick<
    SubmissionRow,
    'state' | 'text' | 'submittedAt' | 'scoreTenths' | 'comment' | 'gradedBy' | 'gradedAt'
  >
>;

/** Changes a record that the transaction has locked. */
export async function updateSubmissionRow(
  tx: Executor,
  submissionID: number,
  values: SubmissionValues,
): Promise<SubmissionRow> {
  const [row] = await tx
    .update(homeworkSubmissions)
    .set({ ...values, version: sql`${homeworkSubmissions.version} + 1` })
    .where(eq(homeworkSubmissions.id, submissionID))
    .returning();
  if (!row) throw new Error(`submission ${submissionID} vanished`);
  return row;
}

/** What a record is after its learner took everything back; the history of its points stays. */
export const EMPTY_SUBMISSION = {
  state: HomeworkSubmitState.unsubmitted,
  text: '',
  submittedAt: null,
} as const;

// Files -------------------------------------------------------------------------------------------

/** Whether nothing names a file yet. */
const isLoose = sql`(case when f.kind = 'attachment' then f.homework_id is null else f.submission_id is null end)`;

export const findFiles = (db: Executor, ids: readonly number[]): Promise<FileRow[]> =>
  db
    .select()
    .from(homeworkFiles)
    .where(inArray(homeworkFiles.id, [...ids]));

export const listAttachmentRows = (db: Executor, homeworkID: number): Promise<FileRow[]> =>
  db
    .select()
    .from(homeworkFiles)
    .where(and(eq(homeworkFiles.homeworkID, homeworkID), eq(homeworkFiles.kind, 'attachment')))
    .orderBy(asc(homeworkFiles.sequence), asc(homeworkFiles.id));

/** Files of a submission and of the comment on it. */
export const listFileRows = (db: Executor, submissionID: number): Promise<FileRow[]> =>
  db
    .select()
    .from(homeworkFiles)
    .where(eq(homeworkFiles.submissionID, submissionID))
    .orderBy(asc(homeworkFiles.sequence), asc(homeworkFiles.id));

/**
 * Adds a file that nothing names yet. Of those that its sender left lying about before, the oldest
 * go: nobody fills the disk with what is never handed in.
 */
export async function insertFile(
  tx: Executor,
  row: typeof homeworkFiles.$inferInsert & { readonly userID: number },
): Promise<FileRow> {
  const [made] = await tx.insert(homeworkFiles).values(row).returning();
  if (!made) throw new Error('the file was not added');
  await tx.execute(sql`
    delete from homework_file where id in (
      select f.id from homework_file f
       where f.user_id = ${row.userID} and ${isLoose}
       order by f.created_at desc, f.id desc offset ${LOOSE_MAX})`);
  return made;
}

/** These files are the attachments now, in this order; others are none any more. */
export async function writeAttachments(
  tx: Executor,
  homeworkID: number,
  fileIDs: readonly number[],
): Promise<void> {
  await tx
    .delete(homeworkFiles)
    .where(
      and(
        eq(homeworkFiles.homeworkID, homeworkID),
        eq(homeworkFiles.kind, 'attachment'),
        fileIDs.length === 0 ? undefined : notInArray(homeworkFiles.id, [...fileIDs]),
      ),
    );
  for (const [sequence, fileID] of fileIDs.entries())
    await tx
      .update(homeworkFiles)
      .set({ homeworkID, sequence })
      .where(eq(homeworkFiles.id, fileID));
}

/** These files are those of one kind in a submission now; others are not in it any more. */
export async function writeFiles(
  tx: Executor,
  submissionID: number,
  kind: 'submission' | 'comment',
  fileIDs: readonly number[],
): Promise<void> {
  await tx
    .delete(homeworkFiles)
    .where(
      and(
        eq(homeworkFiles.submissionID, submissionID),
        eq(homeworkFiles.kind, kind),
        fileIDs.length === 0 ? undefined : notInArray(homeworkFiles.id, [...fileIDs]),
      ),
    );
  for (const [sequence, fileID] of fileIDs.entries())
    await tx
      .update(homeworkFiles)
      .set({ submissionID, sequence })
      .where(eq(homeworkFiles.id, fileID));
}

/** Forgets files that nothing has named since a moment. */
export async function deleteLooseFiles(db: Executor, before: Date): Promise<void> {
  await db.execute(
    sql`delete from homework_file where id in (select f.id from homework_file f where f.created_at < ${before} and ${isLoose})`,
  );
}

/** Which of these names in the folder belong to a file that is known. */
export async function findStored(db: Executor, stored: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ stored: string }>(
    sql`select f.stored from homework_file f where f.stored = any(${sql.param(stored)}::text[])`,
  );
  return new Set(rows.map((row) => row.stored));
}

/** Who has a comment's file. */
export async function listCommented(db: Executor, homeworkID: number): Promise<Set<number>> {
  const { rows } = await db.execute<{ user_id: number }>(sql`
    select s.user_id from homework_submission s join homework_file f on f.submission_id = s.id
     where s.homework_id = ${homeworkID} and f.kind = 'comment'`);
  return new Set(rows.map((row) => row.user_id));
}

/** Something that was handed in, for the export. */
export interface ExportedRow {
  readonly userID: number;
  readonly username: string;
  readonly name: string;
  readonly studentID: string | null;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly stored: string }[];
}

export async function listExportedRows(db: Executor, homeworkID: number): Promise<ExportedRow[]> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select u.id, u.username, coalesce(nullif(u.real_name, ''), u.nickname) as name, u.student_id, s.text,
           coalesce((select json_agg(json_build_object('name', f.name, 'stored', f.stored) order by f.sequence, f.id)
                       from homework_file f where f.submission_id = s.id and f.kind = 'submission'), '[]') as files
      from homework_submission s join user_account u on u.id = s.user_id
     where s.homework_id = ${homeworkID} and s.state > 0
     order by u.student_id nulls last, u.id`);
  return rows.map((row) => ({
    userID: Number(row['id']),
    username: String(row['username']),
    name: String(row['name']),
    studentID: row['student_id'] as string | null,
    text: String(row['text']),
    files: row['files'] as ExportedRow['files'],
  }));
}
