import { expect, test } from 'vitest';
import { digestMoment } from './notification.service.ts';

test.each([
  ['Asia/Shanghai', '2026-11-22T02:30:07.500Z', '2026-11-22T00:00:00.000Z'],
  ['Asia/Shanghai', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['Asia/Shanghai', '2026-11-21T23:59:59.999Z', '2026-11-21T00:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-22T02:29:00.000Z', '2026-11-21T02:30:00.000Z'],
  ['America/New_York', '2026-11-22T12:59:59.000Z', '2026-11-21T13:00:00.000Z'],
  ['UTC', '2026-11-22T08:00:01.000Z', '2026-11-22T08:00:00.000Z'],
])('a digest in %s at %s tells what was sent until %s', (zone, now, moment) =>
  expect(digestMoment(new Date(now), zone).toISOString()).toBe(moment),
);
