/**
 * Permission items and the role table of the specification's section 6, complete and as data.
 * Both sides read this one file: the server decides by it, the pages show by it.
 */

const CRUD = ['create', 'update', 'delete'] as const;
const items = <const D extends string, const A extends readonly string[]>(
  domain: D,
  actions: A,
): `${D}.${A[number]}`[] => actions.map((action) => `${domain}.${action}` as `${D}.${A[number]}`);

const ANONYMOUS = [
  ...items('case', ['list']),
  ...items('course', ['list', 'detail', 'titles']),
  ...items('lab', ['list']),
  ...items('software', ['list']),
  ...items('tag', ['list']),
  ...items('user', ['register', 'login', 'verify', 'resetPassword']),
  ...items('certificate', ['validate']),
  // The route table lets visitors read these pages, and it wins for reading (decision 16).
  ...items('problem', ['list', 'detail']),
  ...items('learningPath', ['list', 'detail', 'steps']),
  ...items('knowledgeGraph', ['read']),
  ...items('manual', ['list']),
  ...items('resource', ['intro']),
  ...items('suggestion', ['list']),
  ...items('tracking', ['record']),
];

const STUDENT = [
  ...ANONYMOUS,
  ...items('case', ['detail', 'versions']),
  ...items('course', ['join', 'info', 'members']),
  ...items('lesson', ['list', 'detail']),
  ...items('courseFile', ['list', 'download']),
  ...items('courseNotice', ['list']),
  ...items('material', ['list', 'detail']),
  ...items('homework', ['list', 'detail']),
  ...items('submission', ['create', 'update', 'delete', 'detail']),
  ...items('score', ['detail']),
  ...items('certificate', ['apply']),
  ...items('usage', ['detail', 'containers', 'create', 'renew', 'delete', 'control']),
  ...items('file', [
    'list',
    'upload',
    'update',
    'delete',
    'download',
    'createFolder',
    'uploadImage',
  ]),
  ...items('lab', ['detail', 'tasks', 'resources']),
  ...items('manual', ['student']),
  ...items('notification', ['list', 'update']),
  ...items('problem', ['submissions', 'submit']),
  ...items('proxy', ['access']),
  ...items('resourceApply', ['list', 'detail', 'create', 'update', 'delete', 'account']),
  ...items('software', ['detail']),
  ...items('suggestion', [...CRUD, 'conversation']),
  ...items('user', ['detail', 'update', 'logout', 'courseInfo']),
  // Pages of the specification whose items its section 6 does not name (decision 15).
  ...items('freeCoding', ['run']),
  ...items('programmingLab', ['list', 'detail', 'submit']),
  ...items('pfelac', ['run']),
  ...items('cngrid', ['detail', 'submit', 'jobs', 'abort']),
  ...items('computer', ['detail', 'create', 'control', 'delete']),
  ...items('search', ['read']),
  ...items('statistics', ['own']),
];

const MACHINE_ADMIN = [
  ...STUDENT,
  ...items('resourceApply', ['adminList', 'accountCreate', 'accountUpdate', 'review']),
  // The first page of the admin area, which shows each role what it may see.
  ...items('dashboard', ['overview']),
];

const ASSISTANT = [
  ...STUDENT,
  ...items('dashboard', ['overview']),
  ...items('course', ['update']),
  ...items('lesson', [...CRUD, 'sequence']),
  ...items('courseFile', CRUD),
  ...items('courseNotice', CRUD),
  ...items('material', [...CRUD, 'sequence']),
  ...items('member', ['list', 'delete', 'review', 'export']),
  ...items('homework', CRUD),
  ...items('submission', ['list', 'reset']),
  ...items('score', ['list', 'update', 'export', 'import']),
  ...items('certificate', ['template', 'example']),
  ...items('user', ['teacherList']),
];

const TEACHER = [
  ...ASSISTANT,
  ...items('course', ['create', 'delete', 'collaborators', 'permissions']),
  ...items('member', ['addAssistant', 'removeAssistant']),
  ...items('case', CRUD),
  ...items('caseVersion', CRUD),
  ...items('lab', CRUD),
  ...items('labTask', CRUD),
  ...items('labResource', CRUD),
  ...items('software', CRUD),
  ...items('problem', CRUD),
  ...items('image', ['list', 'detail', ...CRUD, 'commit']),
  ...items('specification', ['list', 'detail', ...CRUD]),
  ...items('node', ['list', ...CRUD]),
  ...items('usage', ['update']),
];

const ADMIN = [
  ...TEACHER,
  ...items('sequence', ['case', 'course', 'lab', 'software', 'tag', 'learningPath']),
  ...items('manual', ['adminList', ...CRUD]),
  ...items('suggestion', ['adminList', 'reply', 'finish']),
  ...items('resourceApply', ['adminList', 'accountCreate', 'accountUpdate', 'review']),
  ...items('user', ['list', 'roleUpdate', 'delete', 'review', 'export', 'disable', 'import']),
  ...items('centre', ['list', ...CRUD]),
  ...items('audit', ['list', 'export']),
  ...items('mail', ['list', 'detail', 'retry']),
  ...items('domain', ['list', ...CRUD]),
  ...items('tag', CRUD),
  ...items('cngridTemplate', ['list', 'detail', ...CRUD]),
  ...items('learningPath', CRUD),
  ...items('learningPathStep', [...CRUD, 'sequence']),
  ...items('knowledgeGraph', CRUD),
  ...items('notification', ['send']),
  ...items('dashboard', ['read']),
  ...items('setting', ['read', 'update']),
  ...items('usage', ['adminList', 'adminStop']),
];

/** The functional roles, weakest first. `anonymous` belongs to everybody. */
export const ROLES = [
  'anonymous',
  'student',
  'machine_admin',
  'assistant',
  'teacher',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

export type PermissionItem = (typeof ADMIN)[number] | (typeof MACHINE_ADMIN)[number];

/** Role → items; anything not listed is denied. */
export const ROLE_TABLE: Readonly<Record<Role, ReadonlySet<PermissionItem>>> = {
  anonymous: new Set(ANONYMOUS),
  student: new Set(STUDENT),
  machine_admin: new Set(MACHINE_ADMIN),
  assistant: new Set(ASSISTANT),
  teacher: new Set(TEACHER),
  admin: new Set(ADMIN),
};

/** Every permission item that exists. */
export const PERMISSION_ITEMS: ReadonlySet<string> = new Set(
  ROLES.flatMap((role) => [...ROLE_TABLE[role]]),
);

/**
 * What a route or a page needs: the outer list is AND, a nested list is OR (decision 14).
 */
export type Requirement = readonly (PermissionItem | readonly PermissionItem[])[];

/** Thrown for an item that is in nobody's table: a fault of the program, found at boot and by tests. */
export class NoSuchPermissionItem extends Error {
  constructor(item: string) {
    super(`no such permission item: ${item}`);
    this.name = 'NoSuchPermissionItem';
  }
}

/** What a role can act as: everybody above a student can also learn. */
const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  anonymous: [],
  student: ['student'],
  machine_admin: ['student', 'machine_admin'],
  assistant: ['student', 'assistant'],
  teacher: ['student', 'assistant', 'teacher'],
  admin: ['student', 'machine_admin', 'assistant', 'teacher', 'admin'],
};

/**
 * The roles in which a request acts: the one it asks for, if the account can act in it, and
 * anonymous, which everybody has (decision 13). Roles that do not exist are ignored.
 */
export function actingRoles(accountRoles: Iterable<string>, requested: Role): Role[] {
  for (const role of accountRoles) {
    if (Object.hasOwn(INCLUDED, role) && INCLUDED[role as Role].includes(requested))
      return ['anonymous', requested];
  }
  return ['anonymous'];
}

/** Whether any of the roles grants the item. Unknown roles are ignored. */
export function isAllowed(roles: Iterable<string>, item: string): boolean {
  if (!PERMISSION_ITEMS.has(item)) throw new NoSuchPermissionItem(item);
  for (const role of roles) {
    if (Object.hasOwn(ROLE_TABLE, role) && ROLE_TABLE[role as Role].has(item as PermissionItem))
      return true;
  }
  return false;
}

/** Whether the roles meet a requirement. An empty requirement is met by everybody. */
export function meets(roles: Iterable<string>, requirement: Requirement): boolean {
  const held = [...roles];
  return requirement.every((entry) =>
    typeof entry === 'string'
      ? isAllowed(held, entry)
      : entry.some((item) => isAllowed(held, item)),
  );
}

/** The floating widget shows to holders of all of these (specification, section 1). */
export const WIDGET_REQUIREMENT: Requirement = [
  'usage.detail',
  'usage.containers',
  'usage.create',
  'usage.renew',
  'usage.delete',
];
