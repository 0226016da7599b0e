/** The first picture of a text: its place is kept before it comes, so that nothing jumps. */
import { isRelative } from './transform.ts';

export interface KnownPicture {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

const PICTURE = /!\[[^\]]*\]\(\s*([^\s)]+)[^)]*\)/;
const STILL = /\.(?:svg|png|jpe?g|gif|webp|avif)$/i;
/** A text is not kept back longer than this for the sake of a picture. */
const MEASURE_MS = 1500;

/** Address of the first picture of a text; null without one of this site. */
export function firstPicture(text: string, mediaPath: string): string | null {
  const address = PICTURE.exec(text)?.[1] ?? '';
  return isRelative(address) && STILL.test(address)
    ? `${mediaPath.replace(/\/$/, '')}/${address}`
    : null;
}

/** Loads a picture and tells its size; null when it does not come in time. */
export function measurePicture(src: string): Promise<KnownPicture | null> {
  return new Promise((resolve) => {
    const image = new Image();
    const limit = setTimeout(() => resolve(null), MEASURE_MS);
    const end = (size: KnownPicture | null): void => {
      clearTimeout(limit);
      resolve(size);
    };
    image.addEventListener('error', () => end(null));
    image.addEventListener('load', () => {
      const { naturalWidth: width, naturalHeight: height } = image;
      // A drawing without a size of its own has none to keep.
      end(width > 0 && height > 0 ? { src, width, height } : null);
    });
    image.src = src;
  });
}
