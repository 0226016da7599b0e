import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { users } from '../user/user.schema.ts';
import { suggestionPictures, suggestionReplies, suggestions } from './suggestion.schema.ts';

export type SuggestionRow = typeof suggestions.$inferSelect & { readonly author: string | null };
export type ReplyRow = typeof suggestionReplies.$inferSelect & { readonly author: string | null };

const columns = { suggestion: suggestions, author: users.nickname };

export interface SuggestionFilter {
  /** Whose own are listed, beside the public ones unless `isOwnOnly`; undefined: everybody's. */
  readonly viewerID?: number | null;
  readonly isOwnOnly?: boolean;
  readonly keyword?: string | undefined;
  readonly status?: number | undefined;
  readonly sort: 'latest' | 'oldest' | 'replies';
  readonly page: number;
  readonly pageSize: number;
}

export async function listRows(
  db: Executor,
  filter: SuggestionFilter,
): Promise<{ rows: SuggestionRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const isOwn = eq(suggestions.userID, filter.viewerID ?? 0);
  const where = and(
    filter.viewerID === undefined
      ? undefined
      : filter.isOwnOnly
        ? isOwn
        : or(eq(suggestions.isPublic, true), isOwn),
    filter.status === undefined ? undefined : eq(suggestions.status, filter.status),
    like === undefined
      ? undefined
      : or(sql`${suggestions.title} ilike ${like}`, sql`${suggestions.content} ilike ${like}`),
  );
  const order = {
    latest: [desc(suggestions.updatedAt), desc(suggestions.id)],
    oldest: [asc(suggestions.createdAt), asc(suggestions.id)],
    replies: [desc(suggestions.replies), desc(suggestions.id)],
  }[filter.sort];
  const rows = await db
    .select(columns)
    .from(suggestions)
    .leftJoin(users, eq(users.id, suggestions.userID))
    .where(where)
    .orderBy(...order)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return {
    rows: rows.map(({ suggestion, author }) => ({ ...suggestion, author })),
    total: await db.$count(suggestions, where),
  };
}

export async function findRows(db: Executor, ids: readonly number[]): Promise<SuggestionRow[]> {
  const rows = await db
    .select(columns)
    .from(suggestions)
    .leftJoin(users, eq(users.id, suggestions.userID))
    .where(inArray(suggestions.id, [...ids]));
  return rows.map(({ suggestion, author }) => ({ ...suggestion, author }));
}

/** Holds a suggestion until the transaction ends. @returns whether it is still there */
export async function lockRow(db: Executor, id: number): Promise<boolean> {
  const rows = await db
    .select({ id: suggestions.id })
    .from(suggestions)
    .where(eq(suggestions.id, id))
    .for('update');
  return rows.length > 0;
}

export async function insertRow(
  db: Executor,
  row: typeof suggestions.$inferInsert,
): Promise<number> {
  const [made] = await db.insert(suggestions).values(row).returning({ id: suggestions.id });
  if (!made) throw new Error('the suggestion was not made');
  return made.id;
}

export async function updateRow(
  db: Executor,
  id: number,
  values: Partial<typeof suggestions.$inferInsert>,
): Promise<void> {
  await db.update(suggestions).set(values).where(eq(suggestions.id, id));
}

export async function deleteRow(db: Executor, id: number): Promise<void> {
  await db.delete(suggestions).where(eq(suggestions.id, id));
}

/** Suggestions that a user made since a moment. */
export const countSince = (db: Executor, userID: number, since: Date): Promise<number> =>
  db.$count(
    suggestions,
    and(eq(suggestions.userID, userID), sql`${suggestions.createdAt} > ${since}`),
  );

export async function listReplyRows(
  db: Executor,
  suggestionID: number,
  page: number,
  pageSize: number,
): Promise<{ rows: ReplyRow[]; total: number }> {
  const where = eq(suggestionReplies.suggestionID, suggestionID);
  const rows = await db
    .select({ reply: suggestionReplies, author: users.nickname })
    .from(suggestionReplies)
    .leftJoin(users, eq(users.id, suggestionReplies.userID))
    .where(where)
    .orderBy(asc(suggestionReplies.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    rows: rows.map(({ reply, author }) => ({ ...reply, author })),
    total: await db.$count(suggestionReplies, where),
  };
}

export async function insertReply(
  db: Executor,
  row: typeof suggestionReplies.$inferInsert,
): Promise<ReplyRow> {
  const [made] = await db.insert(suggestionReplies).values(row).returning();
  if (!made) throw new Error('the reply was not made');
  await db
    .update(suggestions)
    .set({ replies: sql`${suggestions.replies} + 1`, updatedAt: row.createdAt })
    .where(eq(suggestions.id, row.suggestionID));
  const author =
    row.userID == null
      ? null
      : db.select({ nickname: users.nickname }).from(users).where(eq(users.id, row.userID));
  const [found] = author === null ? [] : await author;
  return { ...made, author: found?.nickname ?? null };
}

export async function insertPicture(
  db: Executor,
  row: typeof suggestionPictures.$inferInsert,
): Promise<void> {
  await db.insert(suggestionPictures).values(row);
}

/** Those of the names that are pictures which this user sent. */
export async function findPictures(
  db: Executor,
  userID: number,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db
    .select({ name: suggestionPictures.name })
    .from(suggestionPictures)
    .where(
      and(eq(suggestionPictures.userID, userID), inArray(suggestionPictures.name, [...names])),
    );
  return rows.map(({ name }) => name);
}

/** Whether somebody may see a picture: it is theirs, or in a suggestion that they may see. */
export async function maySeePicture(
  db: Executor,
  name: string,
  viewer: { readonly userID: number | null; readonly isStaff: boolean },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1
      from suggestion_picture p
      left join suggestion s on p.name = any(s.pictures)
     where p.name = ${name}
       and (${viewer.isStaff} or p.user_id = ${viewer.userID} or s.is_public or s.user_id = ${viewer.userID})
     limit 1`);
  return rows.length > 0;
}

/** Forgets pictures that are in no suggestion and older than a moment. @returns their names */
export async function takeLoosePictures(db: Executor, before: Date): Promise<string[]> {
  const { rows } = await db.execute(sql`
    delete from suggestion_picture p
     where p.created_at < ${before}
       and not exists (select 1 from suggestion s where p.name = any(s.pictures))
    returning p.name`);
  return rows.map(({ name }) => String(name));
}

/** Accounts that look after suggestions. */
export async function listStaffIDs(db: Executor): Promise<number[]> {
  const { rows } = await db.execute(
    sql`select distinct r.user_id from user_role r where r.role = 'admin'`,
  );
  return rows.map((row) => Number(row['user_id']));
}
