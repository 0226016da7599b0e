/** The site itself: true counts for the home page, and whether environments can be opened. */
import { z } from 'zod';
import { route } from './kernel/index.ts';
import { imageBuild } from './usage.ts';

export const getSite = route({
  method: 'GET',
  path: '/site',
  summary: 'Published counts and the state of the practice environments',
  access: { public: 'the home page shows it to visitors' },
  response: z.object({
    Counts: z.object({ Labs: z.int(), Tasks: z.int(), Tags: z.int(), RunningUsages: z.int() }),
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
