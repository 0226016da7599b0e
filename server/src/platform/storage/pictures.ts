/**
 * Pictures that users send: decoded and made anew, so that nothing of the file that was sent
 * remains, neither what a camera wrote into it nor what somebody hid in it.
 */
import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { DomainError } from '../errors.ts';

/** A picture that says it is larger than this is not decoded. */
const PIXELS = 50_000_000;
/** The kinds that are decoded; SVG is a program and not among them. */
export const PICTURE_KINDS = ['png', 'jpg', 'gif', 'webp'] as const;

/** How each kind begins; nothing else is handed to the decoder, whatever the file calls itself. */
const SIGNS = ['\x89PNG\r\n\x1A\n', '\xFF\xD8\xFF', 'GIF87a', 'GIF89a', 'RIFF'] as const;

async function isPicture(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    return SIGNS.some((sign) => head.startsWith(sign));
  } finally {
    await handle.close();
  }
}

/** How a picture is made anew: no larger than a box, or cut to fill a square. */
export type PictureShape =
  | { readonly fit: 'inside'; readonly side: number }
  | { readonly fit: 'square'; readonly side: number };

/**
 * Makes a WebP of a picture file.
 * @param path of the file as it was sent
 * @throws DomainError `upload_type` when it is no picture of the known kinds, or a broken one
 */
export async function makePicture(path: string, shape: PictureShape): Promise<Buffer> {
  const refusal = (cause?: unknown) =>
    new DomainError('upload_type', { Allowed: [...PICTURE_KINDS] }, { cause });
  if (!(await isPicture(path))) throw refusal();
  try {
    const picture = sharp(path, { limitInputPixels: PIXELS, pages: 1, failOn: 'error' });
    return await picture
      // A camera's "turn me" is done, since the mark itself does not stay.
      .rotate()
      .resize(shape.side, shape.side, {
        fit: shape.fit === 'square' ? 'cover' : 'inside',
        withoutEnlargement: shape.fit === 'inside',
      })
      .webp({ quality: 85 })
      .toBuffer();
  } catch (error) {
    throw refusal(error);
  }
}
