/** Names that people give to files: shown, stored and mounted, so they hold no surprise. */

/** Of one name; the limit of the usual file systems. */
const NAME_BYTES = 255;
/** Of a whole path, so that it fits below every folder of ours. */
const PATH_BYTES = 512;

/** Signs that turn the direction of writing: `gnp.exe` could be shown as `exe.png`. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/u;

/** Whether a name is one plain name: not a path, and nothing in it that is not seen. */
export const isPlainName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  name.isWellFormed() &&
  !/[/\\\p{Cc}\u2028\u2029]/u.test(name) &&
  !DIRECTION.test(name) &&
  name.trim() === name &&
  Buffer.byteLength(name) <= NAME_BYTES;

/** Whether a path is not longer than what fits everywhere. */
export const isShortPath = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES;

/** What two names have in common that some file system, or some reader, takes for one. */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();
