/** Kinds of pictures and videos that a text may show, told by what a file is and not by its name. */
import { open } from 'node:fs/promises';

/** Extension → content type; anything else is handed out as a download. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
};

/** What may be sent. */
export const MEDIA_EXTENSIONS = ['png', 'jpg', 'gif', 'webp', 'svg', 'mp4', 'webm'] as const;
type Extension = (typeof MEDIA_EXTENSIONS)[number];

const HEAD_BYTES = 4096;

const at = (head: Buffer, offset: number, text: string): boolean =>
  head.subarray(offset, offset + text.length).toString('latin1') === text;

/** A drawing begins with its root element; before it may be a declaration, comments and a DOCTYPE. */
const SVG =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s/>]/;

const SIGNS: readonly (readonly [Extension, (head: Buffer) => boolean])[] = [
  ['png', (head) => at(head, 0, '\x89PNG\r\n\x1A\n')],
  ['jpg', (head) => at(head, 0, '\xFF\xD8\xFF')],
  ['gif', (head) => at(head, 0, 'GIF87a') || at(head, 0, 'GIF89a')],
  ['webp', (head) => at(head, 0, 'RIFF') && at(head, 8, 'WEBP')],
  ['mp4', (head) => at(head, 4, 'ftyp')],
  ['webm', (head) => at(head, 0, '\x1A\x45\xDF\xA3') && head.subarray(0, 64).includes('webm')],
  ['svg', (head) => SVG.test(head.toString('utf8'))],
];

/** Kind of a file; undefined when it is none that a text may show. */
export async function mediaKindOf(path: string): Promise<Extension | undefined> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    return SIGNS.find(([, isKind]) => isKind(head))?.[0];
  } finally {
    await handle.close();
  }
}
