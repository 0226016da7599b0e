/**
 * A reporter for Vitest: writes what did not pass at its first try to the file that the variable
 * `HC_TEST_OUTCOMES` names, as a list of {@link import('./outcomes.mjs').Outcome}. Vitest's own
 * JSON leaves out errors of hooks, errors outside of tests, and the differences.
 */
import { writeFileSync } from 'node:fs';
import { shortened } from './outcomes.mjs';

const reasonOf = (errors) =>
  errors
    .map(({ message, diff, stacks }) => {
      const at = stacks?.[0] ? `at ${stacks[0].file}:${stacks[0].line}` : undefined;
      return shortened([message, diff, at].filter(Boolean).join('\n'));
    })
    .join('\n');

/** Failed and retried tests, suites and files whose hooks failed. */
function outcomesOf(testModule) {
  const file = testModule.relativeModuleId;
  const found = [];
  const add = (state, name, errors) => {
    const test = name === undefined ? file : `${file} › ${name}`;
    found.push({ state, test, reason: reasonOf(errors) });
  };
  if (testModule.errors().length > 0) add('FAILED', undefined, testModule.errors());
  for (const suite of testModule.children.allSuites())
    if (suite.errors().length > 0) add('FAILED', suite.fullName, suite.errors());
  for (const test of testModule.children.allTests()) {
    const { state, errors = [] } = test.result();
    if (state === 'failed') add('FAILED', test.fullName, errors);
    else if (test.diagnostic()?.flaky) add('flaky', test.fullName, errors);
  }
  return found;
}

export default class Outcomes {
  onTestRunEnd(testModules, unhandledErrors) {
    const outcomes = testModules.flatMap(outcomesOf);
    if (unhandledErrors.length > 0)
      outcomes.push({
        state: 'FAILED',
        test: 'outside the tests',
        reason: reasonOf(unhandledErrors),
      });
    writeFileSync(process.env.HC_TEST_OUTCOMES, JSON.stringify(outcomes));
  }
}
