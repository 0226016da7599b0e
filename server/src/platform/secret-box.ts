/**
 * Secrets at rest: AES-256-GCM, with a key that lies beside the data and not in the database, so
 * that a copy of the database alone tells none of them.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Before each sealed secret, for the day on which another way is better. */
const FORM = 'v1';

/** @param key 32 bytes, as base64 */
const keyOf = (key: string): Buffer => Buffer.from(key.trim(), 'base64');

/** Whether a text is a key. */
export const isSecretKey = (key: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(key.trim()) && keyOf(key).length === KEY_BYTES;

export class SecretBox {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * Opens the box of an installation; its key is made at the first time, and given to nobody else.
   * @param dataFolder absolute
   * @param configured the key of several servers that have no data folder in common
   * @throws Error when the key's file holds no key: what was sealed with it would be lost unseen
   */
  static async open(dataFolder: string, configured: string | undefined): Promise<SecretBox> {
    if (configured !== undefined) return new SecretBox(keyOf(configured));
    const path = join(dataFolder, 'secret.key');
    const found = await readFile(path, 'utf8').catch(() => undefined);
    const key = found ?? (await SecretBox.#make(dataFolder, path));
    if (!isSecretKey(key)) throw new Error(`${path} holds no key; put back the one of the backup`);
    return new SecretBox(keyOf(key));
  }

  /** Of two processes that begin together, one makes the key and both read it. */
  static async #make(dataFolder: string, path: string): Promise<string> {
    await mkdir(dataFolder, { recursive: true });
    const made = `${path}.${randomUUID()}`;
    await writeFile(made, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    try {
      await link(made, path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(made, { force: true });
    }
    return readFile(path, 'utf8');
  }

  /** @param purpose what it is for; sealed for one it opens for no other */
  seal(purpose: string, secret: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return [FORM, Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')].join('.');
  }

  /** @returns the secret; undefined when this key did not seal it, for this */
  unseal(purpose: string, sealed: string): string | undefined {
    const [form, text = ''] = sealed.split('.', 2);
    const bytes = Buffer.from(text, 'base64');
    if (form !== FORM || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
