/** Suggestions: made by users, talked about with staff, finished by staff. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SuggestionStatus, TEXT_LIMITS, type BodyOf, type routes } from '@hypercube/contract';
import type { SignedInActor } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { makePicture } from '../../platform/storage/pictures.ts';
import { Uploads } from '../../platform/storage/uploads.ts';
import { inBothLanguages, notifyUsers } from '../notification/notification.service.ts';
import * as queries from './suggestion.queries.ts';

/** Longest side of a picture, pixels: what a screen shows. */
const PICTURE_SIDE = 1600;
const PICTURE_BYTES = 10 * 1024 * 1024;
/** A picture that is in no suggestion after this goes, milliseconds. */
const LOOSE_MS = 24 * 3600 * 1000;
/** Suggestions of one account within an hour. */
const HOURLY = 20;

type Fields = BodyOf<typeof routes.createSuggestion>;

/** The beginning of a text that may be too long; it never ends within a character. */
function shortened(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Whether somebody acts in the name of the place. */
const actsAsStaff = (actor: SignedInActor): boolean => actor.roles.includes('admin');

export interface SuggestionService {
  /** @throws DomainError `picture_missing`, `too_many_requests` */
  create(actor: SignedInActor, fields: Fields): Promise<queries.SuggestionRow>;
  /** @throws DomainError `suggestion_finished`, `picture_missing` */
  update(
    actor: SignedInActor,
    row: queries.SuggestionRow,
    fields: Fields,
  ): Promise<queries.SuggestionRow>;
  finish(row: queries.SuggestionRow, status: SuggestionStatus): Promise<queries.SuggestionRow>;
  remove(row: queries.SuggestionRow): Promise<void>;
  /** @throws DomainError `suggestion_finished`, `not_found` when it was deleted meanwhile */
  reply(
    actor: SignedInActor,
    row: queries.SuggestionRow,
    content: string,
  ): Promise<queries.ReplyRow>;
  /** Keeps a picture. @throws DomainError `upload_type`, `upload_too_large` */
  keepPicture(actor: SignedInActor, file: IncomingFile): Promise<string>;
  openPicture(name: string): Promise<{ stream: NodeJS.ReadableStream; sizeBytes: number } | null>;
  sweep(): Promise<void>;
}

export function createSuggestionService({
  database,
  clock,
  dataFolder,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataFolder: string;
}): SuggestionService {
  const folder = join(dataFolder, 'suggestions');
  const uploads = new Uploads(dataFolder);

  async function read(id: number): Promise<queries.SuggestionRow> {
    const [row] = await queries.findRows(database, [id]);
    if (!row) throw new DomainError('not_found');
    return row;
  }

  async function checkPictures(userID: number, names: readonly string[]): Promise<void> {
    const found = await queries.findPictures(database, userID, names);
    if (found.length !== new Set(names).size) throw new DomainError('picture_missing');
  }

  return {
    async create(actor, { Title, Content, IsPublic, Pictures }) {
      await checkPictures(actor.userID, Pictures);
      const now = clock.now();
      const since = new Date(now.getTime() - 3_600_000);
      if ((await queries.countSince(database, actor.userID, since)) >= HOURLY)
        throw new DomainError('too_many_requests', { RetryAfterSeconds: 3600 });
      const id = await database.transaction(async (tx) => {
        const made = await queries.insertRow(tx, {
          userID: actor.userID,
          title: Title,
          content: Content,
          isPublic: IsPublic,
          pictures: Pictures,
          createdAt: now,
          updatedAt: now,
        });
        const staff = await queries.listStaffIDs(tx);
        await notifyUsers(tx, {
          userIDs: staff.filter((userID) => userID !== actor.userID),
          kind: 'suggestion',
          ...(await inBothLanguages(({ suggestion }) => ({
            title: suggestion.told.created,
            content: Title,
          }))),
          path: `/admin/suggestion/${made}`,
        });
        await notify(tx, 'suggestion', String(made));
        return made;
      });
      return read(id);
    },

    async update(actor, row, { Title, Content, IsPublic, Pictures }) {
      if (row.status === SuggestionStatus.finished) throw new DomainError('suggestion_finished');
      // What is in it already may stay, whoever changes it.
      const added = Pictures.filter((name) => !row.pictures.includes(name));
      await checkPictures(actor.userID, added);
      await database.transaction(async (tx) => {
        await queries.updateRow(tx, row.id, {
          title: Title,
          content: Content,
          isPublic: IsPublic,
          pictures: Pictures,
          updatedAt: clock.now(),
        });
        await notify(tx, 'suggestion', String(row.id));
      });
      return read(row.id);
    },

    async finish(row, status) {
      await database.transaction(async (tx) => {
        await queries.updateRow(tx, row.id, { status, updatedAt: clock.now() });
        const isFinished = status === SuggestionStatus.finished;
        if (row.userID !== null && status !== row.status)
          await notifyUsers(tx, {
            userIDs: [row.userID],
            kind: 'suggestion',
            ...(await inBothLanguages(({ suggestion }) => ({
              title: isFinished ? suggestion.told.finished : suggestion.told.reopened,
              content: row.title,
            }))),
            path: `/suggestion/${row.id}`,
          });
        await notify(tx, 'suggestion', String(row.id));
      });
      return read(row.id);
    },

    async remove(row) {
      await database.transaction(async (tx) => {
        await queries.deleteRow(tx, row.id);
        await notify(tx, 'suggestion', String(row.id));
      });
    },

    async reply(actor, row, content) {
      if (row.status === SuggestionStatus.finished) throw new DomainError('suggestion_finished');
      const isStaff = actsAsStaff(actor);
      return database.transaction(async (tx) => {
        // Held until the reply is in, so that a deletion comes before or after, never between.
        if (!(await queries.lockRow(tx, row.id))) throw new DomainError('not_found');
        const made = await queries.insertReply(tx, {
          suggestionID: row.id,
          userID: actor.userID,
          isStaff,
          content,
          createdAt: clock.now(),
        });
        const readers = isStaff
          ? row.userID === null
            ? []
            : [row.userID]
          : await queries.listStaffIDs(tx);
        await notifyUsers(tx, {
          userIDs: readers.filter((userID) => userID !== actor.userID),
          kind: 'suggestion',
          ...(await inBothLanguages(({ suggestion }) => ({
            title: suggestion.told.replied,
            content: shortened(
              suggestion.told.reply(row.title, content),
              TEXT_LIMITS.notificationContent,
            ),
          }))),
          path: isStaff ? `/suggestion/${row.id}` : `/admin/suggestion/${row.id}`,
        });
        await notify(tx, 'suggestion', String(row.id));
        return made;
      });
    },

    async keepPicture(actor, file) {
      await using workplace = await uploads.workplace();
      const { path } = await uploads.receive(file, PICTURE_BYTES, workplace);
      const picture = await makePicture(path, { fit: 'inside', side: PICTURE_SIDE });
      const name = `${randomUUID()}.webp`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), picture, { flag: 'wx', mode: 0o600 });
      await queries.insertPicture(database, {
        name,
        userID: actor.userID,
        createdAt: clock.now(),
      });
      return name;
    },

    async openPicture(name) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() ? { stream: createReadStream(path), sizeBytes: found.size } : null;
    },

    async sweep() {
      const before = new Date(clock.now().getTime() - LOOSE_MS);
      for (const name of await queries.takeLoosePictures(database, before))
        await rm(join(folder, name), { force: true });
    },
  };
}
