import { createHmac, createPrivateKey, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands before the 32 bytes of a seed in an Ed25519 private key (PKCS #8, RFC 8410). */
const ed25519Header = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The SSH key of a usage's nodes, PEM in base64. It is derived and not drawn, so a creation that
 * was interrupted goes on with the same key; the secret behind it never leaves the data folder.
 */
export function clusterKey(containersDir: string, usageID: number): string {
  const seed = createHmac('sha256', readSecret(containersDir)).update(`usage ${usageID}`).digest();
  const key = createPrivateKey({
    key: Buffer.concat([ed25519Header, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return Buffer.from(key.export({ format: 'pem', type: 'pkcs8' })).toString('base64');
}

function readSecret(containersDir: string): Buffer {
  mkdirSync(containersDir, { recursive: true, mode: 0o700 });
  const path = join(containersDir, 'cluster-secret');
  try {
    writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path);
}
