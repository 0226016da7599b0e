/**
 * Builds the practice images: `node server/src/engines/containers/build-cli.ts [name…]`.
 *
 * `--data=<folder>` names the installation (default `data`); the images themselves go to the
 * engine's image store, see docs/guide/engines.md.
 */
import { parseArgs } from 'node:util';
import { findContainerHost } from './container-host.ts';
import { type BuildProgress, buildImages } from './image-build.ts';

const { values, positionals } = parseArgs({
  options: { data: { type: 'string', default: 'data' } },
  allowPositionals: true,
});
const abort = new AbortController();
process.once('SIGINT', () => abort.abort());
process.once('SIGTERM', () => abort.abort());

const host = await findContainerHost({ dataDir: values.data, log: (line) => console.error(line) });
if (host.kind === 'none') {
  console.error(`no container engine: ${host.reason}`);
  process.exit(1);
}
try {
  const built = await buildImages(host, {
    ...(positionals.length > 0 ? { only: positionals } : {}),
    signal: abort.signal,
    onProgress: report,
  });
  for (const image of built) {
    const how = image.isNew ? `built in ${image.seconds.toFixed(1)} s` : 'was there';
    console.log(`${image.reference} ${how}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await host.close();
}

/** One line each, so that it reads as well in a log as in a terminal. */
function report(progress: BuildProgress): void {
  const seconds = ((Date.now() - progress.startedAt.getTime()) / 1000).toFixed(0);
  const { image, step, steps, text } = progress;
  console.log(`${image} ${step}/${steps} ${seconds}s ${text.slice(0, 100)}`);
}
