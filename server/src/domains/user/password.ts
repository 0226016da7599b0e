/** Passwords: argon2id, with the parameters that OWASP's cheat sheet names first (19 MiB, 2 passes). */
import { hash, verify } from '@node-rs/argon2';

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

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
