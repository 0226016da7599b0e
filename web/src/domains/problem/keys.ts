/** Keys of the cache, apart from the calls: the event stream needs them on every page. */

/** Everything about problems as learners see them. */
export const PROBLEM_KEY = ['problem'] as const;
/** What was submitted; the event stream says when something of it changed. */
export const SUBMISSION_KEY = ['problem-submission'] as const;
