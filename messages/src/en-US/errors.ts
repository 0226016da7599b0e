/** The text of every error code. Where work could be in doubt, it says what happened to it. */
import { list, number, titlesOf } from '../values.ts';
import type { ErrorTexts } from '../types.ts';

const after = (value: unknown): string => {
  const seconds = number(value);
  if (seconds === null) return 'try again later';
  if (seconds > 90) return `try again in ${Math.ceil(seconds / 60)} minutes`;
  const whole = Math.ceil(seconds);
  return whole === 1 ? 'try again in 1 second' : `try again in ${whole} seconds`;
};
const names = (value: unknown): string => list(value, ', ');
const mebibytes = (value: unknown): string => {
  const bytes = number(value);
  return bytes === null ? '' : `. The limit is ${(bytes / 1_048_576).toFixed(1)} MiB`;
};

const zipReasons: Readonly<Record<string, string>> = {
  traversal: 'a path leads out of it',
  link: 'it holds a link or a special file',
  too_many: 'it holds too many files',
  too_large: 'it is too large when unpacked',
  ratio: 'its compression ratio is abnormal',
  encrypted: 'it is encrypted',
  damaged: 'it is damaged',
  name: 'a file name cannot be used',
  empty: 'it holds no file',
};

const testsReasons: Readonly<Record<string, string>> = {
  folder: 'it holds a folder; the files must lie in the archive itself',
  foreign: 'only files such as input1.txt and output1.txt belong into it',
  number: 'numbers begin at 1 and have no zeros in front',
  pair: 'this file of a pair is missing',
  gap: 'the numbers have a gap; this file is missing',
  too_many: 'at most 100 pairs',
};

export const errors: ErrorTexts = {
  invalid_input: (params) => {
    const fields = names(params['Fields']);
    return fields === ''
      ? 'Something in the input is wrong; nothing was saved'
      : `Something in the input is wrong; nothing was saved. Please check: ${fields}`;
  },
  body_too_large: (params) => {
    const limit = number(params['LimitBytes']);
    return limit === null
      ? 'That is too large; nothing was saved'
      : `That is too large; nothing was saved. The limit is ${(limit / 1_048_576).toFixed(1)} MiB`;
  },
  unsupported_media_type: 'This kind of content is not supported; nothing was saved',
  not_found: 'The content does not exist or was deleted',
  not_signed_in: 'You are not logged in. Please log in first',
  forbidden: 'You may not do this; nothing was changed',
  foreign_origin: 'The request came from another site and was refused; nothing was changed',
  too_many_requests: (params) => `Too many requests; ${after(params['RetryAfterSeconds'])}`,
  internal:
    'The server has a problem, so this may not have been done; what was saved before is not affected',
  storage_full: 'Your storage is not enough; no file was written. Please remove some files first',
  wrong_credentials: 'Wrong username or password',
  too_many_guesses: (params) => `Too many attempts; ${after(params['RetryAfterSeconds'])}`,
  account_disabled: 'This account is disabled; please contact an administrator',
  captcha_failed: 'The human check was not passed; please try it again',
  captcha_unavailable:
    'The human check cannot be reached now; what you entered is still here, please try again later',
  captcha_not_ours: 'The human check was just set up differently; reload the page and try again',
  wrong_code: 'The code is wrong or no longer valid; check it, or get a new one',
  code_too_soon: (params) => `A mail was sent just now; ${after(params['RetryAfterSeconds'])}`,
  username_taken: 'This username is taken; please choose another',
  email_taken: 'This e-mail address is taken; please use another',
  reset_link_invalid:
    'The link is no longer valid or was used already; the password was not changed. Please ask for a new one',
  registration_closed: 'Registration is closed here. Please ask an administrator.',
  registration_domain: ({ Domains }) =>
    `Only these e-mail addresses can register: ${Array.isArray(Domains) ? Domains.join(', ') : ''}`,
  registration_identity: 'This identity cannot register on its own. Please ask an administrator.',
  secret_needed:
    'Please enter the password or the secret: none is kept, or the address or name that it belongs to has changed.',
  mail_off: 'There is no mail server; mails stay on this machine.',
  mail_not_failed: 'This mail does not wait to be sent again; nothing was changed',
  wrong_original_password: 'The password is not right; nothing was changed',
  password_not_set: 'This account has no password yet. Set one first, by “Forgot password”',
  sso_failed: 'Signing on at the other site did not work; please try again',
  sso_unavailable:
    'Signing on at the other site is not available now. Try again later, or use your password',
  identity_taken:
    'That identity, or this account’s place for one of its kind, is linked already; nothing was changed',
  last_way_in: 'This is the only way into the account, so it stays. Set a password first',
  recipients_missing: 'Choose to whom it goes',
  recipients_unknown: (params) => `These users were not found: ${names(params['Names'])}`,
  suggestion_finished: 'This suggestion is finished and cannot be changed or answered',
  resource_waiting:
    'One of your applications already waits for review at this centre; no other one was sent',
  resource_approved: 'This application is approved and can no longer be changed or withdrawn',
  resource_account_missing: 'This application has no account yet',
  resource_account_unreadable:
    'The account that is kept cannot be opened: the server’s key has changed. The centre’s staff must give it again',
  resource_way_in_missing: 'Neither a password nor a private key was given; nothing was saved',
  picture_missing: 'A picture was not uploaded or has expired; please add it again',
  copy_conflict: (params) => {
    const files = names(params['Names']);
    return files === ''
      ? 'Files of the same name exist; no file was written'
      : `Files of the same name exist; no file was written: ${files}`;
  },
  copy_unsafe: (params) => {
    const files = names(params['Names']);
    return files === ''
      ? 'There are links or special files in the way; no file was written'
      : `There are links or special files in the way; no file was written: ${files}`;
  },
  changed_meanwhile:
    'Somebody changed it after you opened it; your change was not saved. Load it again and repeat the change',
  in_use: (params) => {
    const titles = names(titlesOf(params['Dependents']));
    return titles === ''
      ? 'Something still uses it; nothing was changed'
      : `Something still uses it; nothing was changed: ${titles}`;
  },
  order_incomplete:
    'The order misses some entries or has too many; nothing was changed. Load it again',
  last_admin: 'There must be at least one administrator who can sign in; nothing has changed',
  own_account: 'You cannot disable or delete your own account',
  application_not_waiting:
    'This application has been answered already; nothing has changed. Please reload',
  reason_missing: 'A rejection needs a reason; nothing has changed',
  user_name_differs: 'The username is not the same; nothing was deleted',
  sheet_unreadable:
    'This list cannot be read. Use xlsx, xls or csv, with “username” and “email” in the first row',
  sheet_too_long: (params) =>
    `A list may have ${names(params['Limit'])} rows at most; nothing was read`,
  import_refused: (params) =>
    `Rows ${names(params['Rows'])} cannot be imported now; no account was made. Please preview again`,
  upload_missing: 'No file arrived',
  upload_too_large: (params) =>
    `The file is too large; nothing was saved${mebibytes(params['LimitBytes'])}`,
  upload_type: (params) =>
    `This kind of file is not supported; nothing was saved. You can upload: ${names(params['Allowed'])}`,
  file_name_invalid: (params) =>
    `The file name “${names(params['Name'])}” cannot be used; nothing was saved`,
  file_exists: (params) =>
    `There is a file named “${names(params['Name'])}” already; nothing was saved`,
  zip_refused: (params) => {
    const reason = zipReasons[names(params['Reason'])] ?? 'it is not safe';
    const file = names(params['Name']);
    return file === ''
      ? `The archive was not accepted: ${reason}`
      : `The archive was not accepted: ${reason} (${file})`;
  },
  lab_incomplete: 'A published lab has at least one task and a specification that can be opened',
  course_code_wrong: 'Wrong invitation code',
  course_code_expired: 'Please join the course within the valid period',
  course_code_missing:
    'A private course, and joining by code, need an invitation code; nothing was saved',
  course_period_reversed: 'The code’s period ends before it begins; nothing was saved',
  course_staff: 'This user works on the course already',
  person_unknown: (params) => `Nobody has the username or e-mail “${names(params['Name'])}”`,
  collaborator_no_teacher: (params) =>
    `“${names(params['Name'])}” is no teacher; a course is shared with teachers only`,
  homework_corrected:
    'This homework is corrected; it can be handed in again once a teacher resets it. Nothing was handed in',
  homework_not_member: 'Only members hand in homework; you work on this course',
  homework_period_reversed: 'The homework is due before it opens; nothing was saved',
  homework_score_given: (params) =>
    `Somebody has ${names(params['Score'])} points; the maximum cannot be lower. Nothing was saved`,
  submission_empty: 'There is neither a text nor a file; nothing was handed in',
  score_too_high: (params) =>
    `The maximum is ${names(params['MaxScore'])} points; nothing was saved`,
  language_not_offered: 'This problem does not take this language. Nothing was submitted',
  submissions_waiting: (params) =>
    `At most ${names(params['Limit'])} submissions wait at a time. Submit again when one is judged; your code is still there`,
  submission_not_done: 'This submission is waiting to be judged. Nothing changed',
  tests_missing: 'This problem has no tests yet. Upload them first',
  reference_missing: 'There is no reference code in this language. Write and save it first',
  tests_refused: (params) => {
    const reason = testsReasons[names(params['Reason'])] ?? 'it is not as it should be';
    return `The tests were not taken: ${reason} (${names(params['Name'])})`;
  },
  too_many_nodes: (params) => `A specification has at most ${names(params['Limit'])} nodes`,
  node_name_taken: (params) => `There is a node named “${names(params['Name'])}” already`,
  image_type_differs:
    'The types differ: specification, image and content must be the same kind of environment',
  built_in: 'It came with the platform and cannot be deleted',
  not_built_in: 'Only images that came with the platform can be built again',
  commit_too_late: 'Less than 5 minutes are left, so no image can be committed. Renew first',
  commit_under_way: 'The last commit or build is still under way',
  commit_failed: 'The image was not committed; the version before stays in use',
  computer_exists: 'You have a personal computer already',
  computer_name_differs: 'The name that you typed differs; nothing was deleted',
  usage_sessions_full: (params) =>
    `${names(params['Limit'])} environments are open, which is the limit; nothing was opened. Try again later`,
  ended_by_staff: (params) => `Staff ended this environment: ${names(params['Text'])}`,
  usage_exists: 'You already have an environment; no new one was opened',
  session_unreachable:
    'The environment cannot be reached right now; it and its files are not affected',
  usage_already_running: 'The environment is already running',
  usage_not_running: 'The environment is not running',
  usage_not_ready: 'The environment is not ready yet; please wait',
  usage_renewal_too_late:
    'It cannot be renewed in the last minute; it will close then, and files in data are kept',
  usage_expired: 'The environment’s time was up and it has closed; files in data are kept',
  usage_queue_full: (params) => {
    const limit = number(params['Limit']);
    return limit === null
      ? 'The queue is full and you were not added; try again later'
      : `The queue has reached its limit of ${limit} and you were not added; try again later`;
  },
  usage_too_large: (params) => {
    const cpus = number(params['Cpus']);
    const memory = number(params['MemoryBytes']);
    return cpus === null || memory === null
      ? 'This environment is larger than the machine offers; it was not opened'
      : `This environment needs ${cpus} cores and ${(memory / 1_073_741_824).toFixed(1)} GiB of memory, more than the machine offers; it was not opened`;
  },
  usage_action_timeout:
    'The environment did not answer in time, so its state may not have changed; its files are not affected',
  engine_unavailable:
    'The machine that runs environments is unavailable; your files are not affected. Try again later',
  image_missing: (params) =>
    `The image ${names(params['Image'])} does not exist, so the environment was not opened; please contact your teacher or an administrator`,
  image_build_failed: (params) =>
    `The image ${names(params['Image'])} could not be built, so the environment was not opened; please contact an administrator`,
  start_timed_out: (params) => {
    const seconds = number(params['Seconds']);
    return seconds === null
      ? 'The environment did not answer for too long and was given up; your files are unchanged'
      : `The environment did not answer within ${seconds} seconds and was given up; your files are unchanged`;
  },
  start_died: (params) => {
    const code = number(params['ExitCode']);
    return code === null
      ? 'The environment’s program ended right after it started; your files are unchanged'
      : `The environment’s program ended right after it started (exit code ${code}); your files are unchanged`;
  },
  start_out_of_memory: 'The environment ran out of memory while starting; your files are unchanged',
  start_no_space:
    'The machine’s disk is full, so the environment did not start; your files are unchanged. Please contact an administrator',
  start_failed: 'The environment did not start; your files are unchanged. Please try again',
};
