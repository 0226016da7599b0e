/** Where the modules of the overview lead: their lists, their items, and how to make a new one. */
import type { OverviewModule, Requirement, WaitingKind } from '@hypercube/contract';
import { paths } from '../../kernel/paths.ts';
import type { StaffRole } from './role.ts';

interface Module {
  readonly list: string;
  /** The page of an item; null where only the list shows it. */
  readonly item: ((id: number) => string) | null;
}

/** A module that comes with a later part adds itself here. */
export const MODULES: Readonly<Record<OverviewModule, Module>> = {
  lab: { list: paths.admin.labs, item: (labID) => paths.admin.lab(labID) },
  software: { list: paths.admin.software, item: paths.admin.softwareInfo },
  course: { list: paths.admin.courses, item: (courseID) => paths.admin.course(courseID) },
  problem: { list: paths.admin.problems, item: (problemID) => paths.admin.problem(problemID) },
  image: { list: paths.admin.images, item: paths.admin.image },
  specification: { list: paths.admin.specifications, item: paths.admin.specification },
  environment: { list: paths.admin.environments, item: null },
  // The page goes on to the state in which the application is.
  resource: {
    list: paths.admin.resources,
    item: (applyID) => paths.admin.resource(applyID, 'pending'),
  },
};

interface Waiting {
  readonly path: string;
  /** The list's filters, under which it shows what waits. */
  readonly search: (role: StaffRole) => Readonly<Record<string, string>>;
}

export const WAITING: Readonly<Record<WaitingKind, Waiting>> = {
  teacherApplication: { path: paths.admin.users, search: () => ({ unapproved: 'true' }) },
  courseApplication: { path: paths.admin.courses, search: () => ({ waiting: 'true' }) },
  homework: { path: paths.admin.waitingHomework, search: () => ({}) },
  suggestion: { path: paths.admin.suggestions, search: () => ({ status: '1' }) },
  failedImage: {
    path: paths.admin.images,
    // Only admins can mend what came with the platform.
    search: (role) => (role === 'admin' ? { state: 'failed' } : { state: 'failed', mine: 'true' }),
  },
  queuedEnvironment: { path: paths.admin.environments, search: () => ({ state: 'queued' }) },
  failedMail: { path: paths.admin.mails, search: () => ({ state: 'failed' }) },
  resourceApplication: { path: paths.admin.resources, search: () => ({ status: '1' }) },
};

export const ACTIONS = [
  { name: 'lab', path: paths.admin.labCreation, need: ['lab.create'] },
  { name: 'software', path: paths.admin.softwareCreation, need: ['software.create'] },
  { name: 'course', path: paths.admin.courseCreation, need: ['course.create'] },
  { name: 'problem', path: paths.admin.problemCreation, need: ['problem.create'] },
  {
    name: 'image',
    path: paths.admin.imageCreation('notebook'),
    need: ['image.create', 'image.commit'],
  },
  { name: 'notification', path: paths.admin.notifications, need: ['notification.send'] },
] as const satisfies readonly {
  readonly name: string;
  readonly path: string;
  readonly need: Requirement;
}[];
