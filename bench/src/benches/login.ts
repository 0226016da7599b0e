/**
 * Signing in: the whole call against the comparison of the password alone, in the same process,
 * one after the other. What is left is ours.
 */
import { API_BASE } from '@hypercube/contract';
import { HASHING } from '../../../server/src/domains/user/password.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { quantile } from '../kit/statistics.ts';

/** The least that OWASP's Password Storage Cheat Sheet asks of argon2id. */
const OWASP = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const ROUNDS = 200;
/** The first ones prepare statements and warm up. */
const WARM_UP = 20;
const LIMIT_MS = 5;

const strengthOf = ({ memoryCost, timeCost, parallelism }: typeof OWASP): string =>
  `argon2id, ${memoryCost} KiB, ${timeCost} passes, ${parallelism} lane`;

export async function benchLogin(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'no worker' });
  const whole: number[] = [];
  const alone: number[] = [];
  const parties = [
    async () => {
      whole.push(await platform.timeSignIn('student'));
    },
    async () => {
      alone.push(await platform.worker.call('timePassword', 'student'));
    },
  ];
  progress(`login: ${ROUNDS} times`);
  for (let index = 0; index < ROUNDS + WARM_UP; index += 1) {
    for (const party of index % 2 === 0 ? parties : parties.toReversed()) await party();
    if (index === WARM_UP - 1) whole.length = alone.length = 0;
  }
  const rest = (part: number): number => quantile(whole, part) - quantile(alone, part);
  const [p50, p95] = [rest(0.5), rest(0.95)];
  const told = (times: readonly number[]): string =>
    `p50 ${round(quantile(times, 0.5))} ms, p95 ${round(quantile(times, 0.95))} ms`;
  return {
    rows: [
      {
        bench: 'login',
        what: `POST ${API_BASE}/user/auth, all but the password’s comparison`,
        measured: `p50 ${round(p50)} ms, p95 ${round(p95)} ms (whole: ${told(whole)})`,
        against: `the comparison alone: ${told(alone)}`,
        target: `≤ ${LIMIT_MS} ms each`,
        isMet: p50 <= LIMIT_MS && p95 <= LIMIT_MS,
      },
      {
        bench: 'login',
        what: 'strength of the hash',
        measured: strengthOf(HASHING),
        against: `OWASP’s minimum: ${strengthOf(OWASP)}`,
        target: 'not below',
        isMet:
          HASHING.memoryCost >= OWASP.memoryCost &&
          HASHING.timeCost >= OWASP.timeCost &&
          HASHING.parallelism >= OWASP.parallelism,
      },
    ],
    figures: { whole, alone, p50, p95 },
  };
}
