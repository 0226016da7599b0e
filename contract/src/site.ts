/** The site itself: its names, true counts for the home page, and whether environments can be opened. */
import { z } from 'zod';
import { SSO_PROVIDERS, route } from './kernel/index.ts';
import { registrationSettings, siteSettings } from './setting.ts';
import { imageBuild } from './usage.ts';

/** What every page must know of the site: it comes with the page itself, and fresh in `GET /site`. */
export const siteFace = siteSettings.extend({
  Supporters: z.array(
    z.object({
      NameZh: z.string(),
      NameEn: z.string(),
      URL: z.string().nullable(),
      /** Path of the picture. */
      Logo: z.string().nullable(),
    }),
  ),
  Registration: registrationSettings,
  /** The names of the sign-on providers as they were set; empty ones stand for the platform's words. */
  Providers: z.array(
    z.object({ Provider: z.enum(SSO_PROVIDERS), NameZh: z.string(), NameEn: z.string() }),
  ),
});
export type SiteFace = z.output<typeof siteFace>;

/** The element of a page that carries {@link SiteFace} as JSON. */
export const SITE_ELEMENT = 'site-face';

export const getSite = route({
  method: 'GET',
  path: '/site',
  summary: 'What the site is called, published counts, and the state of the practice environments',
  access: { public: 'the home page shows it to visitors' },
  response: z.object({
    Site: siteFace,
    Counts: z.object({
      Labs: z.int(),
      Tasks: z.int(),
      Courses: z.int(),
      Problems: z.int(),
      Tags: z.int(),
      RunningUsages: z.int(),
    }),
    Engine: z.object({
      IsReady: z.boolean(),
      /** For staff; null for everybody else and when ready. */
      Reason: z.string().nullable(),
    }),
    Images: z.array(imageBuild),
    Version: z.string(),
  }),
  errors: [],
  scope: {},
});
