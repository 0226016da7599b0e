/** Reads a long answer in parts, so that memory stays flat however many rows there are. */
import type { Query } from 'drizzle-orm';
import type pg from 'pg';

const PART = 1000;
/** Whoever takes the rows may be slow; between two parts nothing is asked for this long at most. */
const IDLE = '10min';

/**
 * Rows of a statement, part by part, all as of one moment. The connection is given back when the
 * reader ends or goes away.
 */
export async function* readCursor<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { sql, params }: Query,
): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local idle_in_transaction_session_timeout = '${IDLE}'`);
    await client.query(`declare list no scroll cursor for ${sql}`, params);
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${PART} from list`);
      if (rows.length > 0) yield rows;
      if (rows.length < PART) return;
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    if (!failure) await client.query('rollback').catch((error: Error) => (failure = error));
    client.release(failure);
  }
}
