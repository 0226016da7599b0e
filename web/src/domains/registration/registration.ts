/** Rules of registration as the form shows them; the server holds them too. */
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  PHONE_PATTERN,
  USERNAME_PATTERN,
  seenLine,
  type University,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';

/** What is kept as a draft: no password and no code. */
export const EMPTY = {
  Username: '',
  Email: '',
  Nickname: '',
  Phone: '',
  Gender: '',
  Type: '',
  Organisation: '',
  StudentNumber: '',
};
export type Values = typeof EMPTY;
export interface Secrets {
  readonly code: string;
  readonly password: string;
  readonly confirmation: string;
}

/** Enough to know that somebody is still typing; the server knows better. */
export const isEmail = (text: string): boolean =>
  /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text) && text.length <= ACCOUNT_LIMITS.emailMax;

export const isUsername = (text: string): boolean => USERNAME_PATTERN.test(text);

/** Code points, as the server counts a nickname. */
const lengthOf = (text: string): number => Array.from(seenLine(text)).length;

/** What is wrong with a new password and its repetition. */
export function passwordErrors(
  { password, confirmation }: Pick<Secrets, 'password' | 'confirmation'>,
  messages: Catalogue,
): { password?: string; confirmation?: string } {
  const { passwordMin, passwordMax } = ACCOUNT_LIMITS;
  return {
    ...(password.length < passwordMin || password.length > passwordMax
      ? { password: messages.account.passwordLength(passwordMin, passwordMax, password.length) }
      : {}),
    ...(password === confirmation ? {} : { confirmation: messages.account.passwordsDiffer }),
  };
}

/** What is wrong, by field; empty when nothing is. */
export function registrationErrors(
  values: Values,
  secrets: Secrets,
  messages: Catalogue,
): Record<string, string> {
  const words = messages.registration;
  const { nicknameMin, nicknameMax } = ACCOUNT_LIMITS;
  const nickname = lengthOf(values.Nickname);
  const found: Record<string, string | undefined> = {
    Username: isUsername(values.Username.trim()) ? undefined : words.usernameWrong,
    Email: isEmail(values.Email.trim()) ? undefined : words.emailWrong,
    EmailCode: EMAIL_CODE_PATTERN.test(secrets.code.trim()) ? undefined : words.codeWrong,
    ...passwordErrors(secrets, messages),
    Nickname:
      nickname >= nicknameMin && nickname <= nicknameMax
        ? undefined
        : words.nicknameWrong(nicknameMin, nicknameMax),
    Phone: PHONE_PATTERN.test(values.Phone.trim()) ? undefined : words.phoneWrong,
    Gender: values.Gender === '' ? messages.form.required(messages.account.gender) : undefined,
    Type: values.Type === '' ? messages.form.required(messages.account.identity) : undefined,
    Organisation:
      seenLine(values.Organisation) === '' ? messages.form.required(words.organisation) : undefined,
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])),
  );
}

const SHOWN = 20;

/** As people type a name: without accents and apostrophes, and with one space for any other sign. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The names of a list's rows, plain: made once, not at every letter that is typed. */
const plainNames = new WeakMap<readonly University[], readonly (readonly [string, string])[]>();
function plainNamesOf(list: readonly University[]): readonly (readonly [string, string])[] {
  const known = plainNames.get(list);
  if (known) return known;
  const made = list.map(({ NameZh, NameEn }) => [plain(NameZh), plain(NameEn)] as const);
  plainNames.set(list, made);
  return made;
}

/**
 * The universities whose name, in either language, has every word of the text: those that begin
 * with the text first, then those that have it as it stands, otherwise as the list has them.
 */
export function findOrganisations(list: readonly University[], text: string): University[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const words = wanted.split(' ');
  const begins: University[] = [];
  const contains: University[] = [];
  const others: University[] = [];
  const names = plainNamesOf(list);
  for (const [index, row] of list.entries()) {
    const its = names[index] ?? [];
    if (its.some((name) => name.startsWith(wanted))) begins.push(row);
    else if (its.some((name) => name.includes(wanted))) contains.push(row);
    else if (its.some((name) => words.every((word) => name.includes(word)))) others.push(row);
    if (begins.length >= SHOWN) break;
  }
  return [...begins, ...contains, ...others].slice(0, SHOWN);
}
