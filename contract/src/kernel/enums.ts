/**
 * Every enumeration of the specification's section 3, as constant objects: `X` is the table of
 * names and wire numbers, the type `X` the union of its numbers.
 */

/** Connection of a remote desktop or notebook as the page shows it. */
export const ConnectionState = {
  idle: 0,
  connecting: 1,
  waiting: 2,
  connected: 3,
  disconnecting: 4,
  disconnected: 5,
  error: 6,
} as const;
export type ConnectionState = (typeof ConnectionState)[keyof typeof ConnectionState];

/** Type of an image, a session and a demo. */
export const SessionType = { desktop: 1, notebook: 2, ide: 3 } as const;
export type SessionType = (typeof SessionType)[keyof typeof SessionType];

export const LabType = { desktop: 1, notebook: 2 } as const;
export type LabType = (typeof LabType)[keyof typeof LabType];

/** A live session shown as course material. */
export const DemoType = { desktop: 1, notebook: 2, ide: 3 } as const;
export type DemoType = (typeof DemoType)[keyof typeof DemoType];

export const SoftwareType = { desktop: 1, notebook: 2, ide: 3, cnGrid: 4 } as const;
export type SoftwareType = (typeof SoftwareType)[keyof typeof SoftwareType];

export const MaterialKind = { file: 1, demo: 2 } as const;
export type MaterialKind = (typeof MaterialKind)[keyof typeof MaterialKind];

export const FileCategory = { other: 1, document: 2, video: 3, code: 4 } as const;
export type FileCategory = (typeof FileCategory)[keyof typeof FileCategory];

export const MaterialType = { document: 1, video: 2 } as const;
export type MaterialType = (typeof MaterialType)[keyof typeof MaterialType];

/** Lab resource. */
export const ResourceType = { dataset: 1, code: 2 } as const;
export type ResourceType = (typeof ResourceType)[keyof typeof ResourceType];

export const FileSource = { local: 1, remote: 2 } as const;
export type FileSource = (typeof FileSource)[keyof typeof FileSource];

export const CourseJoinMode = { public: 1, application: 2, inviteCode: 3 } as const;
export type CourseJoinMode = (typeof CourseJoinMode)[keyof typeof CourseJoinMode];

export const HomeworkType = { written: 1, coding: 2 } as const;
export type HomeworkType = (typeof HomeworkType)[keyof typeof HomeworkType];

export const HomeworkSubmitState = { unsubmitted: 0, submitted: 1, submittedLate: 2 } as const;
export type HomeworkSubmitState = (typeof HomeworkSubmitState)[keyof typeof HomeworkSubmitState];

export const CorrectionState = { corrected: 1, uncorrected: 2 } as const;
export type CorrectionState = (typeof CorrectionState)[keyof typeof CorrectionState];

export const TagLevel = { domain: 1, classification: 2 } as const;
export type TagLevel = (typeof TagLevel)[keyof typeof TagLevel];

export const PermissionFlag = { deny: 0, allow: 1 } as const;
export type PermissionFlag = (typeof PermissionFlag)[keyof typeof PermissionFlag];

export const Difficulty = { easy: 1, middle: 2, hard: 3 } as const;
export type Difficulty = (typeof Difficulty)[keyof typeof Difficulty];

export const ProgrammingLanguage = {
  c: 1,
  cpp: 2,
  python: 3,
  java: 4,
  openmp: 5,
  mpi: 6,
  cuda: 7,
  pthread: 8,
} as const;
export type ProgrammingLanguage = (typeof ProgrammingLanguage)[keyof typeof ProgrammingLanguage];

export const ProblemType = { normal: 1, cuda: 2, starlight: 3, oj: 4, performance: 5 } as const;
export type ProblemType = (typeof ProblemType)[keyof typeof ProblemType];

export const UserType = {
  admin: 1,
  teacher: 2,
  graduate: 3,
  undergraduate: 4,
  machineAdmin: 5,
} as const;
export type UserType = (typeof UserType)[keyof typeof UserType];

export const Gender = { male: 1, female: 2 } as const;
export type Gender = (typeof Gender)[keyof typeof Gender];

/** State of a batch job on a grid or a scheduler. */
export const JobState = {
  pending: 1,
  running: 2,
  stagingOut: 3,
  restageOut: 4,
  finished: 5,
  failed: 6,
  terminated: 7,
  netDelay: 8,
  subError: 9,
  exit: 10,
  end: 11,
} as const;
export type JobState = (typeof JobState)[keyof typeof JobState];

export const ResourceApplyTarget = { software: 1, case: 2 } as const;
export type ResourceApplyTarget = (typeof ResourceApplyTarget)[keyof typeof ResourceApplyTarget];

/** Application for a course certificate (decision 22). */
export const CertificateApplyState = {
  notAllowed: -2,
  notSatisfied: -1,
  applied: 0,
  notApplied: 1,
} as const;
export type CertificateApplyState =
  (typeof CertificateApplyState)[keyof typeof CertificateApplyState];

/** Application for machine time (decision 22); "unhandled" is the admin's label for pending. */
export const ResourceApplyStatus = { pending: 1, approved: 2, rejected: 3 } as const;
export type ResourceApplyStatus = (typeof ResourceApplyStatus)[keyof typeof ResourceApplyStatus];

export const Result = { failed: -1, success: 0 } as const;
export type Result = (typeof Result)[keyof typeof Result];

export const UsageStatus = { running: 1, stopped: 2 } as const;
export type UsageStatus = (typeof UsageStatus)[keyof typeof UsageStatus];

export const TeacherApplyStatus = { none: 0, waiting: 1, approved: 2, disapproved: 3 } as const;
export type TeacherApplyStatus = (typeof TeacherApplyStatus)[keyof typeof TeacherApplyStatus];

/** Modules whose pages are tracked, in the order of their hundreds (specification, section 3). */
export const TRACK_MODULES = [
  'lab',
  'course',
  'software',
  'programming',
  'programmingLab',
  'case',
] as const;
export type TrackModule = (typeof TRACK_MODULES)[number];

/** What a notification is about; users choose by these what reaches them and how. */
export const NOTIFICATION_KINDS = ['system', 'review', 'course', 'suggestion'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How notifications of a kind come by mail: at once, once a day together, or not. */
export const MAIL_CHOICES = ['now', 'daily', 'off'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

export const SuggestionStatus = { processing: 1, finished: 2 } as const;
export type SuggestionStatus = (typeof SuggestionStatus)[keyof typeof SuggestionStatus];

/** Order of a catalogue. */
export const CATALOGUE_SORTS = ['comprehensive', 'latest', 'hottest'] as const;
export type CatalogueSort = (typeof CATALOGUE_SORTS)[number];

/** Phase of a usage's start (decision 47). */
export const USAGE_PHASES = [
  'queued',
  'creating',
  'starting',
  'waiting',
  'ready',
  'failed',
] as const;
export type UsagePhase = (typeof USAGE_PHASES)[number];

/** Why a usage ended; kept in its history. */
export const USAGE_CAUSES = [
  'deleted',
  'replaced',
  'cancelled',
  'expired',
  'failed',
  'crashed',
  'out_of_memory',
  'out_of_disk',
  'out_of_storage',
  'lost',
  'abandoned',
  'ended_by_staff',
] as const;
export type UsageCause = (typeof USAGE_CAUSES)[number];

/** Light or dark as a user chose it; `system` follows the device. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Sites that single sign-on can know. */
export const SSO_PROVIDERS = ['arose', 'scnet'] as const;
export type SsoProvider = (typeof SSO_PROVIDERS)[number];

export const LANGUAGES = ['zh-CN', 'en-US'] as const;
export type Language = (typeof LANGUAGES)[number];
