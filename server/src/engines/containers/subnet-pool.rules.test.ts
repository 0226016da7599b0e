import { describe, expect, it } from 'vitest';
import { SubnetPool } from './subnet-pool.ts';

describe('subnet pool', () => {
  it('hands out every block once and then none', () => {
    const pool = new SubnetPool('10.213.0.0/24', '00000003');
    const taken = Array.from({ length: 16 }, () => pool.take()?.cidr);
    expect(taken[0]).toBe('10.213.0.48/28');
    expect(taken.at(-1)).toBe('10.213.0.32/28');
    expect(new Set(taken).size).toBe(16);
    expect(pool.take()).toBeNull();
    pool.release('10.213.0.16/28');
    expect(pool.take()?.cidr).toBe('10.213.0.16/28');
  });

  it('gives gateway and nodes their addresses', () => {
    const subnet = new SubnetPool('10.213.0.0/16', '0000000f').take();
    expect(subnet).toMatchObject({ cidr: '10.213.0.240/28', gateway: '10.213.0.241' });
    expect([0, 1, 12].map((index) => subnet?.nodeAddress(index))).toEqual([
      '10.213.0.242',
      '10.213.0.243',
      '10.213.0.254',
    ]);
  });

  it('avoids what overlaps a block, however large or small', () => {
    const pool = new SubnetPool('10.213.0.0/25', '0');
    pool.refresh(['10.213.0.5/30', '10.213.0.32/27', '192.168.0.0/16', 'fd00::/64', '']);
    const free = Array.from({ length: 9 }, () => pool.take()?.cidr ?? null);
    expect(free).toEqual([
      '10.213.0.16/28',
      '10.213.0.64/28',
      '10.213.0.80/28',
      '10.213.0.96/28',
      '10.213.0.112/28',
      null,
      null,
      null,
      null,
    ]);
  });

  it('knows an existing network’s block as used', () => {
    const pool = new SubnetPool('10.213.0.0/27', '0');
    expect(pool.existing('10.213.0.0/28').nodeAddress(0)).toBe('10.213.0.2');
    expect(pool.take()?.cidr).toBe('10.213.0.16/28');
    expect(pool.take()).toBeNull();
  });

  it('refuses a range that is none', () => {
    for (const range of ['10.213.0.0/30', '10.213.0.16/24', '10.213.0.0', 'x/16']) {
      expect(() => new SubnetPool(range, '0')).toThrow(/range/);
    }
  });
});
