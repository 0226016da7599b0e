import type { LimitSettings, SiteSettings } from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';
import { describe, expect, it } from 'vitest';
import {
  LIMIT_ENTRIES,
  domainsOf,
  isWebAddress,
  limitOf,
  limitTexts,
  mailErrors,
  registrationErrors,
  siteErrors,
  siteOf,
  siteTexts,
  type MailTexts,
} from './values.ts';

const messages = await loadCatalogue('zh-CN');
const LIMITS: LimitSettings = {
  MaxSessions: null,
  QueueLimit: 50,
  LifetimeSeconds: 3600,
  HoldSeconds: 7200,
  KeepSeconds: 86_400,
  PersonalQuotaBytes: 5 * 1024 ** 3,
  UploadBytes: 50 * 1024 ** 2,
};
const SITE: SiteSettings = {
  NameZh: '超立方',
  NameEn: 'Hypercube',
  TaglineZh: '',
  TaglineEn: '',
  IntroZh: '',
  IntroEn: '',
  Supporters: [
    { NameZh: '甲', NameEn: '', URL: null, Logo: null },
    { NameZh: '乙', NameEn: 'B', URL: 'https://b.edu/', Logo: null },
  ],
  FooterZh: '',
  FooterEn: '',
  Links: [{ TitleZh: '隐私', TitleEn: '', URL: 'https://b.edu/p' }],
  Record: '',
};
const MAIL: MailTexts = {
  IsOn: true,
  Host: 'mail.example.edu',
  Port: '587',
  Security: 'auto',
  User: '',
  SenderName: '',
  SenderAddress: 'no-reply@example.edu',
};

describe('a limit', () => {
  it('stands in the unit in which people think of it', () => {
    expect(limitTexts(LIMITS)).toEqual({
      MaxSessions: '',
      QueueLimit: '50',
      LifetimeSeconds: '60',
      HoldSeconds: '120',
      KeepSeconds: '24',
      PersonalQuotaBytes: '5120',
      UploadBytes: '50',
    });
  });
  const entry = (key: keyof LimitSettings) => {
    const found = LIMIT_ENTRIES.find((one) => one.key === key);
    if (found === undefined) throw new Error(`no ${key}`);
    return found;
  };
  it.each([
    ['60', 3600],
    ['10', 600],
    ['9', undefined],
    ['', undefined],
    ['x', undefined],
    ['1e9', undefined],
  ])('%j is %s seconds', (text, value) => {
    expect(limitOf(entry('LifetimeSeconds'), text)).toBe(value);
  });
  it('may be empty only where that means none', () => {
    expect(limitOf(entry('MaxSessions'), ' ')).toBeNull();
    expect(limitOf(entry('MaxSessions'), '0')).toBeUndefined();
  });
});

describe('the site', () => {
  it('comes back from the fields as it went in', () => {
    expect(siteOf(siteTexts(SITE))).toEqual(SITE);
    expect(siteErrors(siteTexts(SITE), messages)).toEqual({});
  });
  it('is told row by row what is wrong', () => {
    const texts = siteTexts(SITE);
    const wrong = siteErrors(
      {
        ...texts,
        NameEn: ' ',
        Supporters: texts.Supporters.map((row) => ({ ...row, URL: 'javascript:alert(1)' })),
        Links: texts.Links.map((row) => ({ ...row, TitleZh: '', URL: '' })),
      },
      messages,
    );
    expect(Object.keys(wrong)).toEqual([
      'NameEn',
      'Supporters.0.URL',
      'Supporters.1.URL',
      'Links.0.TitleZh',
      'Links.0.URL',
    ]);
  });
  it.each([
    ['https://a.edu/x?y', true],
    ['http://a.edu', true],
    ['javascript:alert(1)', false],
    ['a.edu', false],
    ['https://', false],
  ])('%s can be linked to: %s', (text, is) => expect(isWebAddress(text)).toBe(is));
});

describe('registration', () => {
  it('takes domains however they are written', () => {
    expect(domainsOf(' @Example.edu\n*.edu.cn，example.edu; ')).toEqual([
      'example.edu',
      '*.edu.cn',
    ]);
  });
  it.each([
    ['example.edu\n*.edu.cn', []],
    ['', ['Domains']],
    ['a@b.edu', ['Domains']],
    ['*', ['Domains']],
    ['edu', ['Domains']],
  ])('%j: %j is wrong', (Domains, fields) => {
    const errors = registrationErrors({ Mode: 'byDomain', Domains, Identities: [4] }, messages);
    expect(Object.keys(errors)).toEqual(fields);
  });
  it('needs somebody who may', () => {
    const errors = registrationErrors({ Mode: 'open', Domains: '', Identities: [] }, messages);
    expect(Object.keys(errors)).toEqual(['Identities']);
  });
});

describe('the mail server', () => {
  it.each<[Partial<MailTexts>, string[]]>([
    [{}, []],
    [{ Host: '' }, ['Host']],
    [{ Host: 'a b' }, ['Host']],
    [{ Port: '0' }, ['Port']],
    [{ Port: '25.5' }, ['Port']],
    [{ SenderAddress: '' }, ['SenderAddress']],
    [{ SenderAddress: 'nobody' }, ['SenderAddress']],
    [{ IsOn: false, Host: '', SenderAddress: '' }, []],
  ])('%j: %j', (change, fields) => {
    expect(Object.keys(mailErrors({ ...MAIL, ...change }, messages))).toEqual(fields);
  });
});
