/**
 * The least that a list could cost: one Fastify route, one prepared statement, its rows as JSON.
 * No login, no access, no schema, no languages.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { answerCalls } from '../kit/calls.ts';
import type { Statement } from './platform.worker.ts';

const app = Fastify({ logger: false });

const calls = {
  async listen({
    connection,
    statement,
  }: {
    connection: pg.PoolConfig;
    statement: Statement;
  }): Promise<string> {
    const pool = new pg.Pool({ ...connection, max: 20 });
    app.get('/', async (_request, reply) => {
      const { rows } = await pool.query({
        name: 'list',
        text: statement.text,
        values: [...statement.values],
      });
      return reply.type('application/json').send(JSON.stringify(rows));
    });
    return app.listen({ host: '127.0.0.1', port: 0 });
  },
};
export type BareCalls = typeof calls;

answerCalls(calls);
