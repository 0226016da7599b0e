/** Accounts as those who run the place see them: the list, roles, applications, import and export. */
import { z } from 'zod';
import { accountFields, line } from './user.ts';
import {
  ACCOUNT_LIMITS,
  COUNT_LIMITS,
  ROLES,
  TEXT_LIMITS,
  TeacherApplyStatus,
  USERNAME_PATTERN,
  UserType,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';

/** The roles that an admin gives and takes; the others come with what somebody does. */
export const ASSIGNABLE_ROLES = ['teacher', 'admin', 'machine_admin'] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

/** A supercomputing centre, as the scope of a machine admin. */
export const centre = z.object({
  ID: id(),
  /** In the language of the request. */
  Name: z.string(),
  NameZh: z.string(),
  NameEn: z.string(),
  /** How many machine admins look after it. */
  Admins: z.int().nonnegative(),
});
export type Centre = z.output<typeof centre>;

const centreFields = {
  NameZh: line(TEXT_LIMITS.centreName),
  /** Empty: the Chinese name is shown in both languages. */
  NameEn: line(TEXT_LIMITS.centreName, 0).default(''),
};

export const listCentres = route({
  method: 'GET',
  path: '/centre',
  summary: 'Supercomputing centres',
  access: { need: ['centre.list'] },
  response: listOf(centre),
  errors: [],
  scope: {},
});

export const createCentre = route({
  method: 'POST',
  path: '/centre',
  summary: 'Add a supercomputing centre',
  access: { need: ['centre.create'] },
  body: centreFields,
  response: centre,
  status: 201,
  errors: [],
  scope: {},
});

export const updateCentre = route({
  method: 'PUT',
  path: '/centre/:centreID',
  summary: 'Rename a supercomputing centre',
  access: { need: ['centre.update'] },
  params: { centreID: pathID() },
  body: centreFields,
  response: centre,
  errors: [],
  scope: { centreID: 'centre' },
});

export const deleteCentre = route({
  method: 'DELETE',
  path: '/centre/:centreID',
  summary: 'Delete a supercomputing centre that nobody looks after and where nobody applied',
  access: { need: ['centre.delete'] },
  params: { centreID: pathID() },
  response: z.null(),
  errors: ['in_use'],
  scope: { centreID: 'centre' },
});

/** An account in the admin list. */
export const managedUser = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  Email: z.string(),
  RealName: z.string().nullable(),
  Phone: z.string().nullable(),
  Organisation: z.string().nullable(),
  StudentID: z.string().nullable(),
  Type: z.enum(UserType),
  /** State of the teacher application. */
  Status: z.enum(TeacherApplyStatus),
  ApplyReason: z.string().nullable(),
  AppliedAt: z.iso.datetime().nullable(),
  Roles: z.array(z.enum(ROLES)),
  /** What a machine admin looks after. */
  Centres: z.array(z.object({ ID: id(), Name: z.string() })),
  IsDisabled: z.boolean(),
  CreatedAt: z.iso.datetime(),
  LastSeenAt: z.iso.datetime().nullable(),
  /** Sent back with a change, so that two admins do not overwrite each other. */
  Version: version(),
});
export type ManagedUser = z.output<typeof managedUser>;

/** What the list can be narrowed to; the export takes the same. */
const filters = {
  keyword: listQuery.keyword,
  type: z.coerce.number<string>().pipe(z.enum(UserType)).optional(),
  /** A role that the account has; `role` itself is the one in which the request acts. */
  holds: z.enum(ROLES).exclude(['anonymous']).optional(),
  /** Teacher applications that wait. */
  unapproved: z.enum(['true', 'false']).optional(),
  /** Text within the organisation's name. */
  organisation: z.string().trim().max(TEXT_LIMITS.keyword).optional(),
  active: z.enum(['active', 'disabled']).optional(),
};

export const USER_SORTS = ['latest', 'oldest', 'username', 'organisation', 'seen'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const listUsers = route({
  method: 'GET',
  path: '/user',
  summary: 'Accounts, filtered, sorted and paged',
  access: { need: ['user.list'] },
  query: { ...listQuery, ...filters, sort: z.enum(USER_SORTS).default('latest') },
  response: listOf(managedUser),
  errors: [],
  scope: {},
});

/** Columns of an export, in the order in which they stand there. */
export const USER_COLUMNS = [
  'Username',
  'Nickname',
  'RealName',
  'Email',
  'Phone',
  'Gender',
  'Organisation',
  'StudentID',
  'Type',
  'Roles',
  'Status',
  'State',
  'CreatedAt',
  'LastSeenAt',
] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];

export const exportUsers = route({
  method: 'GET',
  path: '/user/export',
  summary: 'The accounts that match, as xlsx with chosen columns',
  access: { need: ['user.export'] },
  query: {
    ...filters,
    sort: z.enum(USER_SORTS).default('latest'),
    columns: z
      .string()
      .max(400)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(USER_COLUMNS)).min(1).max(USER_COLUMNS.length)),
  },
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
  isRecorded: true,
});

export const updateUserRoles = route({
  method: 'PUT',
  path: '/user/:userID/role',
  summary:
    'Give and take the roles of staff, or answer a teacher application; other roles stay as they are',
  access: { need: ['user.roleUpdate'] },
  params: { userID: pathID() },
  body: {
    /** All of teacher, admin and machine_admin that the account has afterwards; not read with an Action. */
    Roles: z.array(z.enum(ASSIGNABLE_ROLES)).max(ASSIGNABLE_ROLES.length).default([]),
    /** What a machine admin looks after; left out: as it is. */
    CentreIDList: z.array(id()).max(COUNT_LIMITS.pageSizeMax).optional(),
    Action: z.enum(['approve', 'reject']).optional(),
    /** Told to the applicant; a rejection needs one. */
    Reason: z.string().trim().max(TEXT_LIMITS.applyReason).default(''),
    Version: version(),
  },
  response: managedUser,
  errors: ['changed_meanwhile', 'last_admin', 'application_not_waiting', 'reason_missing'],
  scope: { userID: 'managedUser', CentreIDList: 'centre' },
});

export const updateUserState = route({
  method: 'PUT',
  path: '/user/:userID/state',
  summary: 'Disable an account, which ends its login sessions at once, or enable it again',
  access: { need: ['user.disable'] },
  params: { userID: pathID() },
  body: { IsDisabled: z.boolean(), Version: version() },
  response: managedUser,
  errors: ['changed_meanwhile', 'last_admin', 'own_account'],
  scope: { userID: 'managedUser' },
});

/** What belongs to an account, and what becomes of it when the account is deleted. */
export const userDependent = z.object({
  Kind: z.enum([
    'lab',
    'software',
    'course',
    'specification',
    'image',
    'computer',
    'usage',
    'files',
    'resourceApply',
    'submission',
    'problem',
    'problemSubmission',
  ]),
  ID: id(),
  Title: z.string(),
  /** `moved` to the acting admin, `removed` with the account, `obstacle`: it must be ended first. */
  Fate: z.enum(['moved', 'removed', 'obstacle']),
});
export type UserDependent = z.output<typeof userDependent>;

export const listUserDependents = route({
  method: 'GET',
  path: '/user/:userID/dependents',
  summary: 'What belongs to an account, and what becomes of it when the account is deleted',
  access: { need: ['user.delete'] },
  params: { userID: pathID() },
  response: listOf(userDependent),
  errors: [],
  scope: { userID: 'managedUser' },
});

export const deleteUser = route({
  method: 'DELETE',
  path: '/user/:userID',
  summary: 'Delete an account; what it made goes to the acting admin, personal files are removed',
  access: { need: ['user.delete'] },
  params: { userID: pathID() },
  /** Its username, typed by the admin. */
  query: { confirm: z.string().max(100) },
  response: z.null(),
  errors: ['user_name_differs', 'last_admin', 'own_account', 'in_use'],
  scope: { userID: 'managedUser' },
});

/** What can be wrong with a row of a class list. */
const rowProblem = z.object({
  Field: z.enum(['Username', 'Email', 'Nickname', 'RealName', 'StudentID', 'Organisation', 'Type']),
  /** `taken` by an account, `repeated` in the list. */
  Rule: z.enum(['missing', 'invalid', 'too_long', 'taken', 'repeated']),
});
export type ImportProblem = z.output<typeof rowProblem>;

/** A row of a class list as it stands in the sheet. */
export const importRow = z.object({
  /** Its number in the sheet, from 1, the heading included. */
  Row: z.int().positive(),
  Username: z.string().trim().max(TEXT_LIMITS.sheetCell),
  Email: z.string().trim().max(TEXT_LIMITS.sheetCell),
  Nickname: z.string().trim().max(TEXT_LIMITS.sheetCell),
  RealName: z.string().trim().max(TEXT_LIMITS.sheetCell),
  StudentID: z.string().trim().max(TEXT_LIMITS.sheetCell),
  Organisation: z.string().trim().max(TEXT_LIMITS.sheetCell),
  /** Graduate or undergraduate; null for what is neither. */
  Type: z.union([z.literal(UserType.graduate), z.literal(UserType.undergraduate)]).nullable(),
});
export type ImportRow = z.output<typeof importRow>;

export const previewUserImport = route({
  method: 'POST',
  path: '/user/import/preview',
  summary: 'Read a class list (xlsx, xls or csv) and say what is wrong with it; nothing is written',
  access: { need: ['user.import'] },
  upload: true,
  response: z.object({
    List: z.array(importRow.extend({ Problems: z.array(rowProblem) })),
    Total: z.int().nonnegative(),
  }),
  errors: ['upload_missing', 'upload_too_large', 'sheet_unreadable', 'sheet_too_long'],
  scope: {},
});

export const importUsers = route({
  method: 'POST',
  path: '/user/import',
  summary: 'Make the accounts of a class list and invite each by mail; all of them or none',
  access: { need: ['user.import'] },
  body: { Rows: z.array(importRow).min(1).max(COUNT_LIMITS.importRows) },
  response: z.object({ Made: z.int().nonnegative() }),
  status: 201,
  errors: ['import_refused'],
  scope: {},
});

/** What a row may leave out: how long it may be, and what else it must be. */
const OPTIONAL = [
  ['Nickname', ACCOUNT_LIMITS.nicknameMax, accountFields.Nickname],
  ['RealName', TEXT_LIMITS.realName, accountFields.RealName],
  ['StudentID', ACCOUNT_LIMITS.studentNumberMax, accountFields.StudentNumber],
  ['Organisation', ACCOUNT_LIMITS.organisationMax, accountFields.Organisation],
] as const;

/** Rules of a row that need no look at the accounts; both sides check by them. */
export function problemsOfRow(row: ImportRow): ImportProblem[] {
  const problems: ImportProblem[] = [];
  const add = (Field: ImportProblem['Field'], Rule: ImportProblem['Rule']): void => {
    problems.push({ Field, Rule });
  };
  if (row.Username === '') add('Username', 'missing');
  else if (!USERNAME_PATTERN.test(row.Username)) add('Username', 'invalid');
  if (row.Email === '') add('Email', 'missing');
  else if (row.Email.length > 100 || !z.email().safeParse(row.Email).success)
    add('Email', 'invalid');
  // What somebody says of themselves has the same rules, or they could not save it again.
  for (const [Field, max, rule] of OPTIONAL) {
    if (row[Field] === '') continue;
    if (row[Field].length > max) add(Field, 'too_long');
    else if (!rule.safeParse(row[Field]).success) add(Field, 'invalid');
  }
  if (row.Type === null) add('Type', 'invalid');
  return problems;
}
