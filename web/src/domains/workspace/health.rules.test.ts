import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat, STALE_MS, healthOf, type Health } from './health.ts';

/** A link to a session that can stall, fail, be slow, and come back. */
function setUp() {
  const link = { state: 'good' as 'good' | 'stalled' | 'refused', answerMs: 20, asked: 0, open: 0 };
  const heard: [number, Health][] = [];
  const returns: number[] = [];
  const began = performance.now();
  const heartbeat = new Heartbeat(
    (signal) =>
      new Promise((resolve, reject) => {
        link.asked += 1;
        link.open += 1;
        let isOpen = true;
        const end = (run: () => void) => () => {
          if (isOpen) link.open -= 1;
          isOpen = false;
          run();
        };
        signal.addEventListener(
          'abort',
          end(() => reject(new Error('aborted'))),
          { once: true },
        );
        if (link.state === 'refused')
          setTimeout(
            end(() => resolve(false)),
            1,
          );
        if (link.state === 'good')
          setTimeout(
            end(() => resolve(true)),
            link.answerMs,
          );
      }),
    {
      onHealth: (health) => heard.push([performance.now() - began, health]),
      onReturn: (silentMs) => returns.push(silentMs),
    },
  );
  heartbeat.start();
  return { link, heard, returns, heartbeat, now: () => performance.now() - began };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the light', () => {
  // The stall may begin at any moment between two requests.
  it.each([0, 100, 300, 500, 700, 850, 915])(
    'turns unstable within 1.5 s and lost within 15 s of a stall, %i ms into a beat',
    async (offset) => {
      const { link, heard, now } = setUp();
      await vi.advanceTimersByTimeAsync(5000 + offset);
      expect(heard).toEqual([]);
      link.state = 'stalled';
      const stalledAt = now();
      await vi.advanceTimersByTimeAsync(20_000);
      const [unstable, lost] = heard;
      expect(unstable?.[1]).toBe('unstable');
      expect((unstable?.[0] ?? Infinity) - stalledAt).toBeLessThanOrEqual(1500);
      expect(lost?.[1]).toBe('lost');
      expect((lost?.[0] ?? Infinity) - stalledAt).toBeLessThanOrEqual(15_000);
      expect((lost?.[0] ?? 0) - stalledAt).toBeGreaterThan(8000);
    },
  );
  it.each([2000, 5000, 60_000])(
    'is good again within 2 s of a link that returns after %i ms, and tells of the silence',
    async (silence) => {
      const { link, heard, returns, now } = setUp();
      await vi.advanceTimersByTimeAsync(4000);
      link.state = 'stalled';
      await vi.advanceTimersByTimeAsync(silence);
      link.state = 'good';
      const backAt = now();
      await vi.advanceTimersByTimeAsync(2000);
      expect(heard.at(-1)?.[1]).toBe('connected');
      expect((heard.at(-1)?.[0] ?? Infinity) - backAt).toBeLessThanOrEqual(2000);
      expect(returns).toHaveLength(1);
      expect(returns[0]).toBeGreaterThanOrEqual(Math.min(silence, STALE_MS));
    },
  );
  it('keeps calm on a link that is only slow', async () => {
    const { link, heard } = setUp();
    link.answerMs = 1400;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(heard.map(([, health]) => health)).toEqual(['unstable', 'connected']);
  });
  it('does not ask in a loop where the answer is no', async () => {
    const { link, heard } = setUp();
    link.state = 'refused';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(link.asked).toBeLessThan(90);
    expect(heard[0]?.[1]).toBe('unstable');
  });
  it('asks once a second, gives up what stalls, and nothing while it is paused', async () => {
    const { link, heartbeat } = setUp();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.asked).toBeGreaterThan(50);
    expect(link.asked).toBeLessThan(75);
    link.state = 'stalled';
    await vi.advanceTimersByTimeAsync(30_000);
    expect(link.open).toBeLessThanOrEqual(2);
    heartbeat.pause();
    expect(link.open).toBe(0);
    const { asked } = link;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.asked).toBe(asked);
  });
  it('does not take the time while the page was hidden for a silence', async () => {
    const { heartbeat, heard, returns } = setUp();
    await vi.advanceTimersByTimeAsync(2000);
    heartbeat.pause();
    await vi.advanceTimersByTimeAsync(600_000);
    heartbeat.start();
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard).toEqual([]);
    expect(returns).toEqual([]);
  });
  it.each([
    ['connected', 'open', 'connected'],
    ['connected', 'connecting', 'connected'],
    ['connected', 'broken', 'unstable'],
    ['unstable', 'open', 'unstable'],
    ['lost', 'broken', 'lost'],
  ] as const)('%s with the stream %s: %s', (heard, stream, shown) =>
    expect(healthOf(heard, stream)).toBe(shown),
  );
});
