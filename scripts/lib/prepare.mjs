/**
 * What both commands need before anything of ours can run: system packages, dependencies, the
 * right Node. Plain JavaScript without dependencies: it runs on a bare clone, on Node 18 or newer.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Name of the npm package that brings Node 24 for this machine, and its version. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const NODE_VERSION = manifest.optionalDependencies[NODE_PACKAGE];

/** Programs that environments need, and the Debian packages that bring them. */
const ENGINE_PROGRAMS = {
  podman: 'podman',
  runc: 'runc',
  '/usr/lib/podman/netavark': 'netavark',
  conmon: 'conmon',
  iptables: 'iptables',
  mmdebstrap: 'mmdebstrap',
  'mkfs.xfs': 'xfsprogs',
  setpriv: 'util-linux',
};
/** What the browser tests need besides. */
const TEST_PROGRAMS = {
  chromium: 'chromium',
  bwrap: 'bubblewrap',
  '/usr/share/fonts/truetype/wqy': 'fonts-wqy-microhei',
};

export const say = (line) => process.stdout.write(`${line}\n`);

function hasProgram(name) {
  if (name.startsWith('/')) return existsSync(name);
  const folders = (process.env.PATH ?? '').split(':').concat('/usr/sbin', '/sbin', '/usr/bin');
  return folders.some((folder) => folder !== '' && existsSync(join(folder, name)));
}

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });

/**
 * Installs missing system packages where it may, else prints the exact command.
 * @param {boolean} forTests also what the browser tests need
 * @returns {boolean} whether everything is there now
 */
export function installSystemPackages(forTests) {
  if (process.platform !== 'linux') {
    say(
      'Practice environments need Linux; on this machine the site runs without them, unless CONTAINER_HOST names an engine.',
    );
    return false;
  }
  const wanted = { ...ENGINE_PROGRAMS, ...(forTests ? TEST_PROGRAMS : {}) };
  // Somebody who brings an engine needs no podman of ours.
  const hasEngine = process.env.CONTAINER_HOST || process.env.HC_ENGINE === 'off';
  const missing = Object.entries(wanted)
    .filter(
      ([program, name]) =>
        !hasProgram(program) && !(hasEngine && !forTests && name !== 'util-linux'),
    )
    .map(([, name]) => name);
  if (missing.length === 0) return true;
  const args = ['install', '-y', '--no-install-recommends', ...new Set(missing)];
  const isRoot = process.getuid() === 0;
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!hasProgram('apt-get') || (!isRoot && !hasSudo)) {
    say('');
    say('Practice environments need packages that are not installed. As an administrator, run:');
    say(`  sudo apt-get update && sudo apt-get ${args.join(' ')}`);
    say('Everything else works without them; the pages say so where an environment would open.');
    say('');
    return false;
  }
  say(`Installing system packages (about a minute): ${missing.join(' ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (words) =>
    isRoot
      ? run('apt-get', words, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
      : run('sudo', ['-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...words], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
  apt(['update', '-q']);
  if (apt(['-q', ...args]).status === 0) return true;
  say(`They could not be installed. Try: apt-get ${args.join(' ')}`);
  return false;
}

/** Hash of files and folders, so that nothing is done twice. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(ROOT, path);
    if (!existsSync(full)) return;
    if (!statSync(full).isDirectory()) {
      hash.update(path).update('\0').update(readFileSync(full)).update('\0');
      return;
    }
    for (const name of readdirSync(full).toSorted()) {
      if (name !== 'node_modules' && name !== 'dist') visit(join(path, name));
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

/** Does something only when its inputs changed since it last succeeded. */
export function once(name, paths, work) {
  const folder = join(ROOT, 'node_modules', '.hypercube');
  const stamp = join(folder, name);
  const hash = hashOf(paths);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  work();
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

const WORKSPACES = manifest.workspaces;

/**
 * Installs the dependencies under Node 24: npm picks versions by the Node that runs it. Not `npm
 * ci`: it refuses a lock file that lacks another platform's optional binary, and it would take the
 * dependencies away under a running platform.
 */
export function installDependencies() {
  if (NODE_VERSION === undefined)
    throw new Error(`There is no Node 24 package for ${process.platform} on ${process.arch}.`);
  once(
    'installed',
    ['package-lock.json', 'package.json', ...WORKSPACES.map((name) => `${name}/package.json`)],
    () => {
      say('Installing dependencies (one to two minutes)…');
      const environment = { ...process.env, npm_config_fund: 'false', npm_config_audit: 'false' };
      const { status } = run(
        'npx',
        [
          '-y',
          '-p',
          `${NODE_PACKAGE}@${NODE_VERSION}`,
          '-c',
          'npm install --no-save --loglevel=error',
        ],
        { env: environment },
      );
      if (status !== 0)
        throw new Error('The dependencies could not be installed; npm has said why.');
    },
  );
}

/** Path of Node 24. */
export function nodePath() {
  return join(ROOT, 'node_modules', NODE_PACKAGE, 'bin', 'node');
}

/** Runs one of our programs on Node 24 to its end. @returns {number} its exit code */
export function runNode(args, options = {}) {
  return run(nodePath(), args, options).status ?? 1;
}

/**
 * V8's settings for a process that only carries sessions: what passes through it is kept outside
 * the heap, which may stay small.
 */
export const GATEWAY_FLAGS = ['--optimize-for-size', '--max-semi-space-size=1'];

/** Starts one of our programs on Node 24. */
export function spawnNode(args, options = {}) {
  return spawn(nodePath(), args, { cwd: ROOT, stdio: 'inherit', ...options });
}

/** Builds the pages when their sources changed. */
export function buildPages() {
  once('pages', ['web', 'messages/src', 'contract/src', 'package-lock.json'], () => {
    say('Building the pages (about half a minute)…');
    if (runNode(['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']) !== 0)
      throw new Error('The pages could not be built.');
    if (runNode(['scripts/compress.ts', 'web/dist']) !== 0)
      throw new Error('The pages could not be compressed.');
  });
}
