/** `npm start`: prepares a bare clone and runs the platform. */
import {
  GATEWAY_FLAGS,
  buildPages,
  installDependencies,
  installSystemPackages,
  nodePath,
  say,
  spawnNode,
} from './lib/prepare.mjs';

const began = Date.now();
// A gateway stands alone and has no pages; what it carries it does not keep, so its heap stays small.
const isGateway = process.env.HC_ROLES?.trim() === 'gateway';
try {
  if (process.argv.includes('--help')) {
    say(
      'npm start — installs what is missing, builds what changed, and runs Hypercube. Settings: docs/guide/configuration.md',
    );
    process.exit(0);
  }
  installSystemPackages(false);
  installDependencies();
  if (!isGateway) buildPages();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
const seconds = Math.round((Date.now() - began) / 1000);
if (seconds > 2)
  say(
    `Prepared in ${seconds} s. The practice images are built in the background (about five minutes, once); the site works meanwhile.`,
  );

const server = spawnNode([...(isGateway ? GATEWAY_FLAGS : []), 'server/src/main.ts']);
server.once('error', (error) => {
  process.stderr.write(`${nodePath()} could not be started: ${error.message}\n`);
  process.exit(1);
});
server.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

// A Ctrl-C of the terminal reaches the server by itself; it ends in order, and we after it.
let isEnding = false;
process.on('SIGINT', () => {
  isEnding = true;
});
process.on('SIGTERM', () => {
  isEnding = true;
  server.kill('SIGTERM');
});
// However our parent ends, the server must not go on without anybody.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid === parent || isEnding) return;
  isEnding = true;
  server.kill('SIGTERM');
}, 1000).unref();
