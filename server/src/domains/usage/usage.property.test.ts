/**
 * Every place that shows the time left agrees within 1 s, whatever happens: generated sequences
 * of start, renew, pause, waiting, wrong browser clocks and restarts of the server.
 */
import { remainingSeconds, type Usage, type UsageEvent } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { System } from '../../system.ts';
import { World, until, type Person } from '../../testing/world.ts';

let world: World;
let second: System;
let student: Person;
let body: object;
let userID: number;

beforeAll(async () => {
  world = await World.create({
    environment: { HC_LOGIN_HOURS: '8000', HC_HOLD_SECONDS: '864000' },
  });
  second = await world.second();
  student = await world.signIn('student');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const [user] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = 'student'`,
  );
  userID = user?.id ?? 0;
  body = { RouteName: 'x', RoutePath: '/x', LabID: task?.lab_id, TaskID: task?.id };
});
afterAll(async () => {
  await second.close();
  await world[Symbol.asyncDispose]();
});

/** A page: it knows the last answer and a clock that cannot be set; its wall clock may be wrong. */
interface Page {
  usage: Usage | null;
  receivedAt: number;
}

type Model = { deadline: number | null; isPaused: boolean };
type Action =
  | { kind: 'open' | 'pause' | 'continue' | 'renew' | 'delete' | 'restart' | 'reload' }
  | { kind: 'wait'; seconds: number };

const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 2000 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Action>(
      { kind: 'open' },
      { kind: 'pause' },
      { kind: 'continue' },
      { kind: 'renew' },
      { kind: 'delete' },
      { kind: 'reload' },
    ),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: 'restart' }) },
);

const current = async (): Promise<Usage | null> =>
  (await student.call<Usage | null>('GET', '/usage')).body;

/** The worker is heard of on the moved clock, as it would be within seconds. */
const workerSeen = () =>
  until(
    () => student.call<{ Engine: { IsReady: boolean } }>('GET', '/site'),
    ({ body: site }) => site.Engine.IsReady,
  );

async function perform(action: Action, model: Model): Promise<void> {
  const usage = await current();
  const isAlive = model.deadline !== null || model.isPaused;
  const full = (): void => {
    model.deadline = world.clock.unix + 3600;
    model.isPaused = false;
  };
  switch (action.kind) {
    case 'wait':
      world.clock.advance(action.seconds);
      if (model.deadline !== null && model.deadline <= world.clock.unix) model.deadline = null;
      return;
    case 'open':
      await workerSeen();
      if ((await student.call('POST', '/usage', body)).status === 200) full();
      return;
    case 'pause':
      if (
        usage &&
        (await student.call('PUT', `/usage/${usage.ID}`, { Action: 'stop' })).status === 200
      )
        Object.assign(model, { deadline: null, isPaused: true });
      return;
    case 'continue':
      if (
        usage &&
        (await student.call('PUT', `/usage/${usage.ID}`, { Action: 'start' })).status === 200
      )
        full();
      return;
    case 'renew': {
      if (!usage) return;
      const left = model.deadline === null ? 0 : model.deadline - world.clock.unix;
      const { status } = await student.call('POST', `/usage/${usage.ID}/renewal`, {});
      if ((status === 200) !== left >= 60)
        throw new Error(`a renewal with ${left} s left answered ${status}`);
      if (status === 200) full();
      return;
    }
    case 'delete':
      if (usage) await student.call('DELETE', `/usage/${usage.ID}`);
      Object.assign(model, { deadline: null, isPaused: false });
      return;
    case 'restart':
      await world.restart();
      return;
    case 'reload':
      if ((usage !== null) !== isAlive)
        throw new Error(`a reload shows ${usage === null ? 'nothing' : 'an environment'}`);
  }
}

/** All the places that show the time: two servers, the pushed event, and a page that has waited. */
async function shown(page: Page): Promise<(number | null)[]> {
  const first = await current();
  const other = await second.app.inject({
    method: 'GET',
    url: '/api/v1/usage',
    headers: { cookie: student.cookie ?? '' },
  });
  const fromSecond = JSON.parse(other.body) as Usage | null;
  const event: UsageEvent = await world.system.events.read(userID, 'zh-CN');
  const elapsed = world.clock.now().getTime() / 1000 - page.receivedAt;
  const isSame =
    page.usage !== null &&
    first !== null &&
    page.usage.Version === first.Version &&
    page.usage.ID === first.ID;
  const fromPage =
    isSame && page.usage ? remainingSeconds(page.usage, elapsed) : (first?.Remaining ?? null);
  return [
    first?.Remaining ?? null,
    fromSecond?.Remaining ?? null,
    event.Usage?.Remaining ?? null,
    fromPage,
  ];
}

test('every place that shows the time left agrees within 1 s', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 3, maxLength: 14 }), async (steps) => {
      const leftover = await current();
      if (leftover) await student.call('DELETE', `/usage/${leftover.ID}`);
      const model: Model = { deadline: null, isPaused: false };
      const page: Page = { usage: null, receivedAt: 0 };
      for (const step of steps) {
        await perform(step, model);
        const expected = model.deadline === null ? null : model.deadline - world.clock.unix;
        const places = await shown(page);
        const isAgreed = places.every((seconds) =>
          expected === null
            ? seconds === null
            : seconds !== null && Math.abs(seconds - expected) <= 1,
        );
        expect(isAgreed, `expected ${expected}, shown ${places.join(', ')}`).toBe(true);
        page.usage = await current();
        page.receivedAt = world.clock.now().getTime() / 1000;
      }
    }),
    { numRuns: 25, interruptAfterTimeLimit: 200_000 },
  );
});
