/** Machine time: what users apply for at a centre, how staff answer, and the account that comes of it. */
import { z } from 'zod';
import {
  ACCOUNT_LIMITS,
  PHONE_PATTERN,
  RESOURCE_LIMITS,
  ResourceApplyStatus,
  ResourceApplyTarget,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';
import { line } from './user.ts';

/** A state as addresses of pages say it; the server never reads it there (decision 20). */
export const RESOURCE_STATES = ['pending', 'approved', 'rejected'] as const;
export type ResourceState = (typeof RESOURCE_STATES)[number];

/** What somebody did with an application. */
export const RESOURCE_STEPS = [
  'applied',
  'edited',
  'reapplied',
  'approved',
  'rejected',
  'accountUpdated',
] as const;
export type ResourceStep = (typeof RESOURCE_STEPS)[number];

const namedCentre = z.object({ ID: id(), Name: z.string() });

/** A centre where one can apply. */
export const resourceCentre = namedCentre.extend({
  /** Whether the acting role looks after its applications. */
  IsManaged: z.boolean(),
});
export type ResourceCentre = z.output<typeof resourceCentre>;

const summary = z.object({
  ID: id(),
  Status: z.enum(ResourceApplyStatus),
  ApplicantName: z.string(),
  Organisation: z.string(),
  Phone: z.string(),
  Email: z.string(),
  Project: z.string(),
  Centre: namedCentre,
  /** CPU core time, in core hours. */
  CpuHours: z.int().positive(),
  Purpose: z.string(),
  /** What the time is for; null when nothing in particular. */
  Target: z.enum(ResourceApplyTarget).nullable(),
  /** null as well once it was deleted. */
  Software: z.object({ ID: id(), Title: z.string() }).nullable(),
  /** Why it was rejected, in the words of whoever did; null in every other state. */
  Reason: z.string().nullable(),
  CreatedAt: z.iso.datetime(),
  UpdatedAt: z.iso.datetime(),
  /** Sent back with a change, so that applicant and staff do not overwrite each other. */
  Version: version(),
});

const step = z.object({
  Step: z.enum(RESOURCE_STEPS),
  /** The state that it led to. */
  Status: z.enum(ResourceApplyStatus),
  /** null once the account is gone. */
  By: z.string().nullable(),
  IsStaff: z.boolean(),
  Reason: z.string().nullable(),
  At: z.iso.datetime(),
});

/** An application with what happened to it, the latest first. */
export const resourceApplication = summary.extend({ History: z.array(step) });
export type ResourceApplication = z.output<typeof resourceApplication>;

export const managedResourceRow = summary.extend({ Username: z.string() });
export type ManagedResourceRow = z.output<typeof managedResourceRow>;

export const managedResource = resourceApplication.extend({ Username: z.string() });
export type ManagedResource = z.output<typeof managedResource>;

const fields = {
  ApplicantName: line(TEXT_LIMITS.realName),
  Organisation: line(ACCOUNT_LIMITS.organisationMax),
  Phone: z.string().trim().regex(PHONE_PATTERN),
  Email: z.email().max(ACCOUNT_LIMITS.emailMax),
  Project: line(TEXT_LIMITS.resourceTitle),
  CentreID: id(),
  CpuHours: z.int().min(RESOURCE_LIMITS.cpuHoursMin).max(RESOURCE_LIMITS.cpuHoursMax),
  Purpose: z.string().trim().min(1).max(TEXT_LIMITS.resourcePurpose),
  /** The software that the time is for. */
  SoftwareID: id().optional(),
};

/** A private key as `ssh-keygen` and PuTTY write it. */
export const PRIVATE_KEY_PATTERN =
  /^(?:-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\r?\n[\s\S]+\n-----END [A-Z0-9 ]*PRIVATE KEY-----|PuTTY-User-Key-File-\d: [\s\S]+)$/;
/** A host name or an address; nothing that a shell would read as an option or a command. */
export const SSH_ADDRESS_PATTERN = /^[A-Za-z0-9][A-Za-z0-9.:_-]*$/;
/** What a shell takes as it stands: the name goes into the command that people copy. */
export const SSH_USERNAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/;
const secret = () =>
  z
    .string()
    .max(RESOURCE_LIMITS.secret)
    .regex(/^[^\p{Cc}]*$/u);

/** How one comes in at a centre. Shown, never dialled by the platform. */
const credentials = z.strictObject({
  VpnUsername: secret().default(''),
  VpnPassword: secret().default(''),
  SshAddress: z.string().trim().max(RESOURCE_LIMITS.address).regex(SSH_ADDRESS_PATTERN),
  SshPort: z.int().min(1).max(65_535).default(22),
  SshUsername: z.string().trim().max(RESOURCE_LIMITS.secret).regex(SSH_USERNAME_PATTERN),
  SshPassword: secret().default(''),
  SshPrivateKey: z
    .string()
    .trim()
    .max(RESOURCE_LIMITS.privateKey)
    .regex(PRIVATE_KEY_PATTERN)
    .or(z.literal(''))
    .default(''),
});
export type ResourceCredentials = z.output<typeof credentials>;

/** The account information of an approved application. */
export const resourceAccount = z.object({
  Credentials: credentials,
  UpdatedAt: z.iso.datetime(),
});
export type ResourceAccount = z.output<typeof resourceAccount>;

export const listResources = route({
  method: 'GET',
  path: '/resource',
  summary: 'One’s own applications for machine time, with what happened to them',
  access: { need: ['resourceApply.list'] },
  query: {
    page: listQuery.page,
    pageSize: listQuery.pageSize,
    status: z.coerce.number<string>().pipe(z.enum(ResourceApplyStatus)).optional(),
  },
  response: listOf(resourceApplication),
  errors: [],
  scope: {},
});

export const listResourceCentres = route({
  method: 'GET',
  path: '/resource/centre',
  summary: 'Centres where one can apply for machine time',
  access: { need: ['resource.intro'] },
  response: listOf(resourceCentre),
  errors: [],
  scope: {},
});

export const createResource = route({
  method: 'POST',
  path: '/resource',
  summary: 'Apply for machine time; one application at a time waits at a centre',
  access: { need: ['resourceApply.create'] },
  body: fields,
  response: resourceApplication,
  status: 201,
  errors: ['resource_waiting', 'too_many_guesses'],
  scope: { CentreID: 'openCentre', SoftwareID: 'software' },
});

const own = { params: { applyID: pathID() }, scope: { applyID: 'ownResource' } } as const;

export const getResource = route({
  method: 'GET',
  path: '/resource/:applyID',
  summary: 'One’s own application',
  access: { need: ['resourceApply.detail'] },
  ...own,
  response: resourceApplication,
  errors: [],
});

export const updateResource = route({
  method: 'PUT',
  path: '/resource/:applyID',
  summary: 'Change an application that waits, or a rejected one, which then waits again',
  access: { need: ['resourceApply.update'] },
  params: { applyID: pathID() },
  body: { ...fields, Version: version() },
  response: resourceApplication,
  errors: ['changed_meanwhile', 'resource_approved', 'resource_waiting'],
  scope: { applyID: 'ownResource', CentreID: 'openCentre', SoftwareID: 'software' },
});

export const deleteResource = route({
  method: 'DELETE',
  path: '/resource/:applyID',
  summary: 'Withdraw an application that waits, or a rejected one',
  access: { need: ['resourceApply.delete'] },
  ...own,
  response: z.null(),
  errors: ['resource_approved'],
});

export const getResourceAccount = route({
  method: 'GET',
  path: '/resource/:applyID/account',
  summary: 'The account information of one’s own application; each view is recorded',
  access: { need: ['resourceApply.account'] },
  ...own,
  response: resourceAccount,
  errors: ['resource_account_missing', 'resource_account_unreadable'],
  isRecorded: true,
});

/** What the list of staff can be narrowed to; the export takes the same. */
const filters = {
  keyword: listQuery.keyword,
  status: z.coerce.number<string>().pipe(z.enum(ResourceApplyStatus)).optional(),
  /** Of those that the actor looks after. */
  centre: pathID().optional(),
};

export const RESOURCE_SORTS = ['latest', 'oldest', 'hours'] as const;
export type ResourceSort = (typeof RESOURCE_SORTS)[number];

export const listManagedResources = route({
  method: 'GET',
  path: '/resource/managed',
  summary: 'Applications at the centres that the actor looks after',
  access: { need: ['resourceApply.adminList'] },
  query: { ...listQuery, ...filters, sort: z.enum(RESOURCE_SORTS).default('latest') },
  response: listOf(managedResourceRow),
  errors: [],
  scope: {},
});

export const exportResources = route({
  method: 'GET',
  path: '/resource/managed/export',
  summary: 'The applications that match, as xlsx; account information is not in it',
  access: { need: ['resourceApply.adminList'] },
  query: { ...filters, sort: z.enum(RESOURCE_SORTS).default('latest') },
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
  isRecorded: true,
});

const managed = { params: { applyID: pathID() }, scope: { applyID: 'managedResource' } } as const;

export const getManagedResource = route({
  method: 'GET',
  path: '/resource/:applyID/managed',
  summary: 'An application at a centre that the actor looks after',
  access: { need: ['resourceApply.adminList'] },
  ...managed,
  response: managedResource,
  errors: [],
});

export const rejectResource = route({
  method: 'PUT',
  path: '/resource/:applyID/review',
  summary: 'Reject an application that waits; the reason is told to the applicant',
  access: { need: ['resourceApply.review'] },
  ...managed,
  body: { Reason: z.string().trim().min(1).max(TEXT_LIMITS.applyReason), Version: version() },
  response: managedResource,
  errors: ['changed_meanwhile', 'application_not_waiting'],
});

export const getManagedResourceAccount = route({
  method: 'GET',
  path: '/resource/:applyID/account/managed',
  summary: 'The account information that staff gave; each view is recorded',
  access: { need: ['resourceApply.accountUpdate'] },
  ...managed,
  response: resourceAccount,
  errors: ['resource_account_missing', 'resource_account_unreadable'],
  isRecorded: true,
});

export const updateResourceAccount = route({
  method: 'PUT',
  path: '/resource/:applyID/account',
  summary: 'Fill in the account information, which approves, or change it; the applicant is told',
  access: { need: ['resourceApply.accountCreate', 'resourceApply.accountUpdate'] },
  ...managed,
  // Under a name that the record of what staff did masks as a whole.
  body: { Credentials: credentials, Version: version() },
  response: managedResource,
  errors: ['changed_meanwhile', 'application_not_waiting', 'resource_way_in_missing'],
});
