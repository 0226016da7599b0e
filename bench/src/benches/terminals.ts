/**
 * Two hundred terminals that each print 40 KB a second, through the gateway: how much of what was
 * due had arrived a second later, and whether any connection was lost.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { makeAccounts, makeSpecification } from '../kit/accounts.ts';
import { cpuMs } from '../kit/cpu.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result } from '../kit/report.ts';
import { Terminal } from '../kit/terminal.ts';

const SESSIONS = 25;
/** As many as a session has at most. */
const TERMINALS = 8;
const BYTES_PER_SECOND = 40_000;
const SECONDS = 20;
const STEPS_PER_SECOND = 10;
const LATE_MS = 1000;
const LEAST = 0.95;
const NODE = { cpus: 1, memoryMiB: 384 } as const;
const STARTS_AT_ONCE = 4;
/** From the order to print until the first byte is due: every shell must have read it by then. */
const LEAD_MS = 5000;

const STEP_BYTES = BYTES_PER_SECOND / STEPS_PER_SECOND;
const STEPS = SECONDS * STEPS_PER_SECOND;
const TOTAL = STEP_BYTES * STEPS;
const READY = 'ready to print';
/** Comes before the first byte that counts; typed in two parts, so that its echo is not it. */
const BEGIN = 'begin-of-print';

/**
 * Prints a step's bytes when they are due and not when the last ones are through: a shell that was
 * held up catches up. Lines end with two bytes on a terminal.
 */
const programFrom = (beginMicros: number): string =>
  [
    `stty -echo; chunk=$(printf 'x%.0s' {1..${STEP_BYTES - 2}}); printf '%s%s\\n' ready ' to print'`,
    `wait_for() { left=$(($1-\${EPOCHREALTIME//[^0-9]/})); if ((left>0)); then printf -v left '%d.%06d' $((left/1000000)) $((left%1000000)); read -rt $left _; fi; }`,
    `at=${beginMicros}; wait_for $((at-1000000)); printf '%s%s\\n' begin- of-print`,
    `for ((n=0;n<${STEPS};n++)); do wait_for $at; printf '%s\\n' $chunk; at=$((at+${1e6 / STEPS_PER_SECOND})); done; printf end\n`,
  ].join('; ');

/** One terminal's stream: what came, and how much of it in time. */
class Stream {
  bytes = 0;
  inTime = 0;
  isReady = false;
  readonly #beginAt: number;
  #head = '';
  #hasBegun = false;

  constructor(beginAt: number) {
    this.#beginAt = beginAt;
  }

  take(bytes: Uint8Array): void {
    if (this.#hasBegun) return this.#count(bytes.length);
    this.#head += Buffer.from(bytes).toString('latin1');
    this.isReady ||= this.#head.includes(READY);
    const at = this.#head.indexOf(`${BEGIN}\r\n`);
    if (at < 0) return;
    this.#hasBegun = true;
    this.#count(this.#head.length - at - BEGIN.length - 2);
  }

  #count(length: number): void {
    // What is behind the last step is the shell's own.
    const end = Math.min(TOTAL, this.bytes + length);
    const now = Date.now();
    while (this.bytes < end) {
      const step = Math.floor(this.bytes / STEP_BYTES);
      const part = Math.min(end, (step + 1) * STEP_BYTES) - this.bytes;
      const dueAt = this.#beginAt + (step * 1000) / STEPS_PER_SECOND;
      if (now <= dueAt + LATE_MS) this.inTime += part;
      this.bytes += part;
    }
  }
}

export async function benchTerminals(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers' }, [], {
    HC_CAPACITY_CPUS: String(SESSIONS * NODE.cpus),
    HC_CAPACITY_MEMORY_MIB: String(SESSIONS * NODE.memoryMiB),
  });
  const opened = await makeSpecification(platform, NODE);
  const accounts = await makeAccounts(platform, SESSIONS);
  const waiting = [...accounts];
  const sessions: { base: string; cookie: string }[] = [];
  await Promise.all(
    Array.from({ length: STARTS_AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { cookie } = next;
        const { terminalPath } = await platform.openSession(cookie, opened);
        sessions.push({ base: platform.origin + terminalPath, cookie });
      }
    }),
  );
  progress(`terminals: ${SESSIONS} sessions are ready`);

  let streams: Stream[] = [];
  const places = sessions.flatMap((session) =>
    Array.from({ length: TERMINALS }, (_, index) => ({ ...session, index })),
  );
  const terminals = places.map(
    ({ base, cookie, index }, place) =>
      new Terminal({
        base,
        cookie,
        name: `bench-${index}`,
        onOutput: (bytes) => streams[place]?.take(bytes),
      }),
  );
  let gatewayMs: number;
  try {
    for (const terminal of terminals) await terminal.open();
    const beginAt = Date.now() + LEAD_MS;
    streams = terminals.map(() => new Stream(beginAt));
    for (const { connection } of terminals) connection.type(programFrom(beginAt * 1000));
    await pause(beginAt - 1000 - Date.now());
    const late = streams.filter(({ isReady }) => !isReady).length;
    if (late > 0) throw new Error(`${late} shells were not ready to print`);
    await pause(beginAt - Date.now());
    const before = await cpuMs(platform.worker.pid);
    await pause(SECONDS * 1000 + LATE_MS);
    gatewayMs = (await cpuMs(platform.worker.pid)) - before;
  } finally {
    for (const terminal of terminals) terminal.close();
  }
  const losses = terminals.reduce((sum, terminal) => sum + terminal.losses, 0);
  const missing = terminals.reduce((sum, terminal) => sum + terminal.missing, 0);
  const shares = streams.map(({ inTime }) => inTime / TOTAL);
  const delivered = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const worst = Math.min(...shares);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return {
    rows: [
      {
        bench: 'terminals',
        what: `${terminals.length} terminals at ${BYTES_PER_SECOND / 1000} KB/s for ${SECONDS} s, delivered within ${LATE_MS / 1000} s`,
        measured: `${percent(delivered)}, worst terminal ${percent(worst)}, gateway ${((gatewayMs / (SECONDS * 1000 + LATE_MS)) * 100).toFixed(0)} % of a core`,
        against: 'limit',
        target: `≥ ${percent(LEAST)}`,
        isMet: delivered >= LEAST && missing === 0,
      },
      {
        bench: 'terminals',
        what: `${terminals.length} terminals, connections lost`,
        measured: String(losses),
        against: 'limit',
        target: '0',
        isMet: losses === 0,
      },
    ],
    figures: { shares, gatewayMs, losses, missing },
  };
}
