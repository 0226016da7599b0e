/** Passwords: argon2id. */
import { hash, verify } from '@node-rs/argon2';

/** The least that OWASP's cheat sheet asks of argon2id: 19 MiB, 2 passes, 1 lane. */
export const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, HASHING);

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits the hash. Without a hash (no such account, or one without a password)
 * it does the same work and says no, so that the time does not tell whether the account exists.
 */
export async function isPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('no account has this');
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && passwordHash != null;
}
