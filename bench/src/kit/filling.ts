/**
 * Fills a platform's tables: many labs, much of everything that belongs to one lab or user, and of
 * what staff look after.
 */
import { makeAccounts } from './accounts.ts';
import type { Platform } from './platform.ts';

/** Tags of each made lab, as in the first content. */
const TAGS_PER_LAB = 3;
const TASKS_PER_LAB = 3;

/**
 * Brings the number of published labs to `count`, copies of the first with their own titles,
 * domains, tags and tasks.
 */
export async function fillLabs(platform: Platform, count: number): Promise<void> {
  await platform.sql(
    `insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed,
                      domain_id, specification_id, is_published, sequence, uses, words)
     select l.type, l.title_zh || ' ' || n, l.title_en || ' ' || n, l.description_zh, l.description_en, l.content_zh, l.content_en,
            l.cover_kind, n, d.ids[1 + n % cardinality(d.ids)], l.specification_id, true, 1000 + n, n % 97, l.words
       from (select * from lab where slug is not null order by id limit 1) l,
            (select array_agg(id order by id) as ids from domain where slug is not null) d,
            generate_series((select count(*)::int from lab where is_published) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `insert into lab_tag (lab_id, tag_id)
     select distinct l.id, t.ids[1 + (l.id * 7 + k * 13) % cardinality(t.ids)]
       from lab l, (select array_agg(id order by id) as ids from tag where slug is not null) t, generate_series(1, ${TAGS_PER_LAB}) k
      where l.slug is null and not exists (select 1 from lab_tag x where x.lab_id = l.id)`,
  );
  await platform.sql(
    `insert into lab_task (lab_id, sequence, title_zh, title_en, content_zh, content_en, minutes)
     select l.id, k, '任务 ' || k, 'Task ' || k, '', '', 20
       from lab l, generate_series(1, ${TASKS_PER_LAB}) k
      where l.slug is null and not exists (select 1 from lab_task x where x.lab_id = l.id)`,
  );
  await platform.sql('analyze lab, lab_tag, lab_task');
}

/** Brings accounts and what one user was told, suggested and got by mail to `count` rows each. */
export async function fillPeople(platform: Platform, count: number, userID: number): Promise<void> {
  await platform.sql(
    `insert into user_account (username, email, nickname, type)
     select 'person' || n, 'person' || n || '@example.edu', '用户 ' || n, 4
       from generate_series((select count(*)::int from user_account) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `with made as (
       insert into notification (kind, title_zh, title_en, content_zh, content_en, audience, send_at, sent_at, created_at)
       select 'system', '通知 ' || n, '', '内容', '', 'users', now(), now(), now()
         from generate_series((select count(*)::int from notification) + 1, $2::int) n returning id)
     insert into notification_receipt (user_id, notification_id) select $1, id from made`,
    [userID, count],
  );
  await platform.sql(
    `insert into suggestion (user_id, title, content, is_public, created_at, updated_at)
     select $1, '建议 ' || n, '内容', true, now(), now()
       from generate_series((select count(*)::int from suggestion) + 1, $2::int) n`,
    [userID, count],
  );
  await platform.sql(
    `insert into suggestion_reply (suggestion_id, user_id, is_staff, content, created_at)
     select s.id, $1, false, '回复 ' || n, now()
       from (select min(id) as id from suggestion) s,
            generate_series((select count(*)::int from suggestion_reply) + 1, $2::int) n`,
    [userID, count],
  );
  await platform.sql(
    `insert into mail (recipient, language, template, subject, text, html, message_id, state)
     select 'x@example.edu', 'zh-CN', 'digest', '邮件 ' || n, 'x', 'x', 'm' || n, 'sent'
       from generate_series((select count(*)::int from mail) + 1, $1::int) n`,
    [count],
  );
  // Approved ones: of those that wait a user has one at a centre.
  await platform.sql(
    `with made as (
       insert into resource_apply (user_id, centre_id, status, applicant_name, organisation, phone, email, project, cpu_hours, purpose, created_at, updated_at)
       select $1, (select min(id) from centre), 2, '申请人', '大学', '13800138000', 'x@example.edu', '课题 ' || n, n, '计算', now(), now()
         from generate_series((select count(*)::int from resource_apply) + 1, $2::int) n returning id)
     insert into resource_step (apply_id, user_id, is_staff, step, status, at) select id, $1, false, 'applied', 1, now() from made`,
    [userID, count],
  );
  await platform.sql(
    `insert into track_hour (hour, module, user_id, views, sessions, minutes)
     select date_trunc('hour', now()) - n * interval '1 hour', 1, $1, 1, 1, 1
       from generate_series((select count(*)::int from track_hour) + 1, $2::int) n`,
    [userID, count],
  );
}

/** Brings courses to `count`, and the members, those who wait, the staff and the notices of one to as many. */
export async function fillCourses(
  platform: Platform,
  count: number,
  courseID: number,
): Promise<void> {
  await platform.sql(
    `insert into course (title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed,
                         domain_id, owner_id, is_published, sequence, words)
     select c.title_zh || n, c.title_en || n, c.description_zh, c.description_en, c.content_zh, c.content_en,
            c.cover_kind, n, c.domain_id, c.owner_id, true, 1000 + n, c.words
       from (select * from course where id = $2) c,
            generate_series((select count(*)::int from course) + 1, $1::int) n`,
    [count, courseID],
  );
  await platform.sql(
    `insert into course_person (course_id, user_id, role, applied_at, joined_at)
     select $2, u.id, k.role, now(), case when k.role <> 'waiting' then now() end
       from (select id, row_number() over (order by id) as n from user_account
              where id not in (select user_id from course_person where course_id = $2)
                and id <> (select owner_id from course where id = $2)) u
       join (select row_number() over () as n, role
               from unnest(array['member', 'waiting', 'assistant', 'collaborator']) role) k on k.n = u.n % 4 + 1
      where u.n <= $1 - (select count(*) from course_person where course_id = $2)`,
    [count, courseID],
  );
  await platform.sql(
    `insert into course_notice (course_id, title_zh, title_en, content_zh, content_en, author_id, created_at, updated_at)
     select $2, '公告 ' || n, '', '内容', '', (select owner_id from course where id = $2), now(), now()
       from generate_series((select count(*)::int from course_notice where course_id = $2) + 1, $1::int) n`,
    [count, courseID],
  );
}

/** Brings the homework of a course to `count`, and one of it to as many submissions with files. */
export async function fillHomework(
  platform: Platform,
  count: number,
  homeworkID: number,
): Promise<void> {
  await platform.sql(
    `insert into homework (course_id, title_zh, title_en, content_zh, content_en, due_at, max_tenths, is_published, told_at, created_at, updated_at)
     select h.course_id, '作业' || n, 'Homework ' || n, '正文', 'Text', now() + n * interval '1 day', 1000, true, now(), now(), now()
       from (select course_id from homework where id = $2) h,
            generate_series((select count(*)::int from homework) + 1, $1::int) n`,
    [count, homeworkID],
  );
  await platform.sql(
    `insert into homework_submission (homework_id, user_id, state, submitted_at, text)
     select $2, u.id, 1, now(), '答案'
       from (select id, row_number() over (order by id) as n from user_account) u
      where u.n <= $1
     on conflict do nothing`,
    [count, homeworkID],
  );
  await platform.sql(
    `insert into homework_file (kind, course_id, homework_id, submission_id, user_id, name, stored, size_bytes, created_at)
     select 'submission', h.course_id, h.id, s.id, s.user_id, 'a.pdf', gen_random_uuid(), 1, now()
       from homework_submission s join homework h on h.id = s.homework_id
      where h.id = $1 and not exists (select 1 from homework_file f where f.submission_id = s.id)`,
    [homeworkID],
  );
}

/** Brings what one lab and one user own to `count` rows each, and the domains and their tags too. */
export async function fillBelongings(
  platform: Platform,
  count: number,
  labID: number,
  userID: number,
): Promise<void> {
  await platform.sql(
    `insert into lab_task (lab_id, sequence, title_zh, title_en, content_zh, content_en, minutes)
     select $1, n, '任务 ' || n, 'Task ' || n, '正文', 'Text', 5
       from generate_series((select count(*)::int from lab_task where lab_id = $1) + 1, $2::int) n`,
    [labID, count],
  );
  await platform.sql(
    `insert into lab_resource (lab_id, type, title_zh, title_en, path, size_bytes, sequence)
     select $1, 1, '文件 ' || n, 'File ' || n, 'made/' || n || '.txt', n, n
       from generate_series((select count(*)::int from lab_resource where lab_id = $1) + 1, $2::int) n`,
    [labID, count],
  );
  await platform.sql(
    `insert into domain (title_zh, title_en, color, sequence)
     select '领域' || n, 'Domain ' || n, 1 + n % 11, n
       from generate_series((select count(*)::int from domain) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `insert into tag (domain_id, title_zh, title_en, color, sequence)
     select d.id, '标签' || n, 'Tag ' || n, 1 + n % 11, n
       from (select min(id) as id from domain) d,
            generate_series((select count(*)::int from tag where domain_id = d.id) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `insert into usage (user_id, status, phase, renewal_time, lifetime_seconds, type, title_zh, title_en, route_name, route_path,
                        nodes, cpus, memory_bytes, cause, created_at, ready_at, ended_at, removed_at)
     select $1, 2, 'ready', 0, 3600, 2, '环境 ' || n, 'Environment ' || n, 'x', '/x', '[]', 1, 1, 'deleted',
            now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '50 minutes', now()
       from generate_series((select count(*)::int from usage where user_id = $1 and ended_at is not null) + 1, $2::int) n`,
    [userID, count],
  );
}

/**
 * Brings software, specifications and images to `count` rows each, with as many versions of one
 * image, and the environments that run to as many, each of somebody else and in the same lab.
 */
export async function fillCatalogues(
  platform: Platform,
  count: number,
  labID: number,
  imageID: number,
): Promise<void> {
  await platform.sql(
    `insert into software (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed,
                           domain_id, specification_id, is_published, sequence, words)
     select s.type, s.title_zh || ' ' || n, s.title_en || ' ' || n, s.description_zh, s.description_en, s.content_zh, s.content_en,
            s.cover_kind, n, s.domain_id, s.specification_id, true, 1000 + n, s.words
       from (select * from software where slug is not null order by id limit 1) s,
            generate_series((select count(*)::int from software) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `with made as (
       insert into specification (name_zh, name_en, image_type)
       select '规格 ' || n, 'Specification ' || n, 2
         from generate_series((select count(*)::int from specification) + 1, $1::int) n
       returning id
     )
     insert into specification_node (specification_id, sequence, name, cpus, memory_bytes, disk_bytes, shm_bytes, pids, image_id)
     select m.id, k, 'node' || k, 1, 1, 1, 1, 1, $2 from made m, generate_series(1, 3) k`,
    [count, imageID],
  );
  await platform.sql(
    `insert into image (type, title_zh, title_en, owner_id)
     select 2, '镜像 ' || n, 'Image ' || n, (select min(id) from user_account)
       from generate_series((select count(*)::int from image) + 1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `insert into image_version (image_id, number, reference)
     select $2, n, 'made:' || n
       from generate_series((select coalesce(max(number), 0) from image_version where image_id = $2) + 1, $1::int) n`,
    [count, imageID],
  );
  const [running] = await platform.sql(
    'select count(*)::int as count from usage where ended_at is null',
  );
  const accounts = await makeAccounts(platform, Math.max(0, count - Number(running?.['count'])));
  await insertReadyUsages(
    platform,
    accounts.map(({ userID }) => userID),
  );
  await platform.sql('update usage set lab_id = $1 where ended_at is null', [labID]);
  await platform.sql('analyze');
}

/** An environment that nobody had to start. */
interface ReadyUsage {
  readonly id: number;
  /** Its name on the wire. */
  readonly host: string;
  readonly ip: string;
}

/** Running environments of users that have none, which answer at an address. */
export async function insertReadyUsages(
  platform: Platform,
  userIDs: readonly number[],
  address = '127.0.0.1:1',
): Promise<ReadyUsage[]> {
  const rows = await platform.sql(
    `insert into usage (user_id, status, phase, renewal_time, lifetime_seconds, type, title_zh, title_en, route_name, route_path,
                        nodes, cpus, memory_bytes, address, created_at, ready_at)
     select u.id, 1, 'ready', extract(epoch from now())::bigint, 3600, 2, '环境', 'Environment', 'x', '/x',
            json_build_array(json_build_object('name', 'node1', 'imageID', i.id, 'cpus', 1, 'memoryBytes', 1, 'diskBytes', 1, 'shmBytes', 1, 'pids', 1)),
            1, 1, $2, now(), now()
       from unnest($1::int[]) with ordinality u (id, position), image i
      where i.slug = 'notebook'
      order by u.position
     returning id, host, ip`,
    [userIDs, address],
  );
  if (rows.length < userIDs.length)
    throw new Error('there is no notebook image to make an environment of');
  return rows.map((row) => ({
    id: Number(row['id']),
    host: String(row['host']),
    ip: String(row['ip']),
  }));
}
