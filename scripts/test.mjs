/**
 * `npm test`: everything, from a bare clone, with one summary at the end. With names it runs only
 * those layers: check, rules, server, engines, e2e.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserOutcomes } from './lib/outcomes.mjs';
import {
  installDependencies,
  installSystemPackages,
  buildPages,
  runNode,
  say,
} from './lib/prepare.mjs';

/** Where the layers write what became of their tests, to be told again at the end. */
const reports = mkdtempSync(join(tmpdir(), 'hypercube-reports-'));
const reportOf = (name) => join(reports, `${name}.json`);
const vitest = (project) => ({
  args: [
    'node_modules/vitest/vitest.mjs',
    'run',
    `--project=${project}`,
    '--reporter=default',
    '--reporter=./scripts/lib/vitest-outcomes.mjs',
  ],
  env: { HC_TEST_OUTCOMES: reportOf(project) },
  readOutcomes: (report) => report,
});
/** In this order: what fails fast comes first. */
const STEPS = [
  { layer: 'check', name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
  {
    layer: 'check',
    name: 'types',
    args: ['node_modules/typescript7/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  },
  {
    layer: 'check',
    name: 'lint',
    args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  },
  {
    layer: 'check',
    name: 'architecture',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      'contract',
      'messages',
      'server/src',
      'web/src',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  },
  { layer: 'check', name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
  { layer: 'check', name: 'texts', args: ['messages/check.ts'] },
  { layer: 'check', name: 'content', args: ['content/validate.ts'] },
  { layer: 'check', name: 'generated pages', args: ['scripts/docs.ts', '--check'] },
  { layer: 'rules', name: 'rules', needsPages: true, ...vitest('rules') },
  { layer: 'server', name: 'server', ...vitest('server') },
  { layer: 'engines', name: 'engines', ...vitest('engines') },
  {
    layer: 'e2e',
    name: 'browser',
    needsPages: true,
    args: [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config=e2e/playwright.config.ts',
      '--reporter=list,json',
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('browser') },
    readOutcomes: browserOutcomes,
  },
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !STEPS.some(({ layer }) => layer === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no layer ${unknown.join(', ')}.\n`);
  process.exit(2);
}
const steps = STEPS.filter(({ layer }) => chosen.length === 0 || chosen.includes(layer));
const results = [];
const began = Date.now();
try {
  if (steps.some(({ layer }) => layer === 'engines' || layer === 'e2e' || layer === 'server'))
    installSystemPackages(true);
  installDependencies();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
for (const step of steps) {
  const startedAt = Date.now();
  say(`\n=== ${step.name} ===`);
  let status = 1;
  try {
    if (step.needsPages) buildPages();
    status = runNode(step.args, { env: { ...process.env, ...step.env } });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  results.push({
    name: step.name,
    isPassed: status === 0,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  });
}
const outcomes = steps.flatMap(({ name, readOutcomes }) => {
  if (readOutcomes === undefined) return [];
  try {
    return readOutcomes(JSON.parse(readFileSync(reportOf(name), 'utf8'))).map((one) => ({
      ...one,
      name,
    }));
  } catch {
    return [{ name, state: 'FAILED', test: 'the run itself, which left no report', reason: '' }];
  }
});
rmSync(reports, { recursive: true, force: true });
if (outcomes.length > 0) say('\n=== What did not pass at its first try ===');
for (const { name, state, test, reason } of outcomes)
  say(
    `${state}  ${name}: ${test}${reason === '' ? '' : `\n${reason.replaceAll(/^/gm, '          ')}`}`,
  );
say('\n=== Summary ===');
for (const { name, isPassed, seconds } of results)
  say(`${isPassed ? 'passed' : 'FAILED'}  ${name.padEnd(18)} ${seconds} s`);
const passed = results.filter(({ isPassed }) => isPassed).length;
say(`All in ${Math.round((Date.now() - began) / 1000)} s.`);
say(`Steps: ${passed} passed, ${results.length - passed} failed`);
process.exit(passed === results.length ? 0 : 1);
