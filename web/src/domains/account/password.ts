/** Rules of passwords as a form shows them; the server holds them too. */
import { ACCOUNT_LIMITS } from '@hypercube/contract';

export type Strength = 'weak' | 'fair' | 'good';

/** A hint, not a rule: length and the kinds of characters; repeats and runs count little. */
export function passwordStrength(password: string): Strength {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) =>
    kind.test(password),
  ).length;
  const distinct = new Set(password).size;
  const score = Math.min(password.length, distinct + 3) + (kinds - 1) * 2;
  if (password.length < ACCOUNT_LIMITS.passwordMin || score < 11) return 'weak';
  return score < 15 ? 'fair' : 'good';
}

/** What is wrong with a change, by field; empty when nothing is. */
export interface PasswordProblems {
  readonly original?: 'required';
  readonly password?: 'length' | 'same';
  readonly confirmation?: 'differs';
}

export function checkPasswordChange(form: {
  readonly original: string;
  readonly password: string;
  readonly confirmation: string;
}): PasswordProblems {
  // As the contract counts: UTF-16 units.
  const { length } = form.password;
  const isLengthWrong = length < ACCOUNT_LIMITS.passwordMin || length > ACCOUNT_LIMITS.passwordMax;
  return {
    ...(form.original === '' ? { original: 'required' as const } : {}),
    ...(isLengthWrong
      ? { password: 'length' as const }
      : form.password === form.original
        ? { password: 'same' as const }
        : {}),
    ...(form.password === form.confirmation ? {} : { confirmation: 'differs' as const }),
  };
}
