import { catalogue } from '@hypercube/messages/zh-CN';
import { describe, expect, test } from 'vitest';
import { changesOf, profileErrors } from './profile.ts';

/** An account that was made before the rules: short nickname, nothing else. */
const SAVED = {
  Nickname: '林林',
  RealName: '',
  Phone: '',
  Gender: '',
  Organisation: '',
  StudentNumber: '1',
};

describe('a profile', () => {
  test('sends what changed alone, and empties what may be empty', () => {
    expect(changesOf(SAVED, SAVED)).toEqual({});
    expect(
      changesOf({ ...SAVED, Phone: ' 13800138000 ', Gender: '2', StudentNumber: ' ' }, SAVED),
    ).toEqual({ Phone: '13800138000', Gender: 2, StudentNumber: null });
  });

  test('holds nothing against somebody that they did not touch', () => {
    expect(profileErrors({ ...SAVED, RealName: '林一' }, SAVED, catalogue)).toEqual({});
  });

  test.each([
    ['Nickname', 'abc', catalogue.account.nicknameLength(4, 14)],
    ['Nickname', 'x'.repeat(15), catalogue.account.nicknameLength(4, 14)],
    ['Phone', '123', catalogue.form.invalid(catalogue.account.phone)],
    ['RealName', '某'.repeat(51), catalogue.form.invalid(catalogue.account.realName)],
    ['Organisation', '某'.repeat(101), catalogue.form.invalid(catalogue.account.organisation)],
  ] as const)('says what is wrong with %s %s', (field, text, error) => {
    expect(profileErrors({ ...SAVED, [field]: text }, SAVED, catalogue)).toEqual({
      [field]: error,
    });
  });

  test('does not let go of what must be there', () => {
    const saved = { ...SAVED, Phone: '13800138000', Organisation: '某大学' };
    expect(profileErrors({ ...saved, Phone: '', Organisation: '' }, saved, catalogue)).toEqual({
      Phone: catalogue.form.required(catalogue.account.phone),
      Organisation: catalogue.form.required(catalogue.account.organisation),
    });
  });
});
