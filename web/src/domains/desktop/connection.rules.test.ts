import { ConnectionState } from '@hypercube/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopConnection, retryMs, type ScreenEvents } from './connection.ts';

const { idle, connecting, waiting, connected, disconnecting, disconnected, error } =
  ConnectionState;

class FakeScreen {
  isGone = false;
  readonly events: ScreenEvents;
  constructor(events: ScreenEvents) {
    this.events = events;
  }
  disconnect(): void {
    this.isGone = true;
    // As noVNC does, later and whether or not anybody listens still.
    setTimeout(() => this.events.onDisconnect(), 5);
  }
}

function setUp() {
  const states: ConnectionState[] = [];
  const shown: (FakeScreen | null)[] = [];
  const tries: { screen: FakeScreen; open: () => void; isClosed: boolean }[] = [];
  const connection = new DesktopConnection<FakeScreen>({
    random: () => 0.5,
    onState: (state) => states.push(state),
    onScreen: (screen) => shown.push(screen),
    open: () => {
      const socket = {
        open: () => undefined as void,
        isClosed: false,
        addEventListener: (_type: 'open', listener: () => void) => {
          socket.open = listener;
        },
        close: () => {
          socket.isClosed = true;
        },
      };
      tries.push(socket as never);
      return socket;
    },
    draw: (_socket, events) => {
      const screen = new FakeScreen(events);
      (tries.at(-1) as { screen: FakeScreen }).screen = screen;
      return screen;
    },
  });
  const last = () => tries.at(-1) as (typeof tries)[number];
  const succeed = (): void => {
    last().open();
    last().screen.events.onConnect();
  };
  return { connection, states, shown, tries, last, succeed };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a desktop’s connection', () => {
  it('goes through the states of the contract', () => {
    const { connection, states, shown, last, succeed } = setUp();
    expect(connection.state).toBe(idle);
    connection.connect();
    succeed();
    expect(states).toEqual([connecting, waiting, connected]);
    expect(shown).toEqual([last().screen]);
    connection.close();
    expect(states.slice(3)).toEqual([disconnecting, disconnected]);
    expect(last().screen.isGone).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(states).toHaveLength(5);
  });
  it('is made again by itself after a loss', () => {
    const { connection, states, tries, last, succeed } = setUp();
    connection.connect();
    succeed();
    last().screen.events.onDisconnect();
    expect(states.at(-1)).toBe(disconnected);
    vi.advanceTimersByTime(400);
    expect(tries).toHaveLength(2);
    succeed();
    expect(states.at(-1)).toBe(connected);
  });
  it('does not take the end of the old screen for one of the new', () => {
    const { connection, states, tries, succeed } = setUp();
    connection.connect();
    succeed();
    connection.wake();
    succeed();
    vi.advanceTimersByTime(1000);
    expect(tries).toHaveLength(2);
    expect(states.at(-1)).toBe(connected);
  });
  it('says that it failed after some tries, and tries again when asked', () => {
    const { connection, states, tries, last, succeed } = setUp();
    connection.connect();
    while (connection.state !== error && tries.length < 20) {
      last().screen.events.onDisconnect();
      vi.advanceTimersByTime(12_000);
    }
    expect(states.at(-1)).toBe(error);
    expect(tries.length).toBeLessThan(10);
    const before = tries.length;
    vi.advanceTimersByTime(600_000);
    expect(tries).toHaveLength(before);
    connection.wake();
    succeed();
    expect(states.at(-1)).toBe(connected);
  });
  it('gives up a handshake that does not come', () => {
    const { connection, tries } = setUp();
    connection.connect();
    tries[0]?.open();
    vi.advanceTimersByTime(10_500);
    expect(tries[0]?.isClosed).toBe(true);
    expect(tries).toHaveLength(2);
  });
  it('is not made by a network that comes back before the page asked for it', () => {
    const { connection, tries } = setUp();
    connection.wake();
    expect(tries).toHaveLength(0);
  });
  it('waits longer after each failure, within bounds', () => {
    const delays = [0, 1, 2, 3, 4, 5, 60].map((failures) => retryMs(failures, 0.5));
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(retryMs(60, 1)).toBeLessThanOrEqual(10_000);
  });
});
