/**
 * One PostgreSQL for a whole test run, with a migrated template; each test file copies a database
 * of its own from it. Durability is given up: nothing here outlives the run.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { migrateDatabase } from '../platform/database/migrate.ts';

export interface TestServer {
  readonly host: string;
  readonly user: string;
  readonly port: number;
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hypercube-test-'));
  const postgres = await startEmbeddedPostgres(folder, [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
  ]);
  const { host, user, port } = postgres.connection;
  const client = new pg.Client(postgres.connection);
  await client.connect();
  await client.query('create database hypercube_template');
  await client.end();
  await migrateDatabase({ host, user, port, database: 'hypercube_template' });
  project.provide('postgres', { host, user, port, template: 'hypercube_template' });
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
