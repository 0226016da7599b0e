/**
 * The human check. Whichever provider is configured, what a page sends is the same payload; the
 * built-in provider makes its challenges and checks their answers itself (decision 36).
 */
import { z } from 'zod';
import { CAPTCHA_SCENE, route } from './kernel/index.ts';

/** Scenes that a check may be made for. */
export const CAPTCHA_SCENES = [CAPTCHA_SCENE, 'nc_login', 'nc_register', 'nc_message'] as const;
export type CaptchaScene = (typeof CAPTCHA_SCENES)[number];

export const CAPTCHA_PROVIDERS = ['slider', 'aliyun', 'off'] as const;
export type CaptchaProviderName = (typeof CAPTCHA_PROVIDERS)[number];

/** What proves that the check was passed. */
export const captchaPayload = z.strictObject({
  Token: z.string().min(1).max(1000),
  Sig: z.string().min(1).max(1000),
  SessionId: z.string().min(1).max(1000),
  Scene: z.enum(CAPTCHA_SCENES),
});
export type CaptchaPayload = z.output<typeof captchaPayload>;

/** The same beside the other fields of a body; all of it, or none where the check is off. */
export const captchaFields = { Captcha: captchaPayload.optional() };

/** Size of the picture and of the piece, in pixels; the drag is told in the same. */
export const PUZZLE = { width: 320, height: 160, piece: 48 } as const;

export const getCaptcha = route({
  method: 'GET',
  path: '/captcha',
  summary: 'Which human check the site uses',
  access: { public: 'visitors pass the check before they can sign in' },
  response: z.object({
    Provider: z.enum(CAPTCHA_PROVIDERS),
    /** Key of the site at the external provider. */
    AppKey: z.string().nullable(),
    Scene: z.enum(CAPTCHA_SCENES),
  }),
  errors: [],
  scope: {},
});

/** The slider: a picture with a gap, and the piece that fills it. */
const puzzle = z.object({
  Kind: z.literal('slider'),
  SessionId: z.string(),
  /** Pictures as data addresses. */
  Background: z.string(),
  Piece: z.string(),
  /** How far down the piece lies; it moves only along. */
  PieceTop: z.int(),
});

/** The way without dragging or seeing: the device works on puzzles, a second or two. */
const work = z.object({
  Kind: z.literal('work'),
  SessionId: z.string(),
  Salt: z.string(),
  /** How many puzzles, and how many zero bits the SHA-256 of `Salt:index:nonce` must begin with. */
  Puzzles: z.int(),
  Bits: z.int(),
});

export const captchaChallenge = z.discriminatedUnion('Kind', [puzzle, work]);
export type CaptchaChallenge = z.output<typeof captchaChallenge>;
export type SliderChallenge = z.output<typeof puzzle>;
export type WorkChallenge = z.output<typeof work>;

export const createCaptchaChallenge = route({
  method: 'POST',
  path: '/captcha/challenge',
  summary: 'A new challenge of the built-in human check',
  access: { public: 'visitors pass the check before they can sign in' },
  body: { Kind: z.enum(['slider', 'work']), Scene: z.enum(CAPTCHA_SCENES) },
  response: captchaChallenge,
  status: 201,
  errors: ['captcha_not_ours', 'too_many_requests'],
  scope: {},
});

/** A moment of the drag: how far along and down in pixels of the picture, and milliseconds. */
const trackPoint = z.tuple([
  z.number().min(-1000).max(1000),
  z.number().min(-1000).max(1000),
  z.number().min(0).max(600_000),
]);
export type TrackPoint = z.output<typeof trackPoint>;

export const answerCaptcha = route({
  method: 'POST',
  path: '/captcha/answer',
  summary: 'Answer a challenge; a challenge takes one answer',
  access: { public: 'visitors pass the check before they can sign in' },
  body: {
    SessionId: z.string().min(1).max(100),
    Scene: z.enum(CAPTCHA_SCENES),
    Track: z.array(trackPoint).max(2000).optional(),
    Nonces: z.array(z.int().nonnegative()).max(200).optional(),
  },
  response: captchaPayload,
  errors: ['captcha_failed', 'too_many_requests'],
  scope: {},
});
