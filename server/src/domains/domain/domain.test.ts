/** Domains and tags by staff, and the domains that somebody chose to see. */
import type { AnswerOf, ManagedDomain, ManagedTag, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { problemFields } from '../../testing/problems.ts';
import { World, type Answer, type Person } from '../../testing/world.ts';

type Outcome<T> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await World.create({ hasWorker: false });
  admin = await world.signIn('admin', 'admin');
});
afterEach(() => world[Symbol.asyncDispose]());

const makeDomain = async (TitleZh: string): Promise<ManagedDomain> =>
  (await admin.call<ManagedDomain>('POST', '/domain', { TitleZh, Color: 2 })).body;
const makeTag = async (domain: ManagedDomain, TitleZh: string): Promise<ManagedTag> =>
  (await admin.call<ManagedTag>('POST', `/domain/${domain.ID}/tag`, { TitleZh, Color: 11 })).body;
const read = async (): Promise<ManagedDomain[]> =>
  (await admin.call<AnswerOf<typeof routes.listManagedDomains>>('GET', '/domain/managed')).body
    .List;

describe('domains and tags', () => {
  test('are made at the end, changed by their version, and seen by everybody', async () => {
    const domain = await makeDomain('新方向');
    const tag = await makeTag(domain, '新标签');
    expect(domain).toMatchObject({ Title: '新方向', Color: 2, Uses: 0, Version: 1, Tags: [] });
    expect((await read()).at(-1)).toMatchObject({ ID: domain.ID, Tags: [{ ID: tag.ID }] });
    const path = `/domain/${domain.ID}/tag/${tag.ID}`;
    const change = { TitleZh: '标签', TitleEn: 'Tag', Color: 5, Version: 1 };
    const changed = await admin.call<ManagedTag>('PUT', path, change);
    expect(changed.body).toMatchObject({ TitleEn: 'Tag', Color: 5, Version: 2 });
    const late: Outcome<object> = await admin.call('PUT', path, change);
    expect([late.status, late.body.Code]).toEqual([409, 'changed_meanwhile']);
    const seen = await world
      .visitor()
      .call<AnswerOf<typeof routes.listTags>>('GET', `/domain/${domain.ID}/tag?lang=en-US`);
    expect(seen.body.List.map(({ Title }) => Title)).toEqual(['Tag']);
  });

  test.each([
    { TitleZh: '', Color: 1 },
    { TitleZh: 'x'.repeat(21), Color: 1 },
    { TitleZh: '名', TitleEn: 'x'.repeat(21), Color: 1 },
    { TitleZh: '名\u202E字', Color: 1 },
    { TitleZh: '名\n字', Color: 1 },
    { TitleZh: '名', Color: 0 },
    { TitleZh: '名', Color: 12 },
    { TitleZh: '名' },
    { TitleZh: '名', Color: 1, SequenceNumber: 1 },
  ])('%j is refused', async (body) => {
    const before = await read();
    expect((await admin.call('POST', '/domain', body)).status).toBe(400);
    expect((await admin.call('POST', `/domain/${before[0]?.ID}/tag`, body)).status).toBe(400);
    expect(await read()).toEqual(before);
  });

  test('are ordered by pairs that name each of them once', async () => {
    const one = await makeDomain('一');
    const two = await makeDomain('二');
    const ids = (await read()).map(({ ID }) => ID);
    const order = (given: readonly number[]): Promise<Outcome<object>> =>
      admin.call('PUT', '/domain/sequence', {
        List: given.map((ID, index) => ({ ID, SequenceNumber: index + 1 })),
      });
    const wanted = [two.ID, one.ID, ...ids.filter((id) => id !== one.ID && id !== two.ID)];
    expect((await order(wanted)).status).toBe(200);
    expect((await read()).map(({ ID }) => ID)).toEqual(wanted);
    const visitor = await world
      .visitor()
      .call<AnswerOf<typeof routes.listDomains>>('GET', '/domain');
    expect(visitor.body.List.map(({ ID }) => ID)).toEqual(wanted);
    for (const bad of [wanted.slice(1), [...wanted, 999_999], [...wanted.slice(1), one.ID]])
      expect((await order(bad)).body.Code).toBe('order_incomplete');
    expect((await read()).map(({ ID }) => ID)).toEqual(wanted);
  });

  test('of tags the order stays within the domain', async () => {
    const domain = await makeDomain('一');
    const other = await makeDomain('二');
    const tags = [await makeTag(domain, '甲'), await makeTag(domain, '乙')];
    const foreign = await makeTag(other, '丙');
    const order = (given: readonly ManagedTag[]): Promise<Outcome<object>> =>
      admin.call('PUT', `/domain/${domain.ID}/tag/sequence`, {
        List: given.map(({ ID }, index) => ({ ID, SequenceNumber: index })),
      });
    expect((await order(tags.toReversed())).status).toBe(200);
    const now = (await read()).find(({ ID }) => ID === domain.ID);
    expect(now?.Tags.map(({ Title }) => Title)).toEqual(['乙', '甲']);
    expect((await order([...tags, foreign])).body.Code).toBe('order_incomplete');
    // A tag is found under its own domain only.
    const elsewhere = await admin.call('DELETE', `/domain/${domain.ID}/tag/${foreign.ID}`);
    expect(elsewhere.status).toBe(404);
  });

  test('tell what carries them, and deleting them leaves that', async () => {
    const domain = await makeDomain('方向');
    const tag = await makeTag(domain, '标签');
    const [lab] = await world.sql<{ id: number; title_zh: string }>(
      sql`update lab set domain_id = ${domain.ID} where id = (select min(id) from lab) returning id, title_zh`,
    );
    await world.sql(sql`insert into lab_tag (lab_id, tag_id) values (${lab?.id}, ${tag.ID})`);
    const now = (await read()).find(({ ID }) => ID === domain.ID);
    expect([now?.Uses, now?.Tags[0]?.Uses]).toEqual([1, 1]);
    for (const path of [`/domain/${domain.ID}`, `/domain/${domain.ID}/tag/${tag.ID}`]) {
      const { body } = await admin.call('GET', `${path}/dependent`);
      expect(body).toEqual({
        List: [{ Kind: 'lab', ID: lab?.id, Title: lab?.title_zh }],
        Total: 1,
      });
    }
    expect((await admin.call('DELETE', `/domain/${domain.ID}`)).status).toBe(200);
    const left = await world.sql(
      sql`select domain_id, (select count(*)::int from lab_tag where tag_id = ${tag.ID}) as tags from lab where id = ${lab?.id}`,
    );
    expect(left).toEqual([{ domain_id: null, tags: 0 }]);
  });

  test('are carried by problems as well', async () => {
    const domain = await makeDomain('方向');
    const tag = await makeTag(domain, '标签');
    const { ID } = (
      await admin.call<{ ID: number }>(
        'POST',
        '/problem',
        problemFields({ DomainID: domain.ID, TagIDList: [tag.ID] }),
      )
    ).body;
    const now = (await read()).find(({ ID }) => ID === domain.ID);
    expect([now?.Uses, now?.Tags[0]?.Uses]).toEqual([1, 1]);
    for (const path of [`/domain/${domain.ID}`, `/domain/${domain.ID}/tag/${tag.ID}`])
      expect((await admin.call('GET', `${path}/dependent`)).body).toEqual({
        List: [{ Kind: 'problem', ID, Title: '两数之和' }],
        Total: 1,
      });
  });

  test('are the admins’ to change', async () => {
    const teacher = await world.signIn('teacher', 'teacher');
    const body = { TitleZh: '名', Color: 1 };
    expect((await teacher.call('POST', '/domain', body)).status).toBe(403);
    expect((await teacher.call('GET', '/domain/managed')).status).toBe(403);
  });
});

describe('the domains that somebody chose', () => {
  test('are kept on the server, for them alone', async () => {
    const [one, two] = [await makeDomain('一'), await makeDomain('二')];
    const student = await world.signIn('student');
    const me = await student.call<{ ID: number }>('GET', '/user/auth');
    const path = `/user/${me.body.ID}/domain`;
    expect((await student.call('GET', path)).body).toEqual({ DomainIDList: [] });
    const chosen = await student.call('PUT', path, { DomainIDList: [two.ID, one.ID, two.ID] });
    expect([chosen.status, chosen.body]).toEqual([200, { DomainIDList: [one.ID, two.ID] }]);
    const again = await world.signIn('student');
    expect((await again.call('GET', path)).body).toEqual({ DomainIDList: [one.ID, two.ID] });
    expect((await student.call('PUT', path, { DomainIDList: [999_999] })).status).toBe(404);
    const other = await world.signIn('student2');
    expect((await other.call('GET', path)).status).toBe(404);
    expect((await other.call('PUT', path, { DomainIDList: [] })).status).toBe(404);
    await admin.call('DELETE', `/domain/${two.ID}`);
    expect((await student.call('GET', path)).body).toEqual({ DomainIDList: [one.ID] });
  });
});
