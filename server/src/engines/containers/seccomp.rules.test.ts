import { expect, test } from 'vitest';
import { narrowed } from './seccomp.ts';

const profile = narrowed({
  defaultAction: 'SCMP_ACT_ERRNO',
  syscalls: [
    { names: ['read', 'clone', 'clone3', 'unshare', 'setns'], action: 'SCMP_ACT_ALLOW' },
    { names: ['keyctl'], action: 'SCMP_ACT_ALLOW', includes: {} },
    { names: ['setns', 'mount'], action: 'SCMP_ACT_ALLOW', includes: { caps: ['CAP_SYS_ADMIN'] } },
  ],
});
const open = profile.syscalls.filter(
  ({ action, includes }) => action === 'SCMP_ACT_ALLOW' && (includes?.caps ?? []).length === 0,
);

test.each(['unshare', 'setns', 'clone3', 'keyctl'])(
  '%s is allowed to nobody without capabilities',
  (name) => {
    expect(open.some(({ names }) => names.includes(name))).toBe(false);
  },
);

test('what is not named stays as it was', () => {
  expect(open.some(({ names }) => names.includes('read'))).toBe(true);
  expect(profile.syscalls).toContainEqual({
    names: ['setns', 'mount'],
    action: 'SCMP_ACT_ALLOW',
    includes: { caps: ['CAP_SYS_ADMIN'] },
  });
});

test('clone makes processes and threads, and no namespaces', () => {
  const rules = open.filter(({ names }) => names.includes('clone'));
  expect(rules).toHaveLength(1);
  const [flags] = (rules[0]?.args ?? []) as { value: number; op: string; valueTwo: number }[];
  if (!flags) throw new Error('clone has no condition');
  expect(flags).toMatchObject({ op: 'SCMP_CMP_MASKED_EQ', valueTwo: 0 });
  for (const flag of [
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
  ])
    expect(flags.value & flag).toBe(flag);
  // CLONE_VM, CLONE_THREAD and the signal are free.
  for (const flag of [0x00000100, 0x00010000, 17]) expect(flags.value & flag).toBe(0);
});

test('clone3 is told as missing, so that libraries use clone', () => {
  expect(profile.syscalls).toContainEqual(
    expect.objectContaining({ names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 }),
  );
});
