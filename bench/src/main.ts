/**
 * All benches, or those named: `node bench/src/main.ts [name…] [--json=<file>]`. Progress goes to
 * standard error, one table to standard output. A missed target is told, not an error; a bench
 * that could not run is.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { benchDesktop } from './benches/desktop.ts';
import { benchGateway } from './benches/gateway.ts';
import { benchHub } from './benches/hub.ts';
import { benchJudge } from './benches/judge.ts';
import { benchKernel } from './benches/kernel.ts';
import { benchLabList } from './benches/lab-list.ts';
import { benchLearners } from './benches/learners.ts';
import { benchLogin } from './benches/login.ts';
import { benchMemory } from './benches/memory.ts';
import { benchOpen } from './benches/open.ts';
import { benchPages } from './benches/pages.ts';
import { benchPause } from './benches/pause.ts';
import { benchQueries } from './benches/queries.ts';
import { benchResume } from './benches/resume.ts';
import { benchSockets } from './benches/sockets.ts';
import { benchStart } from './benches/start.ts';
import { benchStarts } from './benches/starts.ts';
import { benchTerminals } from './benches/terminals.ts';
import { benchUsers } from './benches/users.ts';
import { benchTrack } from './benches/track.ts';
import {
  describeMachine,
  formatTable,
  progress,
  type Figures,
  type Result,
  type Row,
} from './kit/report.ts';

const BENCHES: Readonly<Record<string, () => Promise<Result>>> = {
  kernel: benchKernel,
  hub: benchHub,
  open: benchOpen,
  starts: benchStarts,
  pause: benchPause,
  resume: benchResume,
  terminals: benchTerminals,
  desktop: benchDesktop,
  gateway: benchGateway,
  sockets: benchSockets,
  memory: benchMemory,
  queries: benchQueries,
  'lab-list': benchLabList,
  login: benchLogin,
  learners: benchLearners,
  users: benchUsers,
  track: benchTrack,
  judge: benchJudge,
  start: benchStart,
  pages: benchPages,
};

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  progress(`no bench ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
const figures: Record<string, Figures> = {};
const failures: string[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const began = performance.now();
  progress(`${name}: begins`);
  try {
    const result = await bench();
    rows.push(...result.rows);
    figures[name] = result.figures;
    progress(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  } catch (error) {
    failures.push(name);
    progress(`${name}: could not run\n${error instanceof Error ? error.stack : String(error)}`);
  }
}

const machine = await describeMachine();
console.log(formatTable(rows, machine));
if (failures.length > 0) console.log(`Could not run: ${failures.join(', ')}`);
if (values.json !== undefined) {
  await writeFile(
    values.json,
    `${JSON.stringify({ machine, rows, figures, failures }, null, 2)}\n`,
  );
}
process.exit(failures.length > 0 ? 1 : 0);
