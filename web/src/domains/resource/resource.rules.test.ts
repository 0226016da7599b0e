import type { ResourceApplication, User } from '@hypercube/contract';
import { catalogue } from '@hypercube/messages/zh-CN';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_CREDENTIALS,
  bodyOf,
  credentialErrors,
  credentialValuesOf,
  credentialsOf,
  newValuesOf,
  resourceErrors,
  sshCommandOf,
  stateOf,
  valuesOf,
  type CredentialValues,
  type ResourceValues,
} from './resource.ts';

const { form, resource: words } = catalogue;

const VALUES: ResourceValues = {
  ApplicantName: '林同学',
  Organisation: '清华大学',
  Phone: '13800138000',
  Email: 'lin@example.edu',
  Project: '湍流',
  CentreID: '3',
  CpuHours: '128000',
  Purpose: '槽道流',
  SoftwareID: '',
};

const USER = {
  Email: 'lin@example.edu',
  RealName: '林一',
  Organisation: null,
  Phone: '13800138000',
} as User;

describe('a new application', () => {
  test('begins with what the account says, and with the only centre', () => {
    expect(newValuesOf(USER, [3])).toMatchObject({
      ApplicantName: '林一',
      Organisation: '',
      Phone: '13800138000',
      Email: 'lin@example.edu',
      CentreID: '3',
    });
    expect(newValuesOf(USER, [3, 4]).CentreID).toBe('');
  });

  test('is sent as numbers, without a software where there is none', () => {
    expect(bodyOf({ ...VALUES, Project: ' 湍流 ' })).toEqual({
      ApplicantName: '林同学',
      Organisation: '清华大学',
      Phone: '13800138000',
      Email: 'lin@example.edu',
      Project: '湍流',
      CentreID: 3,
      CpuHours: 128_000,
      Purpose: '槽道流',
    });
    expect(bodyOf({ ...VALUES, SoftwareID: '7' }).SoftwareID).toBe(7);
  });

  test('what the server has comes back as it was', () => {
    const application = {
      ...bodyOf(VALUES),
      Centre: { ID: 3, Name: '北方超算' },
      Software: null,
    } as unknown as ResourceApplication;
    expect(valuesOf(application)).toEqual(VALUES);
  });

  test.each<[keyof ResourceValues, string, string]>([
    ['ApplicantName', ' ', form.required(words.applicantName)],
    ['ApplicantName', '长'.repeat(51), form.tooLong(words.applicantName, 50)],
    ['Phone', '123', form.invalid(words.phone)],
    ['Email', 'lin', form.invalid(words.email)],
    ['Project', '长'.repeat(51), form.tooLong(words.project, 50)],
    ['CentreID', '', form.required(words.centre)],
    ['CpuHours', '', form.required(words.cpuHours)],
    ['CpuHours', '0', form.outOfRange(words.cpuHours, '1', '10,000,000')],
    ['CpuHours', '1.5', form.outOfRange(words.cpuHours, '1', '10,000,000')],
    ['CpuHours', '10000001', form.outOfRange(words.cpuHours, '1', '10,000,000')],
    ['Purpose', '长'.repeat(201), form.tooLong(words.purpose, 200)],
  ])('%s “%s” is told', (field, text, error) => {
    expect(resourceErrors({ ...VALUES, [field]: text }, catalogue)).toEqual({ [field]: error });
  });

  test('a complete one has no error, and errors stand in the order of the fields', () => {
    expect(resourceErrors(VALUES, catalogue)).toEqual({});
    const empty = Object.fromEntries(Object.keys(VALUES).map((key) => [key, '']));
    expect(Object.keys(resourceErrors(empty as unknown as ResourceValues, catalogue))).toEqual([
      'Project',
      'CentreID',
      'CpuHours',
      'Purpose',
      'ApplicantName',
      'Organisation',
      'Phone',
      'Email',
    ]);
  });
});

describe('account information', () => {
  const GIVEN: CredentialValues = {
    ...EMPTY_CREDENTIALS,
    SshAddress: 'login.example.edu',
    SshUsername: 'lin',
    SshPassword: 'p',
  };
  const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----';

  test('goes to the server and comes back as it was', () => {
    expect(credentialValuesOf(credentialsOf(GIVEN))).toEqual(GIVEN);
    expect(credentialsOf({ ...GIVEN, SshPrivateKey: `${KEY}\n` }).SshPrivateKey).toBe(KEY);
  });

  test.each<[keyof CredentialValues, string, string]>([
    ['SshAddress', '', form.required(words.sshAddress)],
    ['SshAddress', '-oProxyCommand=x', form.invalid(words.sshAddress)],
    ['SshPort', '0', form.outOfRange(words.sshPort, '1', '65535')],
    ['SshPort', '65536', form.outOfRange(words.sshPort, '1', '65535')],
    ['SshUsername', '', form.required(words.sshUsername)],
    ['SshUsername', 'a;b', form.invalid(words.sshUsername)],
    ['SshPassword', '', words.wayIn],
    ['SshPrivateKey', 'ssh-rsa AAAA', words.keyFormat],
    ['VpnPassword', 'x'.repeat(201), form.tooLong(words.vpnPassword, 200)],
  ])('%s “%s” is told', (field, text, error) => {
    expect(credentialErrors({ ...GIVEN, [field]: text }, catalogue)).toEqual({ [field]: error });
  });

  test('a password or a key is enough', () => {
    expect(credentialErrors(GIVEN, catalogue)).toEqual({});
    expect(credentialErrors({ ...GIVEN, SshPassword: '', SshPrivateKey: KEY }, catalogue)).toEqual(
      {},
    );
  });

  test.each([
    [22, 'ssh lin@login.example.edu'],
    [2222, 'ssh -p 2222 lin@login.example.edu'],
  ])('at port %i one logs in by “%s”', (port, command) => {
    expect(sshCommandOf({ ...credentialsOf(GIVEN), SshPort: port })).toBe(command);
  });
});

test.each([
  [1, 'pending'],
  [2, 'approved'],
  [3, 'rejected'],
] as const)('state %i is %s in addresses', (status, state) => expect(stateOf(status)).toBe(state));
