import { catalogue as messages } from '@hypercube/messages/zh-CN';
import { describe, expect, it } from 'vitest';
import { findOrganisations, isEmail, registrationErrors } from './registration.ts';

const VALUES = {
  Username: 'new-one',
  Email: 'new@example.edu',
  Nickname: '新同学们',
  Phone: '13800138000',
  Gender: '1',
  Type: '4',
  Organisation: '清华大学',
  StudentNumber: '',
};
const SECRETS = { code: '123456', password: 'new-pass-1', confirmation: 'new-pass-1' };

describe('a registration', () => {
  it('is fine', () => expect(registrationErrors(VALUES, SECRETS, messages)).toEqual({}));
  it.each([
    [{ Username: '1abc' }, ['Username']],
    [{ Username: 'abc' }, ['Username']],
    [{ Username: 'a'.repeat(15) }, ['Username']],
    [{ Email: 'new@example' }, ['Email']],
    [{ Nickname: '新同学' }, ['Nickname']],
    [{ Nickname: '新'.repeat(15) }, ['Nickname']],
    [{ Nickname: '😀😀😀😀' }, []],
    [{ Nickname: '\u200B\u200B新同学' }, ['Nickname']],
    [{ Phone: '12800138000' }, ['Phone']],
    [{ Phone: '+4915112345678' }, []],
    [{ Gender: '' }, ['Gender']],
    [{ Type: '' }, ['Type']],
    [{ Organisation: '  ' }, ['Organisation']],
    [{ Organisation: '\u200B\u3164' }, ['Organisation']],
    [{ StudentNumber: '' }, []],
  ])('with %j has something to change in %j', (change, fields) => {
    const errors = registrationErrors({ ...VALUES, ...change }, SECRETS, messages);
    expect(Object.keys(errors)).toEqual(fields);
  });
  it.each([
    [{ code: '12345' }, ['EmailCode']],
    [{ password: 'short-1', confirmation: 'short-1' }, ['password']],
    [{ password: 'x'.repeat(21), confirmation: 'x'.repeat(21) }, ['password']],
    [{ confirmation: 'other-pass-1' }, ['confirmation']],
  ])('with %j has something to change in %j', (change, fields) => {
    const errors = registrationErrors(VALUES, { ...SECRETS, ...change }, messages);
    expect(Object.keys(errors)).toEqual(fields);
  });
});

it.each([
  ['a@example.edu', true],
  ['a@example.e', false],
  ['a b@example.edu', false],
  ['a@', false],
  [`${'a'.repeat(250)}@example.edu`, false],
])('%s is an address: %s', (text, expected) => expect(isEmail(text)).toBe(expected));

describe('universities', () => {
  const row = (NameZh: string, NameEn: string) => ({ NameZh, NameEn, Region: 'CN-BJ' });
  const list = [
    row('北京大学', 'Peking University'),
    row('北京邮电大学', 'Beijing University of Posts and Telecommunications'),
    row('清华大学', 'Tsinghua University'),
    row('西安交通大学', "Xi'an Jiaotong University"),
    row('University of California, Berkeley', 'University of California, Berkeley'),
    row('Universität Zürich', 'Universität Zürich'),
    ...Array.from({ length: 50 }, (_, n) => row(`第${n}学院`, `College ${n}`)),
  ];
  const named = (text: string) => findOrganisations(list, text).map(({ NameZh }) => NameZh);
  it('are found in Chinese', () => expect(named('北京')).toEqual(['北京大学', '北京邮电大学']));
  it('are found in English, whatever the case', () => expect(named('tsing')).toEqual(['清华大学']));
  it.each([
    ['Universitat Zurich', 'Universität Zürich'],
    ['xian jiaotong', '西安交通大学'],
    ['Xi’an', '西安交通大学'],
    ['university of california berkeley', 'University of California, Berkeley'],
    ['university tsinghua', '清华大学'],
    ['ＴＳＩＮＧ', '清华大学'],
  ])('are found as people type them: %s', (text, name) => expect(named(text)).toEqual([name]));
  it('that begin with it come first', () =>
    expect(named('p')).toEqual(['北京大学', '北京邮电大学']));
  it('are not shown before something is typed', () => expect(named(' ')).toEqual([]));
  it('are shown a few at a time', () => expect(named('College')).toHaveLength(20));
});
