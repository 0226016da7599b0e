/** Reads what an image says of its own contents. */
import type Docker from 'dockerode';
import type { ImagePart } from './engine.ts';
import { statusOf } from './engine-http.ts';

/** Written while the image is built: `[{ "Name": "gcc", "Version": "14.2" }]`. */
const CONTENTS_FILE = '/usr/share/hypercube/image.json';
/** An image may come from anywhere; its list is shown, and no list is as long. */
const CONTENTS_BYTES = 256 * 1024;
const PARTS = 100;
const TEXT = 80;

const BLOCK = 512;

/** Contents of the only file of a tar. */
function onlyFile(tar: Buffer): string {
  const size = Number.parseInt(tar.subarray(124, 136).toString('latin1'), 8);
  return Number.isSafeInteger(size) ? tar.subarray(BLOCK, BLOCK + size).toString('utf8') : '';
}

function partsOf(text: string): ImagePart[] {
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(listed)) return [];
  return (listed as { Name?: unknown; Version?: unknown }[])
    .filter((one) => typeof one?.Name === 'string' && typeof one.Version === 'string')
    .slice(0, PARTS)
    .map((one) => ({
      name: String(one.Name).slice(0, TEXT),
      version: String(one.Version).slice(0, TEXT),
    }));
}

/** @param container made of the image; it need not run */
export async function readImageParts(container: Docker.Container): Promise<ImagePart[]> {
  try {
    const stream = await container.getArchive({ path: CONTENTS_FILE });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > CONTENTS_BYTES) return [];
    }
    return partsOf(onlyFile(Buffer.concat(chunks)));
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
}
