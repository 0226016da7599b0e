/**
 * The human check before protected actions. The built-in provider keeps its challenges in the
 * database, so that any web process can check what another one gave out; an external one is asked.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  CAPTCHA_SCENE,
  PUZZLE,
  TIMES,
  type CaptchaChallenge,
  type CaptchaPayload,
  type CaptchaProviderName,
  type CaptchaScene,
  type SettingValues,
  type TrackPoint,
} from '@hypercube/contract';
import { ALIYUN_SOURCES, createAliyunProvider } from '../../engines/captcha/aliyun.ts';
import { CaptchaProviderError, type CaptchaProvider } from '../../engines/captcha/provider.ts';
import { drawPuzzle, isHumanDrag } from '../../engines/captcha/slider.ts';
import { isWorkDone, makeWork } from '../../engines/captcha/work.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { findSetting, type Settings } from '../setting/setting.service.ts';
import * as queries from './captcha.queries.ts';
import type { Secret } from './captcha.schema.ts';

/** How long a challenge waits for its answer. */
const ANSWER_SECONDS = 300;
const WINDOW_SECONDS = 900;
/** Challenges for one address in a window; a whole class may share it. */
const CHALLENGES = 600;
const KEY = 'captcha-key';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const dataAddress = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

export interface CaptchaService {
  /** What pages must know to show the check. */
  site(): {
    readonly Provider: CaptchaProviderName;
    readonly AppKey: string | null;
    readonly Scene: CaptchaScene;
  };
  /** From where the pages' policy has to let the check's script and widget come. */
  sources(): readonly string[];
  /**
   * Lets a protected action go on, and uses the check up. Nothing is asked where it is off.
   * @throws DomainError `captcha_failed`, `captcha_unavailable`
   */
  verify(payload: CaptchaPayload | undefined, address: string): Promise<void>;
  /** A new challenge. @throws DomainError `captcha_not_ours`, `too_many_requests` */
  challenge(kind: Secret['kind'], scene: CaptchaScene, address: string): Promise<CaptchaChallenge>;
  /** Checks the one answer of a challenge. @throws DomainError `captcha_failed` */
  answer(answer: {
    sessionID: string;
    scene: CaptchaScene;
    track: readonly TrackPoint[] | undefined;
    nonces: readonly number[] | undefined;
  }): Promise<CaptchaPayload>;
  /** Challenges that are over go. */
  sweep(): Promise<void>;
}

export interface CaptchaOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Where results of the external check are checked. */
  readonly endpoint: string;
}

/** The external check by its keys. */
export const externalCheck = (
  { AppKey, AccessKeyID }: SettingValues['captcha'],
  accessKeySecret: string,
  endpoint: string,
): CaptchaProvider =>
  createAliyunProvider({
    appKey: AppKey,
    accessKeyID: AccessKeyID,
    accessKeySecret,
    endpoint,
  });

const NO_SOURCES: readonly string[] = [];

/** The key that signs passed checks, the same for every process of the installation. */
async function signingKey(database: Database): Promise<Buffer> {
  await queries.writeKeyOnce(database, KEY, randomBytes(32).toString('base64url'));
  return Buffer.from(String(await findSetting(database, KEY)), 'base64url');
}

export async function createCaptcha(options: CaptchaOptions): Promise<CaptchaService> {
  const { database, clock, settings, endpoint } = options;
  const key = await signingKey(database);
  const later = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1000);

  const sign = (token: string, sessionID: string, scene: string, expiresAt: Date): string =>
    createHmac('sha256', key)
      .update([token, sessionID, scene, expiresAt.getTime()].join('\n'))
      .digest('base64url');

  const builtIn: CaptchaProvider = {
    async verify({ Token, Sig, SessionId, Scene }) {
      const row = await queries.usePass(database, SessionId, clock.now());
      if (!row) return false;
      // Both are compared, whatever the first one says.
      const isToken = isSame(row.tokenHash ?? '', hash(Token));
      const isSigned = isSame(sign(Token, SessionId, Scene, row.expiresAt), Sig);
      return isToken && isSigned && row.scene === Scene;
    },
  };
  const chosen = (): CaptchaProviderName => settings.current('captcha').Provider;
  const external = settings.derive(['captcha'], () => {
    const secret = settings.secretOf('captcha');
    if (secret === null) return null;
    return externalCheck(settings.current('captcha'), secret, endpoint);
  });
  /** @throws CaptchaProviderError when the external check has lost its secret */
  function providerNow(): CaptchaProvider {
    if (chosen() === 'slider') return builtIn;
    const provider = external();
    if (provider === null) throw new CaptchaProviderError('the human check has no secret');
    return provider;
  }

  return {
    site: () => ({
      Provider: chosen(),
      AppKey: chosen() === 'aliyun' ? settings.current('captcha').AppKey : null,
      Scene: CAPTCHA_SCENE,
    }),

    sources: () => (chosen() === 'aliyun' ? ALIYUN_SOURCES : NO_SOURCES),

    async verify(payload, address) {
      if (chosen() === 'off') return;
      if (payload === undefined) throw new DomainError('captcha_failed');
      let isPassed: boolean;
      try {
        isPassed = await providerNow().verify(payload, address);
      } catch (error) {
        if (error instanceof CaptchaProviderError)
          throw new DomainError('captcha_unavailable', {}, { cause: error });
        throw error;
      }
      if (!isPassed) throw new DomainError('captcha_failed');
    },

    async challenge(kind, scene, address) {
      if (chosen() !== 'slider') throw new DomainError('captcha_not_ours');
      const addressHash = hash(address);
      const asked = await queries.countChallenges(database, addressHash, later(-WINDOW_SECONDS));
      if (asked >= CHALLENGES)
        throw new DomainError('too_many_requests', { RetryAfterSeconds: WINDOW_SECONDS });
      const id = randomBytes(24).toString('base64url');
      const insert = (secret: Secret): Promise<void> =>
        queries.insertChallenge(database, {
          id,
          scene,
          secret,
          addressHash,
          createdAt: clock.now(),
          expiresAt: later(ANSWER_SECONDS),
        });
      if (kind === 'work') {
        const work = makeWork(asked);
        await insert({ kind, ...work });
        return {
          Kind: kind,
          SessionId: id,
          Salt: work.salt,
          Puzzles: work.puzzles,
          Bits: work.bits,
        };
      }
      const puzzle = await drawPuzzle();
      await insert({ kind, gap: puzzle.gap });
      return {
        Kind: kind,
        SessionId: id,
        Background: dataAddress(puzzle.background),
        Piece: dataAddress(puzzle.piece),
        PieceTop: Math.min(puzzle.top, PUZZLE.height - PUZZLE.piece),
      };
    },

    async answer({ sessionID, scene, track, nonces }) {
      const row = await queries.takeAnswer(database, sessionID, scene, clock.now());
      const isRight =
        row !== undefined &&
        (row.secret.kind === 'slider'
          ? isHumanDrag(track ?? [], row.secret.gap)
          : isWorkDone(row.secret, nonces ?? []));
      if (!isRight) throw new DomainError('captcha_failed');
      const token = randomBytes(24).toString('base64url');
      const expiresAt = later(TIMES.captchaValidSeconds);
      await queries.passChallenge(database, sessionID, hash(token), expiresAt);
      return {
        Token: token,
        Sig: sign(token, sessionID, scene, expiresAt),
        SessionId: sessionID,
        Scene: scene,
      };
    },

    sweep: () => queries.deleteExpiredChallenges(database, later(-WINDOW_SECONDS)),
  };
}
