/** What users are told: by the platform itself, and by staff; now, or when its time comes. */
import type { BodyOf, Language, NotificationKind, routes } from '@hypercube/contract';
import { loadCatalogue, type AllTexts } from '@hypercube/messages';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { languageOf } from '../../platform/language.ts';
import { inZone } from '../../platform/zone.ts';
import { queueMail } from '../mail/mail.service.ts';
import * as queries from './notification.queries.ts';

/** Hour of the day, in the site's calendar, at which the digests go out. */
const DIGEST_HOUR = 8;
/** Notifications that one round of mails takes. */
const MAIL_BATCH = 500;

export interface Told {
  readonly userIDs: readonly number[];
  readonly kind: NotificationKind;
  readonly titleZh: string;
  readonly titleEn: string;
  readonly contentZh: string;
  readonly contentEn: string;
  /** An own page of the site to which it leads. */
  readonly path?: string;
}

/**
 * The words of a notification in both languages, from the catalogue.
 * @param write what it says in one of them
 */
export async function inBothLanguages(
  write: (
    words: AllTexts,
    language: Language,
  ) => { readonly title: string; readonly content: string },
): Promise<Pick<Told, 'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'>> {
  const [zh, en] = await Promise.all([loadCatalogue('zh-CN'), loadCatalogue('en-US')]);
  const [inChinese, inEnglish] = [write(zh, 'zh-CN'), write(en, 'en-US')];
  return {
    titleZh: inChinese.title,
    titleEn: inEnglish.title,
    contentZh: inChinese.content,
    contentEn: inEnglish.content,
  };
}

/** Tells users something, as part of the change that it is about. */
export async function notifyUsers(tx: Executor, told: Told): Promise<void> {
  if (told.userIDs.length === 0) return;
  const now = new Date();
  const row = await queries.insertNotification(tx, {
    kind: told.kind,
    titleZh: told.titleZh,
    titleEn: told.titleEn,
    contentZh: told.contentZh,
    contentEn: told.contentEn,
    path: told.path ?? null,
    sendAt: now,
    sentAt: now,
    createdAt: now,
  });
  await queries.deliver(tx, row, told.userIDs);
  await announce(tx, told.userIDs);
}

/** What everybody in a course is told. */
export interface CourseTold extends Pick<
  Told,
  'titleZh' | 'titleEn' | 'contentZh' | 'contentEn' | 'path'
> {
  readonly courseID: number;
  /** The notice that it tells of; the notification changes and goes with it. */
  readonly noticeID?: number;
  /** Whoever made what it tells of knows of it; null once the account is gone. */
  readonly senderID: number | null;
}

/** Tells everybody in a course something, as part of the change that it is about. */
export async function notifyCourse(tx: Executor, told: CourseTold): Promise<void> {
  const now = new Date();
  const { path, ...facts } = told;
  const row = await queries.insertNotification(tx, {
    ...facts,
    kind: 'course',
    path: path ?? null,
    sendAt: now,
    sentAt: now,
    createdAt: now,
  });
  await announce(tx, await queries.deliverToCourse(tx, row));
}

/** A notice of a course says something else now; nobody is told again. */
export const changeNoticeNotification = queries.changeNoticeNotification;

/** Takes what was told of a notice back from everybody's list. */
export async function withdrawNoticeNotification(tx: Executor, noticeID: number): Promise<void> {
  await announce(tx, await queries.deleteNoticeNotification(tx, noticeID));
}

/** Longest list of readers that one announcement names; PostgreSQL takes 8,000 bytes. */
const NAMED_READERS = 500;

/** Lets the open pages of these users count again. */
async function announce(tx: Executor, userIDs: readonly number[] | null): Promise<void> {
  if (userIDs?.length === 0) return;
  const payload = userIDs === null || userIDs.length > NAMED_READERS ? '*' : userIDs.join(' ');
  await notify(tx, 'notification', payload);
}

/** Puts one whose time has come into the lists of those it is for. */
async function handOut(
  tx: Executor,
  row: queries.NotificationRow,
  namedIDs: readonly number[],
): Promise<void> {
  if (row.audience === 'course') {
    await announce(tx, await queries.deliverToCourse(tx, row));
    return;
  }
  await queries.deliver(tx, row, namedIDs);
  await announce(tx, row.audience === 'users' ? namedIDs : null);
}

type Sending = BodyOf<typeof routes.sendNotification>;

export interface NotificationService {
  countUnread(userID: number): Promise<number>;
  markRead(userID: number, ids: readonly number[] | undefined): Promise<number>;
  remove(userID: number, id: number): Promise<void>;
  /**
   * @throws DomainError `recipients_missing` when the audience is not said, `recipients_unknown`
   * with the names that nobody has
   */
  send(senderID: number, body: Sending): Promise<queries.SentRow>;
  /** Takes one back from every list, or cancels it. */
  cancel(row: queries.NotificationRow): Promise<void>;
  /** Sends what is due and mails what is wanted by mail. Run by the worker, over and over. */
  work(publicURL: string): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * The moment up to which a digest tells: the last one at the digest's hour.
 * @param zone IANA name of the calendar
 */
export function digestMoment(now: Date, zone: string): Date {
  // What the clocks there show, written as if it were UTC.
  const shown = Date.parse(`${inZone(now, zone).replace(' ', 'T')}Z`);
  const digest = new Date(shown).setUTCHours(DIGEST_HOUR, 0, 0, 0);
  const sinceMs = shown - digest;
  return new Date(
    Math.floor(now.getTime() / 1000) * 1000 - (sinceMs < 0 ? sinceMs + DAY_MS : sinceMs),
  );
}

export function createNotificationService({
  database,
  clock,
  zone,
}: {
  readonly database: Database;
  readonly clock: Clock;
  /** IANA name of the calendar in which the day of a digest ends. */
  readonly zone: string;
}): NotificationService {
  async function audienceOf(body: Sending): Promise<number[]> {
    if (body.Audience === 'role' && body.Role === undefined)
      throw new DomainError('recipients_missing');
    if (body.Audience === 'course' && body.CourseID === undefined)
      throw new DomainError('recipients_missing');
    if (body.Audience !== 'users') return [];
    const names = [...new Set(body.Names)];
    if (names.length === 0) throw new DomainError('recipients_missing');
    const found = await queries.findNamed(database, names);
    const known = new Set(
      found.flatMap(({ username, email }) => [username.toLowerCase(), email.toLowerCase()]),
    );
    const unknown = names.filter((name) => !known.has(name.toLowerCase()));
    if (unknown.length > 0) throw new DomainError('recipients_unknown', { Names: unknown });
    return found.map(({ id }) => id);
  }

  async function deliverDue(): Promise<void> {
    await database.transaction(async (tx) => {
      const now = clock.now();
      for (const row of await queries.takeDue(tx, now)) {
        await handOut(tx, row, row.namedIDs ?? []);
        await queries.markSent(tx, row.id, now);
      }
    });
  }

  /** @returns whether there may be more */
  async function mailSome(choice: 'now' | 'daily', publicURL: string): Promise<boolean> {
    return database.transaction(async (tx) => {
      const now = clock.now();
      const before = choice === 'now' ? now : digestMoment(now, zone);
      const taken = await queries.takeForMail(tx, choice, before, MAIL_BATCH);
      const isFull = taken.length === MAIL_BATCH;
      // The last reader's may go on in the next round; a digest is one mail.
      const lastID = taken.at(-1)?.userID;
      const isWhole = !isFull || taken.every(({ userID }) => userID === lastID);
      const rows = isWhole ? taken : taken.filter(({ userID }) => userID !== lastID);
      for (const group of Map.groupBy(rows, ({ userID }) => userID).values()) {
        const [first] = group;
        if (!first) continue;
        const language = languageOf(first.language);
        const { notification } = await loadCatalogue(language);
        await queueMail(tx, {
          to: first.email,
          language,
          template: 'digest',
          values: {
            name: first.nickname,
            count: String(group.length),
            list: group
              .map((row) =>
                language === 'zh-CN'
                  ? notification.line(row.titleZh, row.contentZh)
                  : notification.line(row.titleEn || row.titleZh, row.contentEn || row.contentZh),
              )
              .join('\n'),
            url: `${publicURL}/notification`,
          },
        });
      }
      await queries.markMailed(tx, rows, now);
      return isFull;
    });
  }

  return {
    countUnread: (userID) => queries.countUnread(database, userID),

    async markRead(userID, ids) {
      await database.transaction(async (tx) => {
        await queries.markRead(tx, userID, ids, clock.now());
        await announce(tx, [userID]);
      });
      return queries.countUnread(database, userID);
    },

    async remove(userID, id) {
      await database.transaction(async (tx) => {
        await queries.deleteOwn(tx, userID, id);
        await announce(tx, [userID]);
      });
    },

    async send(senderID, body) {
      const namedIDs = await audienceOf(body);
      const now = clock.now();
      const wanted = body.SendAt === undefined ? now : new Date(body.SendAt);
      const isLater = wanted > now;
      const id = await database.transaction(async (tx) => {
        const row = await queries.insertNotification(tx, {
          kind: body.Audience === 'course' ? 'course' : 'system',
          titleZh: body.TitleZh,
          titleEn: body.TitleEn,
          contentZh: body.ContentZh,
          contentEn: body.ContentEn,
          path: body.Path ?? null,
          audience: body.Audience,
          role: body.Audience === 'role' ? (body.Role ?? null) : null,
          courseID: body.Audience === 'course' ? (body.CourseID ?? null) : null,
          namedIDs: isLater && body.Audience === 'users' ? namedIDs : null,
          senderID,
          sendAt: isLater ? wanted : now,
          sentAt: isLater ? null : now,
          createdAt: now,
        });
        if (!isLater) await handOut(tx, row, namedIDs);
        return row.id;
      });
      const [made] = await queries.findSent(database, [id]);
      if (!made) throw new Error('the notification vanished');
      return made;
    },

    async cancel(row) {
      await database.transaction(async (tx) => {
        await queries.deleteNotificationRow(tx, row.id);
        await announce(tx, null);
      });
    },

    async work(publicURL) {
      await deliverDue();
      for (const choice of ['now', 'daily'] as const)
        while (await mailSome(choice, publicURL)) /* the next batch */ ;
    },
  };
}
