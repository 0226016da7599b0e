/** The database handle that queries use: drizzle over one pool. */
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { StartError } from '../start-error.ts';

export type Database = NodePgDatabase;
/** A transaction, or the database itself: what a query function takes. */
export type Executor = Pick<
  Database,
  | 'select'
  | 'selectDistinct'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | '$with'
  | 'with'
  | '$count'
>;

export interface DatabaseHandle {
  readonly database: Database;
  readonly pool: pg.Pool;
  /** For connections of their own, such as the one that listens. */
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** Called for every statement; the query-count tests and the metrics use it. */
  onQuery?: (statement: string) => void;
}

/** Opens the pool. Connections are made when first needed. */
export function openDatabase(
  connection: pg.ClientConfig,
  options: DatabaseOptions = {},
): DatabaseHandle {
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize ?? 20,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end us.
  pool.on('error', () => undefined);
  const { onQuery } = options;
  const database = drizzle(pool, onQuery ? { logger: { logQuery: onQuery } } : {});
  return { database, pool, connection, close: () => pool.end() };
}

/** The server's clock in Unix milliseconds. */
export async function readDatabaseTime(database: Executor): Promise<number> {
  const { rows } = await database.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return Number(rows[0]?.ms);
}

/**
 * For the first word to the database: an error of the connection becomes a sentence.
 * @throws StartError, or what was given when the database did answer
 */
export function tellUnreachable(error: unknown): never {
  const state = sqlState(error);
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) ({ cause } = cause);
  if (!(cause instanceof Error) || (state !== undefined && !/^(?:08|28|3D|57P)/.test(state)))
    throw error;
  const { message } = cause instanceof AggregateError ? (cause.errors[0] as Error) : cause;
  throw new StartError(`The database cannot be used: ${message}. DATABASE_URL says where it is.`, {
    cause: error,
  });
}

/**
 * Refuses a server on which search would silently lose Chinese text, or which is too old.
 * @throws StartError
 */
export async function checkServer(database: Executor): Promise<void> {
  const { rows } = await database
    .execute<{ version: number; encoding: string; words: string[] }>(
      sql`select current_setting('server_version_num')::int as version,
               current_setting('server_encoding') as encoding,
               show_trgm('超立方') as words`,
    )
    .catch(tellUnreachable);
  const [row] = rows;
  if (!row || row.version < 150_000) throw new StartError('PostgreSQL 15 or newer is needed.');
  if (row.encoding !== 'UTF8')
    throw new StartError(`The database's encoding is ${row.encoding}; it must be UTF8.`);
  if (row.words.length === 0) {
    throw new StartError(
      "The database's locale is C, in which pg_trgm drops Chinese text. Create it with LOCALE 'C.UTF-8'.",
    );
  }
}

/** SQLSTATE of an error, if it is the database's; drizzle wraps it in a cause. */
export function sqlState(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[0-9A-Z]{5}$/.test(current.code))
      return current.code;
  }
  return undefined;
}

/** Name of the constraint that an error of the database is about. */
export function sqlConstraint(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('constraint' in current && typeof current.constraint === 'string')
      return current.constraint;
  }
  return undefined;
}

export const UNIQUE_VIOLATION = '23505';
export const FOREIGN_KEY_VIOLATION = '23503';
