import { describe, expect, it } from 'vitest';
import { checkPasswordChange, passwordStrength } from './password.ts';

describe('a change of password', () => {
  const good = { original: 'old-secret', password: 'new-secret-1', confirmation: 'new-secret-1' };
  it('is fine', () => expect(checkPasswordChange(good)).toEqual({}));
  it.each([
    [{ original: '' }, { original: 'required' }],
    [{ password: '1234567', confirmation: '1234567' }, { password: 'length' }],
    [{ password: 'x'.repeat(21), confirmation: 'x'.repeat(21) }, { password: 'length' }],
    [{ confirmation: 'new-secret-2' }, { confirmation: 'differs' }],
    [{ password: 'old-secret', confirmation: 'old-secret' }, { password: 'same' }],
    [{ password: '', confirmation: '' }, { password: 'length' }],
  ])('with %j has %j', (change, problems) => {
    expect(checkPasswordChange({ ...good, ...change })).toEqual(problems);
  });
  it.each([[8], [20]])('takes %i characters', (length) => {
    const password = 'aB3-'.repeat(5).slice(0, length);
    expect(checkPasswordChange({ original: 'old', password, confirmation: password })).toEqual({});
  });
});

describe('the strength of a password', () => {
  it.each([
    ['', 'weak'],
    ['aB3-', 'weak'],
    ['aaaaaaaaaaaaaaaa', 'weak'],
    ['12345678', 'weak'],
    ['hypercube-42', 'good'],
    ['k7Qz!m2P', 'fair'],
  ])('of “%s” is %s', (password, strength) => expect(passwordStrength(password)).toBe(strength));
  it('never falls when characters are added that were not there', () => {
    const order = ['weak', 'fair', 'good'];
    let password = '';
    let last = 0;
    for (const next of 'aB3-xY7_kM9.') {
      password += next;
      const now = order.indexOf(passwordStrength(password));
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });
});
