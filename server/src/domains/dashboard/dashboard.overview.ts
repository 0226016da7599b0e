/**
 * The overview of staff: each module says here what it holds, and what of it waits for whom. A
 * module that comes adds its part; the number of statements stays the same.
 */
import {
  isAllowed,
  type Language,
  type Overview,
  type OverviewModule,
  type OverviewState,
  type PermissionItem,
  type WaitingKind,
} from '@hypercube/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Actor } from '../../platform/access/access.ts';
import type { Executor } from '../../platform/database/database.ts';
import { inLanguage } from '../../platform/language.ts';
import { isWorkedOn } from '../course/course.service.ts';

const RECENT = 5;

/** Whose things are meant: everybody's for an admin, else this user's. */
interface View {
  readonly isAdmin: boolean;
  /** Owners and collaborators of courses act as teachers. */
  readonly isTeacher: boolean;
  readonly userID: number;
}

interface ModulePart {
  readonly module: OverviewModule;
  readonly need: PermissionItem;
  /** A select of `id, title_zh, title_en, state, updated_at`. */
  readonly items: (view: View) => SQL;
}

/** Applications for machine time belong to the centres of whoever looks at them. */
const isInScope = ({ isAdmin, userID }: View): SQL =>
  sql`(${isAdmin} or r.centre_id in (select l.centre_id from user_centre l where l.user_id = ${userID}))`;

/** The module's own list shows the same ones. */
const MODULES: readonly ModulePart[] = [
  {
    module: 'lab',
    need: 'lab.update',
    items: ({ isAdmin, userID }) => sql`
      select l.id, l.title_zh, l.title_en, case when l.is_published then 'published' else 'draft' end as state, l.updated_at
        from lab l where ${isAdmin} or l.owner_id = ${userID}`,
  },
  {
    module: 'software',
    need: 'software.update',
    items: ({ isAdmin, userID }) => sql`
      select s.id, s.title_zh, s.title_en, case when s.is_published then 'published' else 'draft' end as state, s.updated_at
        from software s where ${isAdmin} or s.owner_id = ${userID}`,
  },
  {
    module: 'course',
    need: 'course.update',
    items: (view) => sql`
      select course.id, course.title_zh, course.title_en,
             case when course.is_published then 'published' else 'draft' end as state, course.updated_at
        from course where ${isWorkedOn(view)}`,
  },
  {
    module: 'problem',
    need: 'problem.update',
    items: ({ isAdmin, userID }) => sql`
      select q.id, q.title_zh, q.title_en, case when q.is_published then 'published' else 'draft' end as state, q.updated_at
        from problem q where ${isAdmin} or q.owner_id = ${userID}`,
  },
  {
    module: 'image',
    need: 'image.list',
    items: ({ isAdmin, userID }) => sql`
      select i.id, i.title_zh, i.title_en,
             case when i.build_state in ('ready', 'failed') then i.build_state else 'waiting' end as state, i.updated_at
        from image i
       where ${isAdmin} or i.owner_id = ${userID}
          or (i.is_public and (i.slug is not null or i.reference is not null))`,
  },
  {
    module: 'specification',
    need: 'specification.list',
    items: ({ isAdmin, userID }) => sql`
      select p.id, p.name_zh as title_zh, p.name_en as title_en,
             case when p.is_shared then 'shared' else 'private' end as state, p.created_at as updated_at
        from specification p where ${isAdmin} or p.is_shared or p.owner_id = ${userID}`,
  },
  {
    module: 'environment',
    need: 'usage.adminList',
    items: () => sql`
      select u.id, u.title_zh || ' · ' || a.nickname as title_zh,
             coalesce(nullif(u.title_en, ''), u.title_zh) || ' · ' || a.nickname as title_en,
             case when u.phase = 'failed' then 'failed' when u.phase <> 'ready' then 'waiting'
                  when u.status = 2 then 'paused' else 'running' end as state,
             coalesce(u.ready_at, u.created_at) as updated_at
        from usage u join user_account a on a.id = u.user_id where u.ended_at is null`,
  },
  {
    module: 'resource',
    need: 'resourceApply.adminList',
    items: (view) => sql`
      select r.id, r.project as title_zh, '' as title_en,
             case r.status when 1 then 'waiting' when 2 then 'approved' else 'rejected' end as state, r.updated_at
        from resource_apply r where ${isInScope(view)}`,
  },
];

interface WaitingPart {
  readonly kind: WaitingKind;
  readonly need: PermissionItem;
  readonly count: (view: View) => SQL;
}

const WAITING: readonly WaitingPart[] = [
  {
    kind: 'teacherApplication',
    need: 'user.review',
    count: () => sql`select count(*) from user_account a where a.apply_status = 1`,
  },
  {
    kind: 'courseApplication',
    need: 'member.review',
    count: (view) => sql`
      select count(*) from course_person p join course on course.id = p.course_id
       where p.role = 'waiting' and ${isWorkedOn(view)}`,
  },
  {
    kind: 'homework',
    need: 'score.list',
    count: (view) => sql`
      select count(*) from homework_submission s
        join homework h on h.id = s.homework_id join course on course.id = h.course_id
       where s.state > 0 and s.score_tenths is null and ${isWorkedOn(view)}`,
  },
  {
    kind: 'suggestion',
    need: 'suggestion.adminList',
    count: () => sql`select count(*) from suggestion s where s.status = 1`,
  },
  {
    kind: 'failedImage',
    need: 'image.update',
    count: ({ isAdmin, userID }) => sql`
      select count(*) from image i where i.build_state = 'failed' and (${isAdmin} or i.owner_id = ${userID})`,
  },
  {
    kind: 'queuedEnvironment',
    need: 'usage.adminList',
    count: () => sql`select count(*) from usage u where u.ended_at is null and u.phase = 'queued'`,
  },
  {
    kind: 'failedMail',
    need: 'mail.list',
    count: () => sql`select count(*) from mail m where m.state = 'failed'`,
  },
  {
    kind: 'resourceApplication',
    need: 'resourceApply.adminList',
    count: (view) => sql`
      select count(*) from resource_apply r where r.status = 1 and ${isInScope(view)}`,
  },
];

interface ItemRow {
  readonly module: OverviewModule;
  readonly total: number;
  readonly id: number;
  readonly title_zh: string;
  readonly title_en: string;
  readonly state: OverviewState;
  readonly updated_at: Date | string;
}

async function rowsOf<T>(db: Executor, statement: SQL): Promise<T[]> {
  return (await db.execute(statement)).rows as unknown as T[];
}

/** What an actor looks after, in the role in which they act. */
export async function readOverview(
  db: Executor,
  actor: Actor & { readonly userID: number },
  language: Language,
): Promise<Overview> {
  const view: View = {
    isAdmin: actor.roles.includes('admin'),
    isTeacher: actor.roles.includes('teacher'),
    userID: actor.userID,
  };
  const modules = MODULES.filter(({ need }) => isAllowed(actor.roles, need));
  const waiting = WAITING.filter(({ need }) => isAllowed(actor.roles, need));
  const [items, [counts]] = await Promise.all([
    modules.length === 0
      ? []
      : rowsOf<ItemRow>(
          db,
          sql.join(
            modules.map(
              (part) => sql`
                (select ${part.module} as module, count(*) over ()::int as total, item.*
                   from (${part.items(view)}) item order by item.updated_at desc, item.id desc limit ${RECENT})`,
            ),
            sql` union all `,
          ),
        ),
    waiting.length === 0
      ? []
      : rowsOf<Record<string, number>>(
          db,
          sql`select ${sql.join(
            waiting.map(({ kind, count }) => sql`(${count(view)})::int as ${sql.identifier(kind)}`),
            sql`, `,
          )}`,
        ),
  ]);
  return {
    Modules: modules.map(({ module: Module }) => {
      const own = items.filter((item) => item.module === Module);
      return {
        Module,
        Total: own[0]?.total ?? 0,
        Recent: own.map((item) => ({
          ID: item.id,
          Title: inLanguage(language, item.title_zh, item.title_en),
          State: item.state,
          UpdatedAt: new Date(item.updated_at).toISOString(),
        })),
      };
    }),
    Waiting: waiting.map(({ kind: Kind }) => ({ Kind, Count: counts?.[Kind] ?? 0 })),
  };
}
