/** Generated pages of the guide: the configuration and the access table. `--check` only compares. */
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { SETTINGS } from '../server/src/platform/config.ts';
import { accessTable } from '../server/src/testing/access-table.ts';

/** The machine's own size is the default of some settings; the page must not depend on it. */
const DEPENDS_ON_MACHINE = new Set([
  'HC_CAPACITY_CPUS',
  'HC_CAPACITY_MEMORY_MIB',
  'HC_JUDGE_SLOTS',
]);

function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, rule]) => {
    const schema = z.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' }) as {
      default?: string | number;
      description?: string;
      enum?: string[];
    };
    const description =
      z.globalRegistry.get(rule as z.ZodType)?.description ?? schema.description ?? '';
    const fallback =
      DEPENDS_ON_MACHINE.has(name) || schema.default === undefined ? '' : `\`${schema.default}\``;
    const values = schema.enum ? ` (${schema.enum.map((value) => `\`${value}\``).join(', ')})` : '';
    return `| \`${name}\` | ${fallback} | ${description}${values} |`;
  });
  return [
    '# Configuration',
    '',
    'Settings are environment variables. They are checked at start; an unknown `HC_*` name or a bad value stops it with a sentence that says so. This page is generated from the schema by `npm run docs`.',
    '',
    '| setting | default | meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const pages = {
  'docs/guide/configuration.md': configurationPage(),
  'docs/guide/access.md': accessTable(),
};
const isCheck = process.argv.includes('--check');
for (const [path, page] of Object.entries(pages)) {
  const url = new URL(`../${path}`, import.meta.url);
  if (!isCheck) await writeFile(url, page);
  else if ((await readFile(url, 'utf8').catch(() => '')) !== page) {
    process.stderr.write(`${path} is out of date: npm run docs\n`);
    process.exitCode = 1;
  }
}
