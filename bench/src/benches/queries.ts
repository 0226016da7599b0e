/**
 * SQL statements of every reading call of the contract at 10 and at 1,000 rows: a number that
 * grows with the rows is a query in a loop.
 */
import { routes, type Route } from '@hypercube/contract';
import { fillBelongings, fillLabs, insertReadyUsage } from '../kit/filling.ts';
import { Platform } from '../kit/platform.ts';
import type { Result, Row } from '../kit/report.ts';

const FEW = 10;
const MANY = 1000;
const USERNAME = 'student';

/** Every GET that answers JSON; a new route is measured without anybody listing it here. */
const READING = Object.entries(routes as Readonly<Record<string, Route>>).filter(
  ([, route]) => route.method === 'GET' && (route.kind ?? 'json') === 'json',
);

/** Path of a call with its ids filled in, a list with its largest page. */
function pathOf(route: Route, ids: Readonly<Record<string, number>>): string {
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_whole, name: string) => {
    const kind = route.scope[name];
    const id = kind === undefined ? undefined : ids[kind];
    if (id === undefined)
      throw new Error(`${route.path}: the bench has no example of a ${kind ?? name}`);
    return String(id);
  });
  return 'pageSize' in (route.query ?? {}) ? `${path}?pageSize=100` : path;
}

export async function benchQueries(): Promise<Result> {
  // Without a worker, whose own look at its tables once a second would be counted too.
  await using platform = await Platform.start({ kind: 'no worker' });
  const cookie = await platform.signIn(USERNAME);
  const [found] = await platform.sql(
    `select l.id as lab, k.id as task, (select min(id) from domain) as domain, u.id as user
       from user_account u, lab l join lab_task k on k.lab_id = l.id
      where u.username = $1 and l.slug is not null order by l.id, k.id limit 1`,
    [USERNAME],
  );
  const id = (name: string): number => Number(found?.[name]);
  const ids = {
    lab: id('lab'),
    labTask: id('task'),
    domain: id('domain'),
    self: id('user'),
    ownUsage: 0,
  };
  ids.ownUsage = await insertReadyUsage(platform, ids.self);

  const count = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const [name, route] of READING) {
      const path = pathOf(route, ids);
      // The first call of a kind may fill a cache, such as that of the login session.
      await platform.call('GET', path, cookie);
      await platform.worker.call('takeStatements', true);
      await platform.call('GET', path, cookie);
      const statements = await platform.worker.call('takeStatements', false);
      counts[name] = statements.length;
    }
    return counts;
  };

  await fillLabs(platform, FEW);
  await fillBelongings(platform, FEW, ids.lab, ids.self);
  const few = await count();
  await fillLabs(platform, MANY);
  await fillBelongings(platform, MANY, ids.lab, ids.self);
  const many = await count();

  const grown = READING.filter(([name]) => few[name] !== many[name]);
  const rows = READING.map(([name, route]): Row => ({
    bench: 'queries',
    what: `GET ${route.path}`,
    measured: `${many[name]} at ${MANY.toLocaleString('en-US')} rows`,
    against: `${few[name]} at ${FEW} rows`,
    target: 'the same',
    isMet: few[name] === many[name],
  }));
  return { rows, figures: { few, many, grown: grown.map(([name]) => name) } };
}
