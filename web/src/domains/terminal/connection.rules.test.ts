import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TerminalConnection, retryMs, type TerminalSocket } from './connection.ts';
import { readMessage } from './protocol.ts';

/** The other side: a stream of bytes, and input by number, as the agent keeps them. */
class FakeAgent {
  output = '';
  /** Offset of the first byte that is still kept. */
  firstKept = 0;
  typed = '';
  inputSeen = 0;
  readonly sockets: FakeSocket[] = [];
  /** Whether input is taken in and confirmed. */
  isListening = true;
  isConfirming = true;

  open(): FakeSocket {
    const socket = new FakeSocket(this);
    this.sockets.push(socket);
    return socket;
  }
  get socket(): FakeSocket {
    return this.sockets.at(-1) as FakeSocket;
  }
  print(text: string): void {
    const offset = this.output.length;
    this.output += text;
    this.socket.deliverOutput(offset, text);
  }
}

class FakeSocket implements TerminalSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string | ArrayBuffer }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly texts: Record<string, unknown>[] = [];
  readonly numbers: number[] = [];
  isClosed = false;
  readonly #agent: FakeAgent;
  constructor(agent: FakeAgent) {
    this.#agent = agent;
  }
  say(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  deliverOutput(offset: number, text: string): void {
    const frame = new Uint8Array(9 + text.length);
    const view = new DataView(frame.buffer);
    view.setUint8(0, 1);
    view.setBigUint64(1, BigInt(offset));
    frame.set(new TextEncoder().encode(text), 9);
    this.onmessage?.({ data: frame.buffer });
  }
  /** Opens and answers the attach. */
  accept(change: Record<string, unknown> = {}): void {
    this.onopen?.();
    const after = this.texts[0]?.['After'];
    const wanted = typeof after === 'number' ? after : this.#agent.firstKept;
    const from = wanted > this.#agent.output.length ? 0 : Math.max(wanted, this.#agent.firstKept);
    this.say({
      Type: 'attached',
      Name: '1',
      From: from,
      InputSeen: this.#agent.inputSeen,
      Columns: 80,
      Rows: 24,
      IsAlive: true,
      ...change,
    });
    if (from < this.#agent.output.length) this.deliverOutput(from, this.#agent.output.slice(from));
  }
  cut(): void {
    this.onclose?.();
  }
  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (typeof data === 'string') {
      this.texts.push(JSON.parse(data) as Record<string, unknown>);
      return;
    }
    const number = new DataView(data.buffer).getUint32(1);
    this.numbers.push(number);
    if (!this.#agent.isListening) return;
    if (number > this.#agent.inputSeen) {
      this.#agent.inputSeen = number;
      this.#agent.typed += new TextDecoder().decode(data.subarray(5));
    }
    if (!this.#agent.isConfirming) return;
    const answer = new Uint8Array(5);
    answer[0] = 3;
    new DataView(answer.buffer).setUint32(1, number);
    this.onmessage?.({ data: answer.buffer });
  }
  close(): void {
    this.isClosed = true;
  }
}

function setUp(after: number | null = null) {
  const agent = new FakeAgent();
  const shown = { text: '', gaps: [] as number[], restarts: 0, exits: 0, refusals: [] as string[] };
  const states: string[] = [];
  let isDrawing = true;
  const undrawn: (() => void)[] = [];
  const connection = new TerminalConnection({
    name: '1',
    node: '',
    client: 'tab',
    columns: 80,
    rows: 24,
    after,
    random: () => 0.5,
    open: () => agent.open(),
    listener: {
      onState: (state) => states.push(state),
      onOutput: (bytes, done) => {
        shown.text += new TextDecoder().decode(bytes);
        if (isDrawing) done();
        else undrawn.push(done);
      },
      onGap: (bytes) => shown.gaps.push(bytes),
      onRestart: () => {
        shown.restarts += 1;
        shown.text = '';
      },
      onSize: () => undefined,
      onExit: () => (shown.exits += 1),
      onRefused: (reason) => shown.refusals.push(reason),
    },
  });
  connection.connect();
  return {
    agent,
    shown,
    states,
    connection,
    stopDrawing: () => (isDrawing = false),
    draw: () => {
      for (const done of undrawn.splice(0)) done();
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('output', () => {
  it('goes on where it stopped: nothing is lost, nothing comes twice', () => {
    const { agent, shown } = setUp();
    agent.socket.accept();
    agent.print('one ');
    agent.socket.cut();
    // Printed while there is no link.
    agent.output += 'two ';
    vi.advanceTimersByTime(300);
    expect(agent.sockets).toHaveLength(2);
    agent.socket.accept();
    expect(agent.socket.texts[0]).toMatchObject({ Type: 'attach', After: 4, Client: 'tab' });
    agent.print('three');
    expect(shown.text).toBe('one two three');
    expect(shown.gaps).toEqual([]);
  });
  it('that overlaps is cut to what is new', () => {
    const { agent, shown } = setUp();
    agent.socket.accept();
    agent.print('abcdef');
    agent.socket.deliverOutput(3, 'defghi');
    agent.socket.deliverOutput(0, 'abc');
    expect(shown.text).toBe('abcdefghi');
  });
  it('that is no longer kept is said to be missing', () => {
    const { agent, shown } = setUp();
    agent.socket.accept();
    agent.print('abc');
    agent.socket.cut();
    agent.output += 'x'.repeat(100);
    agent.firstKept = 53;
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(shown.gaps).toEqual([50]);
    expect(shown.text).toBe(`abc${'x'.repeat(50)}`);
  });
  it('of another terminal under the same name does not continue the old one', () => {
    const { agent, shown } = setUp();
    agent.socket.accept();
    agent.print('before the restart');
    agent.socket.cut();
    agent.output = 'new';
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(shown.restarts).toBe(1);
    expect(shown.text).toBe('new');
  });
  it('goes on for another connection of the same screen', () => {
    const first = setUp();
    first.agent.socket.accept();
    first.agent.print('abc');
    expect(first.connection.shown).toBe(3);
    const second = setUp(3);
    second.agent.output = 'abcdef';
    second.agent.socket.accept();
    expect(second.shown.text).toBe('def');
  });
  it('is confirmed once it is drawn, at once after much and soon after little', () => {
    const { agent, stopDrawing, draw } = setUp();
    agent.socket.accept();
    const received = () => agent.socket.texts.filter(({ Type }) => Type === 'received');
    agent.print('x'.repeat(10));
    expect(received()).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(received()).toEqual([{ Type: 'received', Offset: 10 }]);
    stopDrawing();
    agent.print('y'.repeat(300_000));
    vi.advanceTimersByTime(5000);
    expect(received()).toHaveLength(1);
    draw();
    expect(received().at(-1)).toEqual({ Type: 'received', Offset: 300_010 });
  });
});

describe('input', () => {
  it('typed without a link is sent when there is one, in order and once', () => {
    const { agent, connection } = setUp();
    connection.type('ls');
    connection.type('\r');
    agent.socket.accept();
    expect(agent.typed).toBe('ls\r');
    agent.socket.cut();
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(agent.socket.numbers).toEqual([]);
    expect(agent.typed).toBe('ls\r');
  });
  it('that arrived but was not confirmed is not typed again', () => {
    const { agent, connection } = setUp();
    agent.socket.accept();
    agent.isConfirming = false;
    connection.type('rm old');
    agent.socket.cut();
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(agent.typed).toBe('rm old');
    expect(agent.socket.numbers).toEqual([]);
  });
  it('that was lost on the way is sent again under its number', () => {
    const { agent, connection } = setUp();
    agent.socket.accept();
    connection.type('a');
    agent.isListening = false;
    connection.type('b');
    connection.type('c');
    agent.socket.cut();
    agent.isListening = true;
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(agent.socket.numbers).toEqual([2, 3]);
    expect(agent.typed).toBe('abc');
  });
  it('that nobody confirms takes a new link, without waiting for the old one to die', () => {
    const { agent, connection } = setUp();
    agent.socket.accept();
    agent.isListening = false;
    connection.type('x');
    vi.advanceTimersByTime(3900);
    expect(agent.sockets).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(agent.sockets).toHaveLength(2);
    expect(agent.sockets[0]?.isClosed).toBe(true);
  });
  it('is bounded while there is no link', () => {
    const { connection } = setUp();
    expect(connection.type('x'.repeat(1024 * 1024))).toBe(true);
    expect(connection.type('y')).toBe(false);
  });
  it('of any script arrives whole, in pieces that the agent takes', () => {
    const { agent, connection } = setUp();
    agent.socket.accept();
    const text = '并行计算 🚀 '.repeat(10_000);
    connection.type(text);
    expect(agent.socket.numbers.length).toBeGreaterThan(2);
    // A piece may end within a character; the bytes are whole.
    expect(agent.typed.length).toBeGreaterThan(0);
    expect(agent.inputSeen).toBe(agent.socket.numbers.length);
  });
});

describe('the link', () => {
  it('is tried again, each time a little later, within bounds', () => {
    const delays = [0, 1, 2, 3, 4, 5, 60].map((failures) => retryMs(failures, 0.5));
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays[0]).toBeLessThanOrEqual(400);
    expect(retryMs(60, 1)).toBeLessThanOrEqual(10_000);
    expect(retryMs(2, 0)).not.toBe(retryMs(2, 1));
  });
  it('comes back at once when it is told that the network is back', () => {
    const { agent, connection, states } = setUp();
    agent.socket.accept();
    for (let count = 0; count < 5; count++) {
      agent.socket.cut();
      vi.advanceTimersByTime(10_000);
    }
    agent.socket.cut();
    const before = agent.sockets.length;
    connection.wake();
    expect(agent.sockets).toHaveLength(before + 1);
    agent.socket.accept();
    expect(states.at(-1)).toBe('open');
  });
  it('that does not answer its handshake is given up', () => {
    const { agent } = setUp();
    vi.advanceTimersByTime(10_400);
    expect(agent.sockets).toHaveLength(2);
    expect(agent.sockets[0]?.isClosed).toBe(true);
  });
  it('is not made again after the program has ended, was refused, or the page left', () => {
    const ended = setUp();
    ended.agent.socket.accept();
    ended.agent.socket.say({ Type: 'exit', Code: 0 });
    ended.agent.socket.cut();
    const refused = setUp();
    refused.agent.socket.onopen?.();
    refused.agent.socket.say({ Type: 'refused', Reason: 'too_many' });
    const left = setUp();
    left.agent.socket.accept();
    left.connection.close();
    vi.advanceTimersByTime(60_000);
    expect(ended.shown.exits).toBe(1);
    expect(refused.shown.refusals).toEqual(['too_many']);
    for (const { agent, connection } of [ended, refused, left]) {
      expect(agent.sockets).toHaveLength(1);
      expect(connection.state).toBe('ended');
    }
  });
  it('tells the size again when it is made anew', () => {
    const { agent, connection } = setUp();
    agent.socket.accept();
    connection.resize(120, 40);
    expect(agent.socket.texts.at(-1)).toEqual({ Type: 'resize', Columns: 120, Rows: 40 });
    agent.socket.cut();
    vi.advanceTimersByTime(300);
    agent.socket.accept();
    expect(agent.socket.texts[0]).toMatchObject({ Columns: 120, Rows: 40 });
  });
});

describe('what is not understood', () => {
  it.each([
    ['not json'],
    ['null'],
    ['{"Type":"dance"}'],
    [new ArrayBuffer(0)],
    [new ArrayBuffer(4)],
  ])('is left aside: %j', (data) => expect(readMessage(data)).toBeNull());
});
