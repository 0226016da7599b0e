import { UsageStatus, type Usage } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { moodOf, remainingOf, renewObstacle, warningLevel } from './countdown.ts';
import { nextUsageState, type EndedUsage, type UsageState } from './usage.api.ts';
import { pollMs, reconnectDelayMs } from './watch.ts';

export const usageOf = (change: Partial<Usage> = {}): Usage => ({
  ID: 7,
  Status: UsageStatus.running,
  Phase: 'ready',
  Position: null,
  Build: null,
  Reason: null,
  RenewalTime: 1000,
  Lifetime: 3600,
  Remaining: 3600,
  ServerTime: 1000,
  Version: 3,
  Type: 2,
  RouteName: 'notebookLabTaskDetail',
  RoutePath: '/lab/1/notebook/task/2',
  Host: 'aA',
  IP: 'aB',
  ProxyPath: '/proxy/notebook/aA/aB/',
  TerminalPath: '/proxy/terminal/aA/aB/',
  Nodes: ['node1'],
  Title: 'MPI',
  LabID: 1,
  TaskID: 2,
  SoftwareID: null,
  ComputerID: null,
  SpecificationID: null,
  Storage: null,
  LostNode: null,
  Cpus: 2,
  MemoryBytes: 1024,
  IsHeld: false,
  PhaseTimes: {},
  CreatedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});
const stateOf = (usage: Usage | null, change: Partial<UsageState> = {}): UsageState => ({
  usage,
  ended: null,
  receivedAt: 5000,
  ...change,
});
const end = (ID: number, Cause: EndedUsage['Cause'] = 'expired'): EndedUsage => ({
  ID,
  Cause,
  Reason: null,
  Title: 'MPI',
});

describe('the countdown', () => {
  it('counts from the server’s time on a clock of its own', () => {
    expect(remainingOf(stateOf(usageOf()), 5000)).toBe(3600);
    expect(remainingOf(stateOf(usageOf()), 5000 + 1000)).toBe(3599);
    expect(remainingOf(stateOf(usageOf({ ServerTime: 4540 })), 5000)).toBe(60);
  });
  it('ends at zero', () => {
    expect(remainingOf(stateOf(usageOf()), 5000 + 4_000_000)).toBe(0);
  });
  it('stands still while nothing counts down', () => {
    expect(remainingOf(stateOf(usageOf({ Status: UsageStatus.stopped })), 9000)).toBeNull();
    expect(remainingOf(stateOf(usageOf({ Phase: 'starting' })), 9000)).toBeNull();
    expect(remainingOf(stateOf(null), 9000)).toBeNull();
    expect(remainingOf(undefined, 9000)).toBeNull();
  });
  it('shows the same in two tabs that heard it at different moments', () => {
    const early = stateOf(usageOf({ ServerTime: 1000 }), { receivedAt: 0 });
    const late = stateOf(usageOf({ ServerTime: 1010 }), { receivedAt: 10_000 });
    for (const now of [10_000, 10_500, 599_999])
      expect(remainingOf(early, now)).toBe(remainingOf(late, now));
  });
  it.each([
    [null, 'none'],
    [3600, 'none'],
    [300, 'none'],
    [299, 'soon'],
    [60, 'soon'],
    [59, 'last'],
    [0, 'last'],
  ] as const)('warns with %s seconds left: %s', (remaining, level) =>
    expect(warningLevel(remaining)).toBe(level),
  );
  it.each([
    [usageOf(), 60, null],
    [usageOf(), 59, 'too_late'],
    [usageOf({ Status: UsageStatus.stopped }), null, 'not_running'],
    [usageOf({ Phase: 'waiting' }), null, 'not_running'],
  ] as const)('allows a renewal as the server does', (usage, remaining, obstacle) =>
    expect(renewObstacle(usage, remaining)).toBe(obstacle),
  );
});

describe('how an environment is', () => {
  it.each([
    [{}, 'running'],
    [{ Status: UsageStatus.stopped }, 'paused'],
    [{ Status: UsageStatus.stopped, IsHeld: true }, 'held'],
    [{ Phase: 'queued' }, 'queued'],
    [{ Phase: 'creating' }, 'starting'],
    [{ Phase: 'starting' }, 'starting'],
    [{ Phase: 'waiting' }, 'starting'],
    [{ Phase: 'failed' }, 'failed'],
  ] as const)('%j is %s', (change, mood) => expect(moodOf(usageOf(change))).toBe(mood));
});

describe('answers that overtake each other', () => {
  const before = stateOf(usageOf({ Version: 5 }));
  it('takes a newer one', () => {
    const next = nextUsageState(before, { usage: usageOf({ Version: 6 }) }, 6000);
    expect(next.usage?.Version).toBe(6);
    expect(next.receivedAt).toBe(6000);
  });
  it('takes the same one again, for its fresher time', () => {
    expect(
      nextUsageState(before, { usage: usageOf({ Version: 5, ServerTime: 1007 }) }, 6000).receivedAt,
    ).toBe(6000);
  });
  it('ignores an older version of the same, and an older environment', () => {
    expect(nextUsageState(before, { usage: usageOf({ Version: 4 }) }, 6000)).toBe(before);
    expect(nextUsageState(before, { usage: usageOf({ ID: 6, Version: 99 }) }, 6000)).toBe(before);
  });
  it('takes a new environment, whose versions begin anew', () => {
    const next = nextUsageState(before, { usage: usageOf({ ID: 8, Version: 1 }) }, 6000);
    expect(next.usage?.ID).toBe(8);
  });
  it('remembers the end of the one it had', () => {
    const next = nextUsageState(before, { usage: null, ended: end(7) }, 6000);
    expect(next).toMatchObject({ usage: null, ended: { ID: 7, Cause: 'expired' } });
    // Later answers that only say “none” do not forget it.
    expect(nextUsageState(next, { usage: null }, 7000).ended?.Cause).toBe('expired');
  });
  it('does not tell of an end that this page never knew', () => {
    expect(nextUsageState(undefined, { usage: null, ended: end(3) }, 1).ended).toBeNull();
    expect(
      nextUsageState(before, { usage: usageOf({ Version: 6 }), ended: end(3) }, 1).ended,
    ).toBeNull();
  });
  it('lets the server’s cause replace a guessed one', () => {
    const guessed = nextUsageState(before, { usage: null, ended: end(7, 'cancelled') }, 6000);
    expect(
      nextUsageState(guessed, { usage: null, ended: end(7, 'deleted') }, 7000).ended?.Cause,
    ).toBe('deleted');
  });
  it('does not bring back what has ended', () => {
    const gone = nextUsageState(before, { usage: null, ended: end(7) }, 6000);
    expect(nextUsageState(gone, { usage: usageOf({ Version: 9 }) }, 7000)).toBe(gone);
    expect(nextUsageState(gone, { usage: usageOf({ ID: 8, Version: 1 }) }, 7000).usage?.ID).toBe(8);
  });
  it('forgets the end when the next one begins', () => {
    const gone = nextUsageState(before, { usage: null, ended: end(7) }, 6000);
    expect(nextUsageState(gone, { usage: usageOf({ ID: 8, Version: 1 }) }, 7000).ended).toBeNull();
  });
});

describe('keeping up', () => {
  it('asks often only while something starts and no stream tells', () => {
    expect(pollMs(usageOf({ Phase: 'creating' }), 'broken')).toBeLessThanOrEqual(2000);
    expect(pollMs(usageOf(), 'broken')).toBeLessThanOrEqual(15_000);
    expect(pollMs(usageOf(), 'open')).toBeGreaterThanOrEqual(30_000);
    expect(pollMs(null, 'open')).toBeGreaterThanOrEqual(30_000);
    expect(pollMs(usageOf({ Phase: 'failed' }), 'open')).toBeGreaterThanOrEqual(30_000);
  });
  it('waits longer after each failure, within bounds, and not all at once', () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((failures) => reconnectDelayMs(failures, 0.5));
    expect(delays).toEqual([...delays].toSorted((a, b) => a - b));
    expect(reconnectDelayMs(50, 1)).toBeLessThanOrEqual(37_500);
    expect(reconnectDelayMs(2, 0)).not.toBe(reconnectDelayMs(2, 1));
  });
});
