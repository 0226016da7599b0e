/**
 * What did not pass at its first try. Whoever reads only the end of a long run still learns which
 * tests those were, and why.
 *
 * @typedef {object} Outcome
 * @property {'FAILED' | 'flaky'} state flaky: passed when it was tried again
 * @property {string} test file and title
 * @property {string} reason the first lines of its errors, without colours
 */

import { stripVTControlCharacters } from 'node:util';

/** Lines of an error that are told again. */
const LINES = 24;

/** An error's text for the end of a run. */
export const shortened = (text) =>
  stripVTControlCharacters(text).split('\n').slice(0, LINES).join('\n').trimEnd();

/**
 * @param report of Playwright's JSON reporter
 * @returns {Outcome[]}
 */
export function browserOutcomes(report) {
  const visit = (suite) => [
    ...(suite.suites ?? []).flatMap(visit),
    ...(suite.specs ?? []).flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) => ({
          state: status === 'flaky' ? 'flaky' : 'FAILED',
          test: `${file}:${line} › ${title}`,
          reason: shortened(results.find(({ error }) => error)?.error.message ?? ''),
        })),
    ),
  ];
  return [
    ...report.suites.flatMap(visit),
    ...report.errors.map((error) => ({
      state: 'FAILED',
      test: 'outside the tests',
      reason: shortened(error.message ?? ''),
    })),
  ];
}
