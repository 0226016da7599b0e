import type { MailState, MailTemplate } from '@hypercube/contract';
import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { mails } from './mail.schema.ts';

export type MailRow = typeof mails.$inferSelect;

export async function insertMail(tx: Executor, row: typeof mails.$inferInsert): Promise<void> {
  await tx.insert(mails).values(row);
}

export async function findMails(db: Executor, ids: readonly number[]): Promise<MailRow[]> {
  return ids.length === 0
    ? []
    : db
        .select()
        .from(mails)
        .where(inArray(mails.id, [...ids]));
}

export interface MailFilter {
  readonly keyword: string | undefined;
  readonly state: MailState | undefined;
  readonly template: MailTemplate | undefined;
  readonly sort: 'latest' | 'oldest';
  readonly page: number;
  readonly pageSize: number;
}

/** What a list shows: not the texts, which carry codes and links. */
const listed = {
  id: mails.id,
  recipient: mails.recipient,
  subject: mails.subject,
  template: mails.template,
  state: mails.state,
  attempts: mails.attempts,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  nextTryAt: mails.nextTryAt,
  error: mails.error,
};
export type ListedMail = Pick<MailRow, keyof typeof listed>;

export async function listMailRows(
  db: Executor,
  { keyword, state, template, sort, page, pageSize }: MailFilter,
): Promise<{ rows: ListedMail[]; total: number }> {
  const like = keyword ? likePattern(keyword) : undefined;
  const condition = and(
    state === undefined ? undefined : eq(mails.state, state),
    template === undefined ? undefined : eq(mails.template, template),
    like === undefined
      ? undefined
      : sql`(${mails.recipient} ilike ${like} or ${mails.subject} ilike ${like})`,
  );
  const rows = await db
    .select(listed)
    .from(mails)
    .where(condition)
    .orderBy(...(sort === 'latest' ? [desc(mails.id)] : [asc(mails.id)]))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return { rows, total: await db.$count(mails, condition) };
}

/**
 * Takes the mail that is due longest, if there is one: for a while no other mailer has it. A mailer
 * that dies leaves it due again, so it may come twice but is never lost.
 */
export async function takeDueMail(
  db: Executor,
  now: Date,
  leaseUntil: Date,
): Promise<MailRow | undefined> {
  const [row] = await db
    .update(mails)
    .set({ nextTryAt: leaseUntil })
    .where(
      sql`${mails.id} = (
        select m.id from mail m
         where (m.state = 'waiting' and m.next_try_at is null)
            or (m.state in ('waiting', 'failed') and m.next_try_at <= ${now})
         order by m.next_try_at nulls first, m.id limit 1
           for update skip locked)`,
    )
    .returning();
  return row;
}

/** Notes how a try ended. */
export async function markMail(
  db: Executor,
  id: number,
  values: Pick<typeof mails.$inferInsert, 'state' | 'sentAt' | 'nextTryAt' | 'error'>,
): Promise<void> {
  await db
    .update(mails)
    .set({ ...values, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, id));
}

/** Makes a failed mail due now. @returns it, unless it is not a failed one any more */
export async function dueAgain(db: Executor, id: number, now: Date): Promise<MailRow | undefined> {
  const [row] = await db
    .update(mails)
    .set({ nextTryAt: now })
    .where(and(eq(mails.id, id), eq(mails.state, 'failed')))
    .returning();
  return row;
}

/** Mails hold addresses and, for a while, secrets: what is done goes after some time. */
export async function deleteOldMails(db: Executor, before: Date): Promise<void> {
  await db
    .delete(mails)
    .where(and(inArray(mails.state, ['sent', 'captured']), lt(mails.createdAt, before)));
}
