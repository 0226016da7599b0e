/**
 * Error codes: what the server answers instead of prose. `status` is the HTTP status, `params`
 * the names of the values that the text of the code may use. Every code has a text in every
 * language, held by the type of the message catalogue.
 */
export const ERRORS = {
  // Shared
  invalid_input: { status: 400, params: ['Fields'] },
  body_too_large: { status: 413, params: ['LimitBytes'] },
  unsupported_media_type: { status: 415, params: [] },
  not_found: { status: 404, params: [] },
  not_signed_in: { status: 401, params: [] },
  forbidden: { status: 403, params: ['Item'] },
  foreign_origin: { status: 403, params: [] },
  too_many_requests: { status: 429, params: ['RetryAfterSeconds'] },
  internal: { status: 500, params: [] },
  storage_full: { status: 409, params: [] },
  /** Somebody else changed it since it was read; nothing was written. */
  changed_meanwhile: { status: 409, params: [] },
  /** Something uses it: Dependents, with their titles. */
  in_use: { status: 409, params: ['Dependents'] },
  order_incomplete: { status: 409, params: [] },
  // Accounts, by those who run the place
  last_admin: { status: 409, params: [] },
  own_account: { status: 409, params: [] },
  application_not_waiting: { status: 409, params: [] },
  reason_missing: { status: 400, params: [] },
  user_name_differs: { status: 400, params: [] },
  sheet_unreadable: { status: 400, params: [] },
  sheet_too_long: { status: 400, params: ['Limit'] },
  /** Rows of a class list that cannot be accounts, by their numbers in the sheet; none was made. */
  import_refused: { status: 409, params: ['Rows'] },
  // Files
  upload_missing: { status: 400, params: [] },
  upload_too_large: { status: 413, params: ['LimitBytes'] },
  upload_type: { status: 415, params: ['Allowed'] },
  file_name_invalid: { status: 400, params: ['Name'] },
  file_exists: { status: 409, params: ['Name'] },
  /** Reason: traversal, link, too_many, too_large, ratio, encrypted, damaged, name, empty. */
  zip_refused: { status: 400, params: ['Reason', 'Name'] },
  // Signing in
  wrong_credentials: { status: 400, params: [] },
  too_many_guesses: { status: 429, params: ['RetryAfterSeconds'] },
  account_disabled: { status: 403, params: [] },
  wrong_original_password: { status: 400, params: [] },
  /** The account was made by single sign-on; a password comes by the reset mail. */
  password_not_set: { status: 409, params: [] },
  // Coming in
  captcha_failed: { status: 400, params: [] },
  captcha_unavailable: { status: 502, params: [] },
  /** The site does not use the built-in check. */
  captcha_not_ours: { status: 409, params: [] },
  /** A code of a mail: another one, an old one, one that was used, or too many guesses. */
  wrong_code: { status: 400, params: [] },
  code_too_soon: { status: 429, params: ['RetryAfterSeconds'] },
  username_taken: { status: 409, params: [] },
  email_taken: { status: 409, params: [] },
  reset_link_invalid: { status: 400, params: [] },
  /** Nobody makes an account on their own here. */
  registration_closed: { status: 403, params: [] },
  /** Only addresses of these domains make an account. */
  registration_domain: { status: 403, params: ['Domains'] },
  /** Whoever is this makes no account on their own. */
  registration_identity: { status: 403, params: [] },
  // Settings
  /** It is needed, or what it belongs to has changed: a kept secret would be sent elsewhere. */
  secret_needed: { status: 400, params: [] },
  /** Mails stay here; there is no mail server to try. */
  mail_off: { status: 409, params: [] },
  // Mail
  mail_not_failed: { status: 409, params: [] },
  // Single sign-on
  sso_failed: { status: 400, params: [] },
  sso_unavailable: { status: 502, params: [] },
  identity_taken: { status: 409, params: [] },
  last_way_in: { status: 409, params: [] },
  // Notifications and suggestions
  recipients_missing: { status: 400, params: [] },
  recipients_unknown: { status: 400, params: ['Names'] },
  suggestion_finished: { status: 409, params: [] },
  picture_missing: { status: 400, params: [] },
  // Applications for machine time
  /** One of the same user waits at this centre. */
  resource_waiting: { status: 409, params: [] },
  resource_approved: { status: 409, params: [] },
  resource_account_missing: { status: 409, params: [] },
  /** What is kept was sealed with another key. */
  resource_account_unreadable: { status: 409, params: [] },
  /** Neither a password nor a private key. */
  resource_way_in_missing: { status: 400, params: [] },
  // Labs
  copy_conflict: { status: 409, params: ['Names'] },
  copy_unsafe: { status: 409, params: ['Names'] },
  lab_incomplete: { status: 409, params: [] },
  // Courses
  course_code_wrong: { status: 400, params: [] },
  /** Outside the time in which the code holds. */
  course_code_expired: { status: 409, params: [] },
  course_code_missing: { status: 400, params: [] },
  course_period_reversed: { status: 400, params: [] },
  /** They work on the course already: nobody is a member or two things at once. */
  course_staff: { status: 409, params: [] },
  person_unknown: { status: 400, params: ['Name'] },
  collaborator_no_teacher: { status: 409, params: ['Name'] },
  // Programming problems
  language_not_offered: { status: 400, params: [] },
  /** As many of the same user wait as may. */
  submissions_waiting: { status: 429, params: ['Limit'] },
  submission_not_done: { status: 409, params: [] },
  tests_missing: { status: 409, params: [] },
  reference_missing: { status: 409, params: [] },
  /** Reason: folder, foreign, number, pair, gap, too_many; Name: the entry that it is about. */
  tests_refused: { status: 400, params: ['Reason', 'Name'] },
  // Homework
  /** Points were given: it opens again when staff reset them. */
  homework_corrected: { status: 409, params: [] },
  /** Those who work on a course hand nothing in. */
  homework_not_member: { status: 409, params: [] },
  homework_period_reversed: { status: 400, params: [] },
  /** Somebody has more points than the maximum would be. */
  homework_score_given: { status: 409, params: ['Score'] },
  /** Neither a text nor a file. */
  submission_empty: { status: 400, params: [] },
  score_too_high: { status: 400, params: ['MaxScore'] },
  // Specifications and images
  too_many_nodes: { status: 409, params: ['Limit'] },
  node_name_taken: { status: 409, params: ['Name'] },
  image_type_differs: { status: 409, params: [] },
  built_in: { status: 409, params: [] },
  not_built_in: { status: 409, params: [] },
  commit_too_late: { status: 409, params: ['Remaining'] },
  commit_under_way: { status: 409, params: [] },
  /** Carried by the image itself. */
  commit_failed: { status: 409, params: [] },
  // Personal computer
  computer_exists: { status: 409, params: [] },
  computer_name_differs: { status: 400, params: [] },
  // Usages
  usage_exists: { status: 409, params: ['Usage'] },
  usage_not_running: { status: 409, params: [] },
  usage_already_running: { status: 409, params: [] },
  usage_not_ready: { status: 409, params: [] },
  usage_renewal_too_late: { status: 409, params: ['Remaining'] },
  usage_expired: { status: 409, params: [] },
  usage_queue_full: { status: 429, params: ['Limit'] },
  usage_sessions_full: { status: 429, params: ['Limit'] },
  usage_too_large: { status: 409, params: ['Cpus', 'MemoryBytes'] },
  usage_action_timeout: { status: 409, params: [] },
  engine_unavailable: { status: 409, params: ['Reason'] },
  image_missing: { status: 409, params: ['Image'] },
  image_build_failed: { status: 409, params: ['Image'] },
  // Opening a session through the gateway
  session_unreachable: { status: 502, params: [] },
  // Reasons of a failed start or a lost usage, carried by the usage itself
  ended_by_staff: { status: 409, params: ['Text'] },
  start_timed_out: { status: 409, params: ['Seconds'] },
  start_died: { status: 409, params: ['ExitCode'] },
  start_out_of_memory: { status: 409, params: [] },
  start_no_space: { status: 409, params: [] },
  start_failed: { status: 409, params: [] },
} as const satisfies Record<string, { status: number; params: readonly string[] }>;

export type ErrorCode = keyof typeof ERRORS;
