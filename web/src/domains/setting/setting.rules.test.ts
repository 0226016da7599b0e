import { SETTING_LIMITS, type Settings } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { textsOf, valueOf } from './SiteSettingsPage.tsx';

const SETTINGS: Settings = {
  MaxSessions: null,
  QueueLimit: 50,
  LifetimeSeconds: 3600,
  HoldSeconds: 7200,
  KeepSeconds: 86_400,
  PersonalQuotaBytes: 5 * 1024 ** 3,
  UploadBytes: 50 * 1024 ** 2,
};

describe('a setting', () => {
  it('stands in the unit in which people think of it', () => {
    expect(textsOf(SETTINGS)).toEqual({
      MaxSessions: '',
      QueueLimit: '50',
      LifetimeSeconds: '60',
      HoldSeconds: '120',
      KeepSeconds: '24',
      PersonalQuotaBytes: '5120',
      UploadBytes: '50',
    });
  });
  const lifetime = {
    key: 'LifetimeSeconds',
    label: 'lifetime',
    unit: 60,
    limits: SETTING_LIMITS.lifetimeSeconds,
  } as const;
  it.each([
    ['60', 3600],
    ['10', 600],
    ['9', undefined],
    ['', undefined],
    ['x', undefined],
    ['1e9', undefined],
  ])('%j is %s seconds', (text, value) => {
    expect(valueOf(lifetime, text)).toBe(value);
  });
  it('may be empty only where that means no limit', () => {
    const sessions = {
      key: 'MaxSessions',
      label: 'maxSessions',
      unit: 1,
      limits: SETTING_LIMITS.maxSessions,
    } as const;
    expect(valueOf(sessions, ' ')).toBeNull();
    expect(valueOf(sessions, '0')).toBeUndefined();
  });
});
