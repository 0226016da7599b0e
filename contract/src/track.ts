/** Tracking of pages, and what a learner's own study time is made of. */
import { z } from 'zod';
import { COUNT_LIMITS, TRACK_MODULES, route } from './kernel/index.ts';

const repeated = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value) => [value].flat())
  .pipe(
    z
      .array(z.coerce.number<string | number>().int().min(0).max(2_147_483_647))
      .max(COUNT_LIMITS.trackingFields),
  );

export const recordTrack = route({
  method: 'POST',
  path: '/track',
  summary: 'A page is looked at: on arrival, every 60 s, and when it is left',
  access: { need: ['tracking.record'] },
  form: true,
  body: {
    /** The module in hundreds: lab 100s, course 200s, software 300s, … */
    Type: z.coerce.number<string | number>().int().min(100).max(699),
    /** Up to three numbers of the address, such as the lab and the task. */
    Field: repeated.default([]),
    /** Random, made by the tab; not the login. */
    SessionId: z.string().regex(/^[\w-]{8,64}$/),
    URL: z.string().max(300).default(''),
    FromURL: z.string().max(300).default(''),
    /** Of the specification; who it was is taken from the login alone. */
    UserId: z.string().max(20).optional(),
  },
  response: z.null(),
  status: 202,
  errors: ['too_many_requests'],
  scope: {},
});

const minutes = z.int().nonnegative();

export const studyStatistics = z.object({
  /** One for each of the days asked for, oldest first, also those without study. */
  Days: z.array(z.object({ Day: z.iso.date(), Minutes: minutes })),
  /** Over the same days. */
  Modules: z.array(z.object({ Module: z.enum(TRACK_MODULES), Minutes: minutes })),
  TotalMinutes: minutes,
  /** Days in a row with study, up to today or yesterday. */
  Streak: z.int().nonnegative(),
  LongestStreak: z.int().nonnegative(),
  /** Environments opened over the same days, and how long they ran. */
  Environments: z.int().nonnegative(),
  EnvironmentMinutes: minutes,
});
export type StudyStatistics = z.output<typeof studyStatistics>;

export const getStudyStatistics = route({
  method: 'GET',
  path: '/statistics/study',
  summary: 'One’s own study time by day and module',
  access: { need: ['statistics.own'] },
  query: { days: z.coerce.number<string | number>().int().min(7).max(366).default(30) },
  response: studyStatistics,
  errors: [],
  scope: {},
});
