/**
 * Configuration by environment. One schema: it validates at start, refuses what it does not know,
 * and `docs/guide/configuration.md` is generated from it.
 */
import { totalmem, availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { SETTING_GROUPS } from '@hypercube/contract';
import { z } from 'zod';
import { isSecretKey } from './secret-box.ts';
import { StartError } from './start-error.ts';
import { SIGN_ON_SETTINGS, signOnFaults } from './sign-on-settings.ts';

const text = (description: string) => z.string().trim().min(1).meta({ description });
const origin = (description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .transform((value) => new URL(value))
    .refine((url) => url.pathname === '/' && url.search === '' && url.hash === '', {
      message: 'must be an origin without a path, such as https://hpc.example.edu',
    })
    .transform((url) => url.origin)
    .meta({ description });
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
const whole = (description: string, minimum: number, maximum: number, fallback: number) =>
  z.coerce
    .number<string | number>()
    .int()
    .min(minimum)
    .max(maximum)
    .default(fallback)
    .meta({ description });
const fraction = (description: string, minimum: number, maximum: number, fallback: number) =>
  z.coerce
    .number<string | number>()
    .min(minimum)
    .max(maximum)
    .default(fallback)
    .meta({ description });

/** Every setting: its rule, its default and what it is for. The order is the order of the guide. */
export const SETTINGS = {
  HC_HOST: text(
    'Address to listen on. Behind a reverse proxy on the same machine keep 127.0.0.1.',
  ).default('127.0.0.1'),
  HC_PORT: whole('Port to listen on; 0 takes a free one.', 0, 65_535, 8080),
  HC_PUBLIC_URL: origin(
    'Origin under which people reach the site. With https, cookies are marked Secure and use the __Host- prefix.',
  ).optional(),
  HC_SESSION_ORIGIN: origin(
    'Own origin for session content (notebooks, desktops). Strongly recommended in production: a page inside a session can then never act as its user on the platform.',
  ).optional(),
  HC_DATA: text(
    'Folder of everything that must be kept: database, personal files, container storage, logs.',
  ).default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(?:ql)?$/ })
    .meta({
      description:
        'PostgreSQL 15 or newer with UTF-8 encoding. Without it the embedded PostgreSQL 18 runs in HC_DATA.',
    })
    .optional(),
  CONTAINER_HOST: z
    .string()
    .regex(/^(?:unix|tcp):\/\/.+$/, 'must begin with unix:// or tcp://')
    .meta({
      description:
        'Docker-compatible engine, such as unix:///run/podman/podman.sock. Without it a running Docker is used, or a podman service that the platform starts itself.',
    })
    .optional(),
  HC_ROLES: z
    .string()
    .default('web,worker')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'worker', 'gateway'])).min(1))
    .meta({
      description:
        'What this process does: web answers requests and carries sessions, worker runs environments. Comma-separated. gateway, alone and with DATABASE_URL, carries sessions and nothing else.',
    }),
  HC_CAPTCHA: z.enum(['slider', 'aliyun', 'off']).default('slider').meta({
    description:
      'Human check at sign-in, registration, mails and reset: the built-in slider, Aliyun (which needs the HC_CAPTCHA_ keys), or none.',
  }),
  HC_CAPTCHA_APP_KEY: text('Aliyun: key of the site.').optional(),
  HC_CAPTCHA_ACCESS_KEY_ID: text('Aliyun: id of the access key.').optional(),
  HC_CAPTCHA_ACCESS_KEY_SECRET: text('Aliyun: secret of the access key.').optional(),
  HC_CAPTCHA_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://afs.aliyuncs.com/')
    .meta({ description: 'Aliyun: where results are checked.' }),
  HC_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .meta({
      description:
        'Mail server, such as smtp://user:password@mail.example.edu:587, or smtps:// for TLS from the start. Without it no mail leaves: an admin reads them at /admin/mail.',
    })
    .optional(),
  HC_MAIL_FROM: text(
    'Sender of mails: an address, or a name and an address in angle brackets.',
  ).default('Hypercube <no-reply@hypercube.local>'),
  HC_MAIL_DAYS: whole('How many days mails that went out are kept for reading.', 1, 3650, 30),
  HC_DEMO_PASSWORD: z.string().min(8).max(20).optional().meta({
    description:
      'Password of the first accounts when they are made. For tests and demonstrations; without it each gets a random one, printed once.',
  }),
  HC_ENGINE: z.enum(['auto', 'off']).default('auto').meta({
    description: 'off runs the site without practice environments; sessions then say so.',
  }),
  HC_JUDGE: z.enum(['auto', 'off']).default('auto').meta({
    description:
      'off runs the site without judging programs; submissions then wait until it is on again.',
  }),
  HC_JUDGE_SLOTS: whole(
    'How many submissions are judged side by side. Default: the machine’s cores but one, at least 1 and at most 64, since two programs on one core slow each other down.',
    1,
    64,
    Math.min(64, Math.max(1, availableParallelism() - 1)),
  ),
  HC_IMAGE_STORE: text(
    'Folder of the built practice images, by content key; installations on this machine share it. Default: ~/.cache/hypercube/images.',
  ).optional(),
  HC_IMAGES: text(
    'Folder with practice images of your own: a sub-folder with a Containerfile for each, and images.json as in the repository’s images/. They may begin FROM hypercube/notebook, desktop, ide or toolchain.',
  ).optional(),
  HC_CAPACITY_CPUS: fraction(
    'CPU cores that running environments may reserve together. Default: four times the machine’s cores, since learners seldom compute at the same moment.',
    0.1,
    100_000,
    availableParallelism() * 4,
  ),
  HC_CAPACITY_MEMORY_MIB: whole(
    'Memory in MiB that running environments may reserve together. Default: three quarters of the machine’s memory.',
    64,
    1_000_000_000,
    Math.floor((totalmem() * 0.75) / 1024 / 1024),
  ),
  HC_TIME_ZONE: z
    .string()
    .default('Asia/Shanghai')
    .refine((zone) => isTimeZone(zone), { message: 'must be an IANA name such as Asia/Shanghai' })
    .meta({
      description:
        'Calendar of dashboards, study times and digests: where a day begins. Notifications tell due times in it.',
    }),
  HC_TRACK_DAYS: whole(
    'How many days single page views are kept. Hourly figures and study times stay.',
    7,
    3650,
    180,
  ),
  HC_QUEUE_LIMIT: whole(
    'How many starts may wait in the queue; more are refused with a clear answer.',
    1,
    100_000,
    500,
  ),
  HC_START_TIMEOUT_SECONDS: whole(
    'How long an environment may take from creation until it answers.',
    5,
    3600,
    120,
  ),
  HC_HOLD_SECONDS: whole(
    'How long a paused environment stays frozen in memory before it is stopped with its files kept.',
    10,
    864_000,
    7200,
  ),
  HC_KEEP_SECONDS: whole(
    'How long a stopped environment is kept before it is removed. Personal files always stay.',
    60,
    31_536_000,
    7 * 86_400,
  ),
  HC_LOGIN_HOURS: whole('How long a sign-in lasts.', 1, 8760, 24 * 7),
  HC_TRUST_PROXY: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({
      description: 'true when a reverse proxy in front sets X-Forwarded-For and X-Forwarded-Proto.',
    }),
  ...SIGN_ON_SETTINGS,
  HC_SECRET_KEY: z
    .string()
    .refine(isSecretKey, { message: 'must be 32 bytes as base64: openssl rand -base64 32' })
    .optional()
    .meta({
      description:
        'Key with which secrets that are set in the browser are kept in the database: 32 bytes as base64. Only for several servers without a common HC_DATA; otherwise it is made in HC_DATA/secret.key, which belongs in the backup.',
    }),
  HC_SETTINGS_IGNORED: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((group) => group.trim())
        .filter((group) => group !== ''),
    )
    .pipe(z.array(z.enum(SETTING_GROUPS)))
    .meta({
      description:
        'Groups of settings whose values of the browser do not hold, so that those of the configuration do: a way back for whoever has locked themselves out, such as captcha. Comma-separated.',
    }),
  HC_METRICS_TOKEN: z.string().min(16).optional().meta({
    description:
      'Bearer token for /metrics. Without it /metrics answers only requests from this machine.',
  }),
  HC_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta({ description: 'Least serious kind of log line that is written.' }),
} as const;

const schema = z.object(SETTINGS);
type Values = z.output<typeof schema>;

export interface Config extends Omit<Values, 'HC_DATA'> {
  /** Absolute. */
  readonly HC_DATA: string;
}

/** A configuration that cannot be used; the message names every fault in a sentence of its own. */
export class ConfigError extends StartError {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Names nearest to a misspelt one come first in the hint. */
function nearest(name: string): string | undefined {
  const known = Object.keys(SETTINGS);
  const score = (candidate: string) =>
    Array.from(candidate, (letter, index) => (letter === name[index] ? 1 : 0)).reduce<number>(
      (sum, point) => sum + point,
      0,
    ) - Math.abs(candidate.length - name.length);
  return known.toSorted((a, b) => score(b) - score(a))[0];
}

/**
 * Reads the configuration.
 * @param environment as of `process.env`; an empty value counts as not set
 * @throws ConfigError
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        value !== undefined && value !== '' && (name in SETTINGS || name.startsWith('HC_')),
    ),
  );
  const faults = Object.keys(given)
    .filter((name) => !(name in SETTINGS))
    .map((name) => `${name} is not a setting; did you mean ${nearest(name)}?`);
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  if (parsed.success) faults.push(...signOnFaults(parsed.data));
  if (faults.length > 0 || !parsed.success) throw new ConfigError(faults);
  const config = { ...parsed.data, HC_DATA: resolve(parsed.data.HC_DATA) };
  if (config.HC_SESSION_ORIGIN !== undefined && config.HC_SESSION_ORIGIN === config.HC_PUBLIC_URL) {
    throw new ConfigError([
      'HC_SESSION_ORIGIN: must differ from HC_PUBLIC_URL, else it protects nothing',
    ]);
  }
  if (config.HC_ROLES.includes('gateway')) {
    if (config.HC_ROLES.length > 1)
      throw new ConfigError(['HC_ROLES: gateway stands alone; web carries sessions by itself']);
    if (config.DATABASE_URL === undefined)
      throw new ConfigError(['DATABASE_URL: HC_ROLES=gateway needs it, the database of the site']);
  }
  if (config.HC_CAPTCHA === 'aliyun') {
    const keys = [
      'HC_CAPTCHA_APP_KEY',
      'HC_CAPTCHA_ACCESS_KEY_ID',
      'HC_CAPTCHA_ACCESS_KEY_SECRET',
    ] as const;
    const missing = keys.filter((key) => config[key] === undefined);
    if (missing.length > 0)
      throw new ConfigError(missing.map((key) => `${key}: HC_CAPTCHA=aliyun needs it`));
  }
  return config;
}
