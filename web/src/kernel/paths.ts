/** Paths of the pages, built in one place. */
import { LabType, SessionType, SoftwareType, type ResourceState } from '@hypercube/contract';

/** Kinds of session as addresses name them. */
export type SessionKind = 'desktop' | 'notebook' | 'ide';

export const paths = {
  index: '/',
  labs: '/lab',
  lab: (labID: number) => `/lab/${labID}`,
  courses: '/course',
  course: (courseID: number) => `/course/${courseID}`,
  homework: (courseID: number, homeworkID: number) => `/course/${courseID}/homework/${homeworkID}`,
  software: '/software',
  problemIndex: '/problem',
  problems: '/problem/programming',
  problem: (problemID: number) => `/problem/programming/${problemID}`,
  problemSubmissions: (problemID: number) => `/problem/programming/${problemID}/submission`,
  computer: '/personal-computer',
  home: '/home',
  admin: {
    home: '/admin',
    environments: '/admin/environment',
    labs: '/admin/lab',
    labCreation: '/admin/lab/creation',
    lab: (labID: number, tab: 'info' | 'task' | 'resource' = 'info') =>
      `/admin/lab/${labID}/${tab}`,
    labTaskCreation: (labID: number) => `/admin/lab/${labID}/task/creation`,
    labTask: (labID: number, taskID: number) => `/admin/lab/${labID}/task/${taskID}`,
    software: '/admin/software',
    softwareCreation: '/admin/software/creation',
    softwareInfo: (softwareID: number) => `/admin/software/${softwareID}/info`,
    problems: '/admin/programming-problem',
    problemCreation: '/admin/programming-problem/creation',
    /** The first tab has the address that the specification gives. */
    problem: (problemID: number, tab: 'info' | 'test' | 'submission' = 'info') =>
      `/admin/programming-problem/${problemID}${tab === 'info' ? '' : `/${tab}`}`,
    courses: '/admin/course',
    courseCreation: '/admin/course/creation',
    course: (
      courseID: number,
      tab: 'info' | 'notification' | 'member' | 'homework' | 'permission' = 'info',
    ) => `/admin/course/${courseID}/${tab}`,
    waitingHomework: '/admin/homework',
    homeworkCreation: (courseID: number) => `/admin/course/${courseID}/homework/creation`,
    homework: (courseID: number, homeworkID: number) =>
      `/admin/course/${courseID}/homework/${homeworkID}`,
    scores: (courseID: number, homeworkID: number) =>
      `/admin/course/${courseID}/homework/${homeworkID}/score`,
    score: (courseID: number, homeworkID: number, userID: number) =>
      `/admin/course/${courseID}/homework/${homeworkID}/score/${userID}`,
    images: '/admin/image',
    image: (imageID: number) => `/admin/image/${imageID}`,
    imageCreation: (kind: SessionKind) => `/admin/image/creation/${kind}`,
    imageEdit: (imageID: number, kind: SessionKind) => `/admin/image/${imageID}/edit/${kind}`,
    specifications: '/admin/specification',
    specification: (specificationID: number) => `/admin/specification/${specificationID}/node`,
    specificationPreview: (specificationID: number) =>
      `/admin/specification/${specificationID}/node/preview`,
    suggestions: '/admin/suggestion',
    suggestion: (suggestionID: number) => `/admin/suggestion/${suggestionID}`,
    resources: '/admin/resource',
    resource: (applyID: number, state: ResourceState) => `/admin/resource/${applyID}/view/${state}`,
    resourceAccount: (applyID: number, state: ResourceState) =>
      `/admin/resource/${applyID}/account/update/${state}`,
    notifications: '/admin/notification',
    mails: '/admin/mail',
    users: '/admin/user',
    domains: '/admin/domain',
    domain: (domainID: number) => `/admin/domain/${domainID}`,
    audit: '/admin/audit',
    settings: '/admin/setting',
  },
  study: '/statistics',
  notifications: '/notification',
  suggestions: '/suggestion',
  suggestion: (suggestionID: number) => `/suggestion/${suggestionID}`,
  resources: '/resource',
  resourceIssue: '/resource/issue',
  resourceProgress: '/resource/progress',
  resourceEdit: (applyID: number, state: ResourceState) => `/resource/${applyID}/edit/${state}`,
  resourceAccount: (applyID: number) => `/resource/${applyID}/account`,
  settings: '/settings',
  login: '/login',
  register: '/register',
  passwordReset: '/password-reset',
  /** Goes on to a provider of single sign-on. */
  authorize: '/authorize',
  select: '/select',
  notFound: '/404',
  shortcuts: '/shortcuts',
} as const;

const LAB_KINDS: Readonly<Record<LabType, string>> = {
  [LabType.desktop]: 'desktop',
  [LabType.notebook]: 'notebook',
};

/** The workspace of a task. */
export const taskPath = (type: LabType, labID: number, taskID: number): string =>
  `/lab/${labID}/${LAB_KINDS[type]}/task/${taskID}`;

const SOFTWARE_KINDS: Readonly<Partial<Record<SoftwareType, string>>> = {
  [SoftwareType.desktop]: 'desktop',
  [SoftwareType.notebook]: 'notebook',
  [SoftwareType.ide]: 'ide',
};

/** The workspace of a software; null for a kind that has no page yet. */
export function softwarePath(type: SoftwareType, softwareID: number): string | null {
  const kind = SOFTWARE_KINDS[type];
  return kind === undefined ? null : `/software/${kind}/${softwareID}`;
}

/** The id in a part of an address; null for anything that cannot be one. */
export function readID(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= 2_147_483_647 ? id : null;
}

const SESSION_KINDS = { 1: 'desktop', 2: 'notebook', 3: 'ide' } as const;

/** A kind of session as addresses name it. */
export const kindOf = (type: SessionType): SessionKind => SESSION_KINDS[type];

/** The kind of session that a part of an address names; null for anything else. */
export const typeOfKind = (kind: string | undefined): SessionType | null =>
  Object.values(SessionType).find((type) => SESSION_KINDS[type] === kind) ?? null;
