/** When the live figures are read: once for all who follow, and not at all for nobody. */
import { EventEmitter } from 'node:events';
import type { DashboardNow } from '@hypercube/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveFigures, type LiveFiguresOptions } from './dashboard.live.ts';

const figuresOf = (Online: number): DashboardNow => ({
  Online,
  WithEnvironment: 0,
  TeacherApplications: 0,
  OpenSuggestions: 0,
});

let online: number;
let reads: number;
let fails: boolean;
let errors: unknown[];
let heard: EventEmitter;
let live: LiveFigures;

beforeEach(() => {
  vi.useFakeTimers();
  online = 1;
  reads = 0;
  fails = false;
  errors = [];
  heard = new EventEmitter();
  live = new LiveFigures({
    read: async () => {
      reads += 1;
      if (fails) throw new Error('no database');
      return figuresOf(online);
    },
    listener: heard as unknown as LiveFiguresOptions['listener'],
    onError: (error) => void errors.push(error),
  });
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
});

const follow = (): { told: number[]; end: () => void } => {
  const told: number[] = [];
  return { told, end: live.follow(({ Online }) => void told.push(Online)) };
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('nobody follows: nothing is read, whatever happens', async () => {
  for (let times = 0; times < 100; times += 1) heard.emit('usage', '1 1');
  await pass(60_000);
  expect(reads).toBe(0);
});

test('many follow: one reading for all, and the late one is told at once', async () => {
  const all = Array.from({ length: 20 }, follow);
  await pass(0);
  expect(reads).toBe(1);
  expect(all.every(({ told }) => told.length === 1)).toBe(true);
  const late = follow();
  expect(late.told).toEqual([1]);
  expect(reads).toBe(1);
});

test('a storm of changes is one reading a second; what did not change is not told', async () => {
  const { told } = follow();
  await pass(0);
  for (let times = 0; times < 50; times += 1) {
    heard.emit('usage', '1 1');
    await pass(20);
  }
  expect(reads).toBe(2);
  expect(told).toEqual([1]);
  online = 2;
  heard.emit('suggestion', '1');
  await pass(1000);
  expect(told).toEqual([1, 2]);
});

test('who goes away quietly is seen within five seconds', async () => {
  const { told } = follow();
  await pass(0);
  online = 0;
  await pass(5000);
  expect(told).toEqual([1, 0]);
});

test('the last who leaves ends it; the next one begins anew', async () => {
  const first = follow();
  await pass(0);
  first.end();
  await pass(60_000);
  expect(reads).toBe(1);
  online = 3;
  const second = follow();
  await pass(0);
  expect(second.told).toEqual([3]);
  expect(first.told).toEqual([1]);
});

test('a reading that fails is tried again', async () => {
  fails = true;
  const { told } = follow();
  await pass(0);
  expect(errors).toHaveLength(1);
  fails = false;
  await pass(5000);
  expect(told).toEqual([1]);
});
