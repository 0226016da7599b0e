/** Rules of a profile as the form shows them; the server holds them too. */
import {
  ACCOUNT_LIMITS,
  PHONE_PATTERN,
  TEXT_LIMITS,
  seenLine,
  type BodyInputOf,
  type User,
  type routes,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';

/** As they stand in the fields: nothing is an empty text. */
export const valuesOf = (user: User) => ({
  Nickname: user.Nickname,
  RealName: user.RealName ?? '',
  Phone: user.Phone ?? '',
  Gender: user.Gender === null ? '' : String(user.Gender),
  Organisation: user.Organisation ?? '',
  StudentNumber: user.StudentNumber ?? '',
});
export type ProfileValues = ReturnType<typeof valuesOf>;
export type Field = keyof ProfileValues;
const FIELDS = [
  'Nickname',
  'RealName',
  'Phone',
  'Gender',
  'Organisation',
  'StudentNumber',
] as const satisfies readonly Field[];
const OPTIONAL: ReadonlySet<Field> = new Set(['RealName', 'StudentNumber']);

/** What changed, as it is sent: what stays is left out, and an optional field can be emptied. */
export function changesOf(
  values: ProfileValues,
  saved: ProfileValues,
): BodyInputOf<typeof routes.updateUser> {
  const changed = FIELDS.filter((field) => values[field].trim() !== saved[field]);
  return Object.fromEntries(
    changed.map((field) => {
      const text = values[field].trim();
      if (field === 'Gender') return [field, Number(text)];
      return [field, text === '' && OPTIONAL.has(field) ? null : text];
    }),
  );
}

/** Code points, as the server counts characters. */
const lengthOf = (text: string): number => Array.from(seenLine(text)).length;

/** Whether a text could be sent for a field; the server holds the same rules, and a few more. */
export const isNickname = (text: string): boolean =>
  lengthOf(text) >= ACCOUNT_LIMITS.nicknameMin && lengthOf(text) <= ACCOUNT_LIMITS.nicknameMax;
const RULES: Readonly<Record<Field, (text: string) => boolean>> = {
  Nickname: isNickname,
  RealName: (text) => lengthOf(text) <= TEXT_LIMITS.realName,
  Phone: (text) => PHONE_PATTERN.test(text),
  Gender: (text) => text !== '',
  Organisation: (text) => lengthOf(text) > 0 && lengthOf(text) <= ACCOUNT_LIMITS.organisationMax,
  StudentNumber: (text) => lengthOf(text) <= ACCOUNT_LIMITS.studentNumberMax,
};

/**
 * What is wrong, by field. What was there before the rules, or before the account was complete,
 * is not held against somebody who changes something else.
 */
export function profileErrors(
  values: ProfileValues,
  saved: ProfileValues,
  messages: Catalogue,
): Record<string, string> {
  const words = messages.account;
  const labels: Record<Field, string> = {
    Nickname: words.nickname,
    RealName: words.realName,
    Phone: words.phone,
    Gender: words.gender,
    Organisation: words.organisation,
    StudentNumber: words.studentNumber,
  };
  const found: Record<string, string> = {};
  for (const field of FIELDS) {
    const text = values[field].trim();
    if (text === saved[field] || RULES[field](text)) continue;
    if (field === 'Nickname')
      found[field] = words.nicknameLength(ACCOUNT_LIMITS.nicknameMin, ACCOUNT_LIMITS.nicknameMax);
    else if (text === '') found[field] = messages.form.required(labels[field]);
    else found[field] = messages.form.invalid(labels[field]);
  }
  return found;
}
