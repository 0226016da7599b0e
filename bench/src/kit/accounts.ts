/** Many accounts, signed in, without as many sign-ins. */
import { LOGIN_COOKIES, hashToken, makeToken } from '../../../server/src/domains/user/login.ts';
import type { Platform } from './platform.ts';

export interface Account {
  readonly userID: number;
  /** The cookie header of its login session. */
  readonly cookie: string;
}

/** Makes accounts that may do what the first student may, with his password, each signed in. */
export async function makeAccounts(platform: Platform, count: number): Promise<Account[]> {
  const tokens = Array.from({ length: count }, makeToken);
  const users = await platform.sql(
    `insert into user_account (username, email, nickname, type, password_hash)
     select 'learner' || n, 'learner' || n || '@example.org', '学员' || n, u.type, u.password_hash
       from user_account u, generate_series((select count(*)::int from user_account) + 1, (select count(*)::int from user_account) + $1::int) n
      where u.username = 'student'
     returning id`,
    [count],
  );
  const ids = users.map((user) => Number(user['id']));
  await platform.sql(
    `insert into user_role (user_id, role)
     select m.id, r.role
       from unnest($1::int[]) m (id), user_role r join user_account u on u.id = r.user_id
      where u.username = 'student'`,
    [ids],
  );
  await platform.sql(
    `insert into login_session (token_hash, user_id, created_at, expires_at)
     select m.token_hash, m.id, now(), now() + interval '1 day'
       from unnest($1::int[], $2::text[]) m (id, token_hash)`,
    [ids, tokens.map(hashToken)],
  );
  return ids.map((userID, index) => ({
    userID,
    cookie: `${LOGIN_COOKIES.plain}=${tokens[index] ?? ''}`,
  }));
}

/**
 * A specification of one notebook node, for benches of many environments at once.
 * @returns what opens it
 */
export async function makeSpecification(
  platform: Platform,
  { cpus, memoryMiB }: { readonly cpus: number; readonly memoryMiB: number },
): Promise<{ SpecificationID: number }> {
  const [row] = await platform.sql(
    `with made as (
       insert into specification (name_zh, name_en, image_type) values ('测试', 'Bench', 2) returning id
     )
     insert into specification_node (specification_id, sequence, name, cpus, memory_bytes, disk_bytes, shm_bytes, pids, image_id)
     select m.id, 1, 'node1', $1::real, $2::bigint * 1048576, 536870912, 67108864, 256, i.id
       from made m, image i where i.slug = 'notebook'
     returning specification_id`,
    [cpus, memoryMiB],
  );
  if (!row) throw new Error('there is no notebook image to make a specification of');
  return { SpecificationID: Number(row['specification_id']) };
}
