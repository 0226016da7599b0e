/** Business constants and limits of the specification's sections 5 and 9. Sizes are bytes. */

const MEBIBYTE = 1024 * 1024;

/** Longest text of a field, in characters (Unicode code points). */
export const TEXT_LIMITS = {
  title: 30,
  description: 250,
  lessonTitle: 30,
  notificationTitle: 30,
  notificationContent: 250,
  materialTitle: 30,
  manualName: 30,
  resourceTitle: 50,
  imageTitle: 50,
  imageDescription: 150,
  nodeName: 30,
  specificationName: 30,
  tagName: 20,
  learningPathName: 50,
  learningPathDescription: 250,
  suggestionTitle: 100,
  suggestionContent: 500,
  reply: 500,
  externalLink: 100,
  certificateTitle: 50,
  certificateTeacher: 50,
  certificateApplicant: 20,
  resourcePurpose: 200,
  jobName: 30,
  realName: 50,
  minimumStudyTime: 10,
  /** Longest search keyword; ours, so that a search stays cheap. */
  keyword: 100,
  routeName: 60,
  routePath: 300,
  /** A Markdown text; ours. */
  markdown: 100_000,
  /** What staff tell a user whose environment they end; ours. */
  endReason: 200,
  /** Why a teacher application was answered as it was; ours. */
  applyReason: 200,
  centreName: 50,
  /** What is said of a submission; ours. */
  homeworkComment: 2000,
  /** A cell of a sheet that is read; ours. */
  sheetCell: 200,
} as const;

export const ACCOUNT_LIMITS = {
  usernameMin: 4,
  usernameMax: 14,
  nicknameMin: 4,
  nicknameMax: 14,
  passwordMin: 8,
  passwordMax: 20,
  /** Ours: what fits a line of a list. */
  organisationMax: 100,
  studentNumberMax: 30,
  /** Longest address that mail servers take (RFC 5321). */
  emailMax: 254,
} as const;

/** Length of a course's invitation code; ours. */
export const INVITE_CODE_LIMITS = { min: 4, max: 20 } as const;

/** Starts with a letter; letters, digits, hyphen, underscore; 4 to 14 characters. */
export const USERNAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{3,13}$/;
/** The code of a mail. */
export const EMAIL_CODE_PATTERN = /^\d{6}$/;
/** Letters or digits only. */
export const INVITATION_CODE_PATTERN = /^[A-Za-z0-9]+$/;
/** Mainland mobile, or E.164. */
export const PHONE_PATTERN = /^(?:1[3-9]\d{9}|\+[1-9]\d{6,14})$/;

export const COUNT_LIMITS = {
  nodesPerSpecification: 3,
  testPairs: 100,
  pageSizeMax: 100,
  pageSizeDefault: 20,
  toasts: 3,
  tagColours: 11,
  trackingFields: 3,
  /** Rows of a class list; ours. */
  importRows: 1000,
  /** Users whom staff name in one notification; ours. */
  namedRecipients: 500,
  suggestionPictures: 4,
  /** Attachments of a homework, and files of a submission; ours. */
  homeworkFiles: 5,
  /** Rows of a grade sheet; ours. */
  scoreRows: 5000,
} as const;

export const SIZE_LIMITS = {
  upload: 50 * MEBIBYTE,
  /** A JSON body; files go by multipart. */
  jsonBody: 1 * MEBIBYTE,
  /** A picture of a person, before it is made small. */
  avatar: 8 * MEBIBYTE,
  /** Default personal quota: 5 GiB. */
  personalQuota: 5 * 1024 * MEBIBYTE,
} as const;

/** Bounds of a node of a specification; sizes are bytes, ours. */
export const NODE_LIMITS = {
  cpusMin: 0.1,
  cpusMax: 256,
  memoryMin: 128 * MEBIBYTE,
  memoryMax: 4096 * 1024 * MEBIBYTE,
  diskMin: 64 * MEBIBYTE,
  diskMax: 4096 * 1024 * MEBIBYTE,
  lifetimeMin: 600,
  lifetimeMax: 604_800,
  /** Share of a node's memory that /dev/shm may take. */
  shmShare: 0.5,
  /** Processes and threads of a node. */
  pids: 512,
} as const;

/** Bounds of the settings. */
export const SETTING_LIMITS = {
  maxSessions: { min: 1, max: 10_000 },
  queue: { min: 1, max: 10_000 },
  lifetimeSeconds: { min: 600, max: 604_800 },
  holdSeconds: { min: 60, max: 604_800 },
  keepSeconds: { min: 3600, max: 31_536_000 },
  quotaBytes: { min: 64 * MEBIBYTE, max: 1024 * 1024 * MEBIBYTE },
  uploadBytes: { min: MEBIBYTE, max: 10_240 * MEBIBYTE },
  trackDays: { min: 7, max: 3650 },
  mailDays: { min: 1, max: 3650 },
  port: { min: 1, max: 65_535 },
} as const;

/** Longest texts and lists of the settings that are no numbers. */
export const SITE_LIMITS = {
  name: 30,
  tagline: 40,
  intro: 250,
  footer: 100,
  address: 300,
  supporters: 30,
  supporterName: 60,
  links: 12,
  linkTitle: 30,
  record: 40,
  emailDomains: 100,
  host: 253,
  account: 254,
  key: 200,
  secret: 500,
  providerName: 20,
  logo: 2 * MEBIBYTE,
} as const;

/** Programming problems and what is submitted to them; sizes are bytes, all but the tests are ours. */
export const PROBLEM_LIMITS = {
  sourceBytes: 64 * 1024,
  defaultCodeBytes: 16 * 1024,
  stdinBytes: 64 * 1024,
  /** Of a package of tests. */
  unpackedBytes: 256 * MEBIBYTE,
  cpuMsMin: 100,
  cpuMsMax: 60_000,
  memoryMin: 16 * MEBIBYTE,
  memoryMax: 4096 * MEBIBYTE,
  parallelismMax: 16,
  samplesMax: 5,
  /** What is shown of an example’s input and output. */
  sampleBytes: 4096,
  /** Submissions of one user that wait or are being judged. */
  waiting: 3,
} as const;

/** Points of a homework; ours. */
export const HOMEWORK_LIMITS = { scoreDefault: 100, scoreMax: 1000 } as const;

/** Applications for machine time; what a centre writes as account information is ours. */
export const RESOURCE_LIMITS = {
  cpuHoursMin: 1,
  cpuHoursMax: 10_000_000,
  secret: 200,
  address: 253,
  privateKey: 16_384,
} as const;

/** Durations; the unit is in the name. */
export const TIMES = {
  requestTimeoutMs: 30_000,
  usageCreateTimeoutMs: 600_000,
  usageActionTimeoutMs: 30_000,
  chunkLoadTimeoutMs: 120_000,
  usageLifetimeSeconds: 3600,
  /** Renewal is refused with less than this left. */
  renewalMarginSeconds: 60,
  /** Image commit is refused with less than this left. */
  commitMarginSeconds: 300,
  usageWarningsSeconds: [300, 60],
  /** A frozen usage that nobody continues is stopped after this (setting). */
  usageHoldSeconds: 2 * 3600,
  loginExpiryMarginSeconds: 300,
  trackingRepeatMs: 60_000,
  progressCloseMs: 300,
  captchaCloseMs: 3000,
  captchaRenderDelayMs: 500,
  captchaValidSeconds: 600,
  captchaResendSeconds: 60,
  teacherNoticeMs: 5000,
  /** How long the code of a mail holds; ours. */
  emailCodeValidSeconds: 900,
  /** How long a link for a new password holds; ours. */
  resetLinkValidSeconds: 1800,
} as const;

export const LAYOUT = {
  toastTopPx: 100,
  widgetOffsetPx: 120,
} as const;

/** Captcha scene of the specification. */
export const CAPTCHA_SCENE = 'ic_activity';

/** File names that the specification fixes. */
export const TEST_PACKAGE = {
  input: 'input',
  output: 'output',
  reference: 'ref.c',
  compile: 'compile.sh',
} as const;

/** What may be uploaded where, by extension. */
export const UPLOAD_TYPES = {
  homeworkAttachment: ['mp4', 'mkv', 'pdf'],
  homeworkSubmission: ['doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'pdf', 'zip'],
  homeworkComment: ['pdf'],
  certificateSignature: ['jpg', 'jpeg', 'png'],
  gradeImport: ['xls', 'xlsx'],
} as const;

/** Number units of the interface: K from 1,000, M from 1,000,000, one decimal (decision 39). */
export const NUMBER_UNITS = [
  { from: 1_000_000, unit: 'M' },
  { from: 1000, unit: 'K' },
] as const;

/** Folders inside a session (decision 12). */
export const SESSION_FOLDERS = {
  desktop: '/home/learner/data',
  notebook: '/home/jovyan/data',
  ide: '/home/coder/project/data',
} as const;
export const BUNDLE_FOLDER = 'bundle_resource';

export const LANGUAGE_COOKIE = 'language';
export const DEFAULT_LANGUAGE = 'zh-CN';
export const API_BASE = '/api/v1';
export const PROXY_BASE = '/proxy';
/** The tag palette, by number 1 to 11; each legible in both themes. */
export const TAG_COLOURS = [
  'indigo',
  'teal',
  'orange',
  'purple',
  'green',
  'red',
  'blue',
  'amber',
  'pink',
  'cyan',
  'slate',
] as const;

/** Topologies of the generated covers. */
export const COVER_KINDS = ['torus', 'tree', 'butterfly', 'ring', 'cube'] as const;
