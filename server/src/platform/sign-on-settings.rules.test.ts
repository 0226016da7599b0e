import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { readSignOn } from './sign-on-settings.ts';

const SECRETS = { HC_SSO_AROSE_CLIENT_ID: 'us', HC_SSO_AROSE_CLIENT_SECRET: 'secret' };
const ISSUER = { HC_SSO_AROSE_ISSUER: 'https://grid.example' };

describe('a provider of single sign-on', () => {
  test('is absent until it is named', () => {
    expect(readSignOn(readConfig({}), 'arose')).toBeUndefined();
    const config = readConfig({ ...SECRETS, ...ISSUER });
    expect(readSignOn(config, 'scnet')).toBeUndefined();
    expect(readSignOn(config, 'arose')).toMatchObject({
      issuer: 'https://grid.example',
      clientID: 'us',
      clientAuth: 'post',
      scope: 'openid profile email',
      claims: { subject: 'sub', username: 'preferred_username' },
      types: {},
    });
  });

  test('has its own names of fields and types', () => {
    const config = readConfig({
      ...SECRETS,
      ...ISSUER,
      HC_SSO_AROSE_FIELDS: 'subject=id, username = login',
      HC_SSO_AROSE_TYPES: 'faculty=teacher,博士=graduate',
    });
    const provider = readSignOn(config, 'arose');
    expect(provider?.claims).toMatchObject({ subject: 'id', username: 'login', email: 'email' });
    expect(provider?.types).toEqual({ faculty: 2, 博士: 3 });
  });

  test.each([
    ['no secret', { HC_SSO_AROSE_CLIENT_ID: 'us', ...ISSUER }, 'HC_SSO_AROSE_CLIENT_SECRET'],
    ['no address', SECRETS, 'HC_SSO_AROSE_ISSUER'],
    [
      'half of the addresses',
      { ...SECRETS, HC_SSO_AROSE_TOKEN_URL: 'https://grid.example/token' },
      'HC_SSO_AROSE_ISSUER',
    ],
    [
      'nobody to ask who it is',
      {
        ...SECRETS,
        HC_SSO_AROSE_AUTHORIZE_URL: 'https://grid.example/auth',
        HC_SSO_AROSE_TOKEN_URL: 'https://grid.example/token',
        HC_SSO_AROSE_SCOPE: 'profile',
      },
      'HC_SSO_AROSE_USERINFO_URL',
    ],
    [
      'an open way to another machine',
      { ...SECRETS, HC_SSO_AROSE_ISSUER: 'http://grid.example' },
      'HC_SSO_AROSE_ISSUER',
    ],
    [
      'a type that only staff give',
      { ...SECRETS, ...ISSUER, HC_SSO_AROSE_TYPES: 'root=admin' },
      'HC_SSO_AROSE_TYPES',
    ],
    [
      'a field that we do not have',
      { ...SECRETS, ...ISSUER, HC_SSO_AROSE_FIELDS: 'roles=groups' },
      'HC_SSO_AROSE_FIELDS',
    ],
  ])('with %s ends the start with the setting’s name', (_what, environment, name) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(name);
  });
});
