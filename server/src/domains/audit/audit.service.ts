/** Keeps what staff did: one row for each call, written once and never touched again. */
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RecordedAction, Recorder } from '../../platform/http/record.ts';
import { insertAudit } from './audit.queries.ts';

/** Longest text that a keyword is looked for in. */
const WORDS_MAX = 2000;

/**
 * Half a character is nothing that the database keeps as JSON: somebody sent it, or a long text was
 * cut there. An action must not go unrecorded for it.
 */
const wellFormed = (action: RecordedAction): RecordedAction =>
  JSON.parse(
    JSON.stringify(action, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    ),
  ) as RecordedAction;

/** What `registerRoute` calls after each action of staff. */
export function createRecorder(database: Database, clock: Clock): Recorder {
  return async (action) => {
    const words = [
      action.username,
      action.action,
      action.path,
      action.requestID,
      action.address,
      action.code ?? '',
      ...action.things.map(({ Title }) => Title),
    ].join(' ');
    await insertAudit(
      database,
      wellFormed(action),
      clock.now(),
      words.slice(0, WORDS_MAX).toWellFormed().replaceAll('\0', ''),
    );
  };
}
