/**
 * Takes an installation's containers away from this machine:
 * `node server/src/engines/containers/dismantle-cli.ts --data=<folder>`. Personal files and the
 * database stay; so do the built images.
 */
import { parseArgs } from 'node:util';
import { findContainerHost } from './container-host.ts';
import { dismantle } from './dismantle.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (!values.data) {
  console.error('usage: dismantle-cli.ts --data=<folder>');
  process.exit(2);
}
const host = await findContainerHost({ dataDir: values.data });
if (host.kind === 'none') {
  console.error(`no container engine: ${host.reason}`);
  process.exit(1);
}
await dismantle(host);
