/** The navigation of the admin area: what an account may enter, in groups. */
import type { LoginSession, Requirement } from '@hypercube/contract';
import { paths } from '../../kernel/paths.ts';
import { mayStaff } from './role.ts';

export type AdminGroup = 'overview' | 'content' | 'environments' | 'people' | 'system';

interface Entry {
  readonly name:
    | 'adminHome'
    | 'adminEnvironments'
    | 'adminLabs'
    | 'adminSoftware'
    | 'adminCourses'
    | 'adminProblems'
    | 'adminImages'
    | 'adminSpecifications'
    | 'adminSuggestions'
    | 'adminResources'
    | 'adminNotifications'
    | 'adminMails'
    | 'adminUsers'
    | 'adminDomains'
    | 'adminAudit'
    | 'adminSettings';
  readonly group: AdminGroup;
  readonly path: string;
  /** Empty: every staff role. */
  readonly need: Requirement;
}

const ENTRIES: readonly Entry[] = [
  { name: 'adminHome', group: 'overview', path: paths.admin.home, need: [] },
  {
    name: 'adminEnvironments',
    group: 'overview',
    path: paths.admin.environments,
    need: ['usage.adminList'],
  },
  { name: 'adminLabs', group: 'content', path: paths.admin.labs, need: ['lab.update'] },
  {
    name: 'adminSoftware',
    group: 'content',
    path: paths.admin.software,
    need: ['software.update'],
  },
  { name: 'adminCourses', group: 'content', path: paths.admin.courses, need: ['course.update'] },
  {
    name: 'adminProblems',
    group: 'content',
    path: paths.admin.problems,
    need: ['problem.update'],
  },
  { name: 'adminDomains', group: 'content', path: paths.admin.domains, need: ['domain.list'] },
  { name: 'adminImages', group: 'environments', path: paths.admin.images, need: ['image.list'] },
  {
    name: 'adminSpecifications',
    group: 'environments',
    path: paths.admin.specifications,
    need: ['specification.list'],
  },
  { name: 'adminUsers', group: 'people', path: paths.admin.users, need: ['user.list'] },
  {
    name: 'adminSuggestions',
    group: 'people',
    path: paths.admin.suggestions,
    need: ['suggestion.adminList'],
  },
  {
    name: 'adminResources',
    group: 'people',
    path: paths.admin.resources,
    need: ['resourceApply.adminList'],
  },
  {
    name: 'adminNotifications',
    group: 'people',
    path: paths.admin.notifications,
    need: ['notification.send'],
  },
  { name: 'adminMails', group: 'system', path: paths.admin.mails, need: ['mail.list'] },
  { name: 'adminAudit', group: 'system', path: paths.admin.audit, need: ['audit.list'] },
  { name: 'adminSettings', group: 'system', path: paths.admin.settings, need: ['setting.read'] },
];

export type AdminEntryName = Entry['name'];

/** The entries that an account may enter, in order. */
export const adminEntries = (session: LoginSession | null): Entry[] =>
  ENTRIES.filter(({ need }) => mayStaff(session, need));
