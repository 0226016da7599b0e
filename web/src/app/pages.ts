/** Every page by its route name: its path, who may see it, and how it behaves. */
import type { Requirement } from '@hypercube/contract';
import type { TextPart } from '@hypercube/messages';

export interface Page {
  readonly path: string;
  /** `signedIn` pages send a visitor to the login page. */
  readonly access: 'public' | 'signedIn';
  /** Without these the page does not exist for the user. */
  readonly need?: Requirement;
  /** The floating environment widget does not show here (specification, section 2). */
  readonly hidesWidget?: true;
  /** Part of the admin area: everybody there acts in their staff role, and only staff may enter. */
  readonly area?: 'admin';
  /** Texts that it shows beside those of every page. */
  readonly texts?: readonly TextPart[];
  /** Fills the window, without header and footer; a workspace does so by itself. */
  readonly isFull?: true;
  /** Always begins at the top, also when the user comes back to it. */
  readonly resetsScroll?: true;
}

export const PAGES = {
  index: { path: '/', access: 'public' },
  notFoundPage: { path: '/404', access: 'public', hidesWidget: true },
  login: { path: '/login', access: 'public', texts: ['people'] },
  register: { path: '/register', access: 'public', resetsScroll: true, texts: ['people'] },
  passwordReset: { path: '/password-reset', access: 'public', texts: ['people'] },
  passwordResetResult: { path: '/result/password-reset', access: 'public', texts: ['people'] },
  loginArose: { path: '/login/arose', access: 'public', texts: ['people'] },
  loginScnet: { path: '/login/scnet', access: 'public', texts: ['people'] },
  authorize: { path: '/authorize', access: 'public', texts: ['people'] },
  selectPage: { path: '/select', access: 'public', texts: ['people'] },
  shortcuts: { path: '/shortcuts', access: 'public' },
  personalHome: { path: '/home', access: 'signedIn', need: ['usage.detail'], texts: ['courses'] },
  studyStatistics: {
    path: '/statistics',
    access: 'signedIn',
    need: ['statistics.own'],
    texts: ['people'],
  },
  notification: { path: '/notification', access: 'signedIn', need: ['notification.list'] },
  suggestionIndex: {
    path: '/suggestion',
    access: 'signedIn',
    need: ['suggestion.list'],
    texts: ['people'],
  },
  suggestionDetail: {
    path: '/suggestion/$suggestionID',
    access: 'signedIn',
    need: ['suggestion.list'],
    texts: ['people'],
  },
  resourceIndex: {
    path: '/resource',
    access: 'signedIn',
    need: ['resource.intro'],
    texts: ['machines'],
  },
  resourceIssue: {
    path: '/resource/issue',
    access: 'signedIn',
    need: ['resourceApply.create'],
    texts: ['machines', 'people'],
  },
  applyProgress: {
    path: '/resource/progress',
    access: 'signedIn',
    need: ['resourceApply.list'],
    texts: ['machines'],
  },
  editApply: {
    path: '/resource/$applyID/edit/$applyStatus',
    access: 'signedIn',
    need: ['resourceApply.update'],
    texts: ['machines', 'people'],
  },
  resourceAccount: {
    path: '/resource/$applyID/account',
    access: 'signedIn',
    need: ['resourceApply.account'],
    texts: ['machines'],
  },
  personalSettings: {
    path: '/settings',
    access: 'signedIn',
    need: ['user.detail'],
    texts: ['people'],
  },
  labIndex: { path: '/lab', access: 'signedIn', need: ['lab.list'], resetsScroll: true },
  labDetail: {
    path: '/lab/$labID',
    access: 'signedIn',
    need: ['lab.detail', 'lab.tasks'],
    resetsScroll: true,
  },
  notebookLabTaskDetail: {
    path: '/lab/$labID/notebook/task/$taskID',
    access: 'signedIn',
    need: ['lab.tasks', 'usage.detail', 'usage.create'],
    hidesWidget: true,
    resetsScroll: true,
  },
  desktopLabTaskDetail: {
    path: '/lab/$labID/desktop/task/$taskID',
    access: 'signedIn',
    need: ['lab.tasks', 'usage.detail', 'usage.create'],
    hidesWidget: true,
    resetsScroll: true,
  },
  courseIndex: {
    path: '/course',
    access: 'public',
    need: ['course.list'],
    resetsScroll: true,
    texts: ['courses'],
  },
  courseDetail: {
    path: '/course/$courseID',
    access: 'public',
    need: ['course.detail'],
    resetsScroll: true,
    texts: ['courses'],
  },
  homeworkDetail: {
    path: '/course/$courseID/homework/$homeworkID',
    access: 'signedIn',
    need: ['homework.detail'],
    resetsScroll: true,
    texts: ['courses'],
  },
  softwareIndex: { path: '/software', access: 'public', need: ['software.list'] },
  softwareDetailDesktop: {
    path: '/software/desktop/$softwareID',
    access: 'signedIn',
    need: ['software.detail', 'usage.detail', 'usage.create'],
    hidesWidget: true,
  },
  softwareDetailNotebook: {
    path: '/software/notebook/$softwareID',
    access: 'signedIn',
    need: ['software.detail', 'usage.detail', 'usage.create'],
    hidesWidget: true,
  },
  softwareDetailWebIDE: {
    path: '/software/ide/$softwareID',
    access: 'signedIn',
    need: ['software.detail', 'usage.detail', 'usage.create'],
    hidesWidget: true,
  },
  problemIndex: { path: '/problem', access: 'public', need: ['problem.list'] },
  programmingProblemList: {
    path: '/problem/programming',
    access: 'public',
    need: ['problem.list'],
    resetsScroll: true,
  },
  programmingProblemDetail: {
    path: '/problem/programming/$programmingProblemID',
    access: 'signedIn',
    need: ['problem.detail', 'problem.submit'],
    isFull: true,
  },
  programmingProblemSubmission: {
    path: '/problem/programming/$programmingProblemID/submission',
    access: 'signedIn',
    need: ['problem.submissions'],
  },
  personalComputer: {
    path: '/personal-computer',
    access: 'signedIn',
    need: ['computer.detail', 'usage.detail', 'usage.create'],
    // The page has the environment itself.
    hidesWidget: true,
  },
  adminHome: { path: '/admin', access: 'signedIn', area: 'admin' },
  adminEnvironments: {
    path: '/admin/environment',
    access: 'signedIn',
    area: 'admin',
    need: ['usage.adminList'],
  },
  adminLabs: { path: '/admin/lab', access: 'signedIn', area: 'admin', need: ['lab.update'] },
  adminLabCreation: {
    path: '/admin/lab/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['lab.create'],
  },
  adminLabInfo: {
    path: '/admin/lab/$labID/info',
    access: 'signedIn',
    area: 'admin',
    need: ['lab.update'],
  },
  adminLabTasks: {
    path: '/admin/lab/$labID/task',
    access: 'signedIn',
    area: 'admin',
    need: ['labTask.update'],
  },
  adminLabTaskCreation: {
    path: '/admin/lab/$labID/task/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['labTask.create'],
    hidesWidget: true,
  },
  adminLabTask: {
    path: '/admin/lab/$labID/task/$taskID',
    access: 'signedIn',
    area: 'admin',
    need: ['labTask.update'],
    hidesWidget: true,
  },
  adminLabResources: {
    path: '/admin/lab/$labID/resource',
    access: 'signedIn',
    area: 'admin',
    need: ['labResource.update'],
  },
  adminSoftware: {
    path: '/admin/software',
    access: 'signedIn',
    area: 'admin',
    need: ['software.update'],
  },
  adminSoftwareCreation: {
    path: '/admin/software/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['software.create'],
  },
  adminSoftwareInfo: {
    path: '/admin/software/$softwareID/info',
    access: 'signedIn',
    area: 'admin',
    need: ['software.update'],
  },
  adminProblems: {
    path: '/admin/programming-problem',
    access: 'signedIn',
    area: 'admin',
    need: ['problem.update'],
  },
  adminProblemCreation: {
    path: '/admin/programming-problem/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['problem.create'],
  },
  adminProblem: {
    path: '/admin/programming-problem/$programmingProblemID',
    access: 'signedIn',
    area: 'admin',
    need: ['problem.update'],
  },
  adminProblemTests: {
    path: '/admin/programming-problem/$programmingProblemID/test',
    access: 'signedIn',
    area: 'admin',
    need: ['problem.update'],
  },
  adminProblemSubmissions: {
    path: '/admin/programming-problem/$programmingProblemID/submission',
    access: 'signedIn',
    area: 'admin',
    need: ['problem.update'],
  },
  adminCourses: {
    path: '/admin/course',
    access: 'signedIn',
    area: 'admin',
    need: ['course.update'],
  },
  adminCourseCreation: {
    path: '/admin/course/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['course.create'],
  },
  adminCourseInfo: {
    path: '/admin/course/$courseID/info',
    access: 'signedIn',
    area: 'admin',
    need: ['course.update'],
  },
  adminCourseNotices: {
    path: '/admin/course/$courseID/notification',
    access: 'signedIn',
    area: 'admin',
    need: ['courseNotice.update'],
  },
  adminCourseMembers: {
    path: '/admin/course/$courseID/member',
    access: 'signedIn',
    area: 'admin',
    need: ['member.list'],
  },
  adminHomeworkList: {
    path: '/admin/course/$courseID/homework',
    access: 'signedIn',
    area: 'admin',
    need: ['homework.update'],
  },
  adminHomeworkCreate: {
    path: '/admin/course/$courseID/homework/creation',
    access: 'signedIn',
    area: 'admin',
    need: ['homework.create'],
  },
  adminHomeworkUpdate: {
    path: '/admin/course/$courseID/homework/$homeworkID',
    access: 'signedIn',
    area: 'admin',
    need: ['homework.update'],
  },
  adminScoreList: {
    path: '/admin/course/$courseID/homework/$homeworkID/score',
    access: 'signedIn',
    area: 'admin',
    need: ['score.list'],
  },
  adminHomeworkSubmitDetail: {
    path: '/admin/course/$courseID/homework/$homeworkID/score/$userID',
    access: 'signedIn',
    area: 'admin',
    need: ['submission.list'],
  },
  adminHomeworkUnfinishedList: {
    path: '/admin/homework',
    access: 'signedIn',
    area: 'admin',
    need: ['score.list'],
  },
  adminCoursePermission: {
    path: '/admin/course/$courseID/permission',
    access: 'signedIn',
    area: 'admin',
    need: ['member.list'],
  },
  adminImages: { path: '/admin/image', access: 'signedIn', area: 'admin', need: ['image.list'] },
  adminImage: {
    path: '/admin/image/$imageID',
    access: 'signedIn',
    area: 'admin',
    need: ['image.detail'],
  },
  adminImageCreation: {
    path: '/admin/image/creation/$kind',
    access: 'signedIn',
    area: 'admin',
    need: ['image.create', 'image.commit'],
    hidesWidget: true,
  },
  adminImageEdit: {
    path: '/admin/image/$imageID/edit/$kind',
    access: 'signedIn',
    area: 'admin',
    need: ['image.update', 'image.commit'],
    hidesWidget: true,
  },
  adminSpecifications: {
    path: '/admin/specification',
    access: 'signedIn',
    area: 'admin',
    need: ['specification.list'],
  },
  adminSpecification: {
    path: '/admin/specification/$specificationID/node',
    access: 'signedIn',
    area: 'admin',
    need: ['specification.detail'],
  },
  adminSpecificationPreview: {
    path: '/admin/specification/$specificationID/node/preview',
    access: 'signedIn',
    area: 'admin',
    need: ['specification.detail', 'usage.create'],
    hidesWidget: true,
  },
  adminSuggestions: {
    path: '/admin/suggestion',
    access: 'signedIn',
    area: 'admin',
    need: ['suggestion.adminList'],
  },
  adminSuggestion: {
    path: '/admin/suggestion/$suggestionID',
    access: 'signedIn',
    area: 'admin',
    need: ['suggestion.adminList'],
  },
  adminResources: {
    path: '/admin/resource',
    access: 'signedIn',
    area: 'admin',
    need: ['resourceApply.adminList'],
  },
  adminResource: {
    path: '/admin/resource/$applyID/view/$applyStatus',
    access: 'signedIn',
    area: 'admin',
    need: ['resourceApply.adminList'],
  },
  adminResourceAccount: {
    path: '/admin/resource/$applyID/account/update/$applyStatus',
    access: 'signedIn',
    area: 'admin',
    need: ['resourceApply.accountCreate', 'resourceApply.accountUpdate'],
  },
  adminNotifications: {
    path: '/admin/notification',
    access: 'signedIn',
    area: 'admin',
    need: ['notification.send'],
  },
  adminMails: {
    path: '/admin/mail',
    access: 'signedIn',
    area: 'admin',
    need: ['mail.list'],
  },
  adminUsers: { path: '/admin/user', access: 'signedIn', area: 'admin', need: ['user.list'] },
  adminDomains: {
    path: '/admin/domain',
    access: 'signedIn',
    area: 'admin',
    need: ['domain.list'],
  },
  adminDomain: {
    path: '/admin/domain/$domainID',
    access: 'signedIn',
    area: 'admin',
    need: ['domain.list'],
  },
  adminAudit: { path: '/admin/audit', access: 'signedIn', area: 'admin', need: ['audit.list'] },
  adminSettings: {
    path: '/admin/setting',
    access: 'signedIn',
    area: 'admin',
    need: ['setting.read'],
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof PAGES;

/** Pages that fill the window with an environment: no header, no footer, warnings of their own. */
export const WORKSPACES: ReadonlySet<PageName> = new Set<PageName>([
  'notebookLabTaskDetail',
  'desktopLabTaskDetail',
  'softwareDetailDesktop',
  'softwareDetailNotebook',
  'softwareDetailWebIDE',
  'personalComputer',
  'adminLabTaskCreation',
  'adminLabTask',
  'adminImageCreation',
  'adminImageEdit',
  'adminSpecificationPreview',
]);

export const pageOf = (name: PageName): Page => PAGES[name];

/** The top navigation in the specified order; an entry shows once its page exists. */
export const NAVIGATION = [
  'index',
  'labIndex',
  'courseIndex',
  'learningPathList',
  'knowledgeGraphIndex',
  'softwareIndex',
  'problemIndex',
  'caseIndex',
  'resourceIndex',
  'manualIndex',
  'suggestionIndex',
] as const;
export type NavigationName = (typeof NAVIGATION)[number];

/** The entries that have a page. */
export const shownNavigation = (): {
  readonly name: NavigationName & PageName;
  readonly path: string;
}[] =>
  NAVIGATION.filter((name): name is NavigationName & PageName => Object.hasOwn(PAGES, name)).map(
    (name) => ({
      name,
      path: PAGES[name].path,
    }),
  );

/** Whether a navigation entry is the current one: its own page or one below it. */
export const isCurrent = (entryPath: string, pathname: string): boolean =>
  entryPath === '/'
    ? pathname === '/'
    : pathname === entryPath || pathname.startsWith(`${entryPath}/`);
