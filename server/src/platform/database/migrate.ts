/** Migrations: forward only, one server at a time, in one transaction each. */
import { fileURLToPath } from 'node:url';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tellUnreachable } from './database.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Advisory lock so that two servers that start together do not migrate at once. */
const LOCK = 4_211_001;

/** Brings the database to the newest schema. */
export async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect().catch(tellUnreachable);
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query('create extension if not exists pg_trgm');
    await migrate(drizzle(client), { migrationsFolder: FOLDER });
  } finally {
    // The lock goes with the connection.
    await client.end();
  }
}
