import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHostShield, firewallTools } from './host-shield.ts';

/** Rules for bridges that nobody has, so that a failed test shuts nobody out. */
const installation = 'deadbeef';
const prefix = 'hcdeadbe';

describe.each(firewallTools())('host shield by %s', (tool) => {
  const shield = createHostShield(installation, prefix, tool);

  const rules = () =>
    tool === 'iptables'
      ? execFileSync('iptables', ['-w', '-S'], { encoding: 'utf8' })
      : execFileSync('nft', ['list', 'ruleset'], { encoding: 'utf8' });
  const own = () =>
    rules()
      .split('\n')
      .filter((line) => /deadbe/i.test(line)).length;

  it('raises once, mends what was taken out, and goes without a trace', async () => {
    onTestFinished(() => shield.lower());
    const before = own();
    expect(await shield.isRaised()).toBe(false);
    expect(await shield.raise()).toBe(true);
    expect(await shield.isRaised()).toBe(true);
    const raised = own();
    expect(raised).toBeGreaterThan(before);
    expect(await shield.raise()).toBe(true);
    expect(own()).toBe(raised);

    if (tool === 'iptables') execFileSync('iptables', ['-w', '-F', `HC-${installation}-IN`]);
    else execFileSync('nft', ['flush', 'chain', 'inet', `hypercube_${installation}`, 'input']);
    expect(await shield.isRaised()).toBe(false);
    await shield.raise();
    expect(await shield.isRaised()).toBe(true);

    await shield.lower();
    await shield.lower();
    expect(await shield.isRaised()).toBe(false);
    expect(own()).toBe(before);
  });
});

describe('host shield without a firewall', () => {
  it('says that there is none', async () => {
    const shield = createHostShield(installation, prefix, null);
    expect(await shield.raise()).toBe(false);
    expect(await shield.isRaised()).toBe(false);
  });
});
