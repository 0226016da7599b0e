import { UsageStatus, type Usage } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { isBroken } from './frame-watch.ts';
import {
  MAX_PERCENT,
  MIN_PERCENT,
  clampPercent,
  dividerTarget,
  fontSizeBeside,
  readFontSize,
  readMode,
  readPercent,
} from './layout.ts';
import { phaseSteps } from './phases.ts';
import { stageOf, type StageInput } from './stage.ts';

const usage = (change: Partial<Usage> = {}): Usage =>
  ({
    ID: 7,
    LabID: 1,
    Status: UsageStatus.running,
    Phase: 'ready',
    IsHeld: false,
    ...change,
  }) as Usage;
const ended = { ID: 6, Cause: 'expired', Reason: null, Title: 'MPI' } as const;
const base: StageInput = {
  usage: null,
  ended: null,
  endedBefore: null,
  matches: (of) => of.LabID === 1,
  adoptedID: null,
  isRequesting: false,
  requestError: null,
};

describe('what the environment’s side shows', () => {
  it.each<[string, Partial<StageInput>, string]>([
    ['nothing known yet', { usage: undefined }, 'unknown'],
    ['none', {}, 'none'],
    ['a request under way', { isRequesting: true }, 'requesting'],
    ['a failed request', { requestError: new Error('x') }, 'request-failed'],
    ['one of this lab, whatever its task', { usage: usage({ TaskID: 99 }) }, 'running'],
    ['one of another lab', { usage: usage({ LabID: 2 }) }, 'other'],
    ['one of no lab', { usage: usage({ LabID: null }) }, 'other'],
    ['one of another lab that was chosen', { usage: usage({ LabID: 2 }), adoptedID: 7 }, 'running'],
    ['another one than was chosen', { usage: usage({ ID: 8, LabID: 2 }), adoptedID: 7 }, 'other'],
    ['a start', { usage: usage({ Phase: 'creating' }) }, 'starting'],
    ['a queue', { usage: usage({ Phase: 'queued' }) }, 'starting'],
    ['a failed start', { usage: usage({ Phase: 'failed' }) }, 'failed'],
    ['a pause', { usage: usage({ Status: UsageStatus.stopped }) }, 'paused'],
    ['an end during this visit', { ended }, 'ended'],
    ['an end before this visit', { ended, endedBefore: 6 }, 'none'],
    [
      'an old failure beside a present one',
      { usage: usage(), requestError: new Error('x') },
      'running',
    ],
    ['a second request after an end', { ended, isRequesting: true }, 'requesting'],
  ])('%s', (_name, change, kind) => {
    expect(stageOf({ ...base, ...change }).kind).toBe(kind);
  });
});

const at = (second: number): string => new Date(second * 1000).toISOString();

describe('the steps of a start', () => {
  it('show how long each took, and what lasts', () => {
    const steps = phaseSteps({
      Phase: 'starting',
      PhaseTimes: { queued: at(0), creating: at(3), starting: at(5) },
    });
    expect(steps.map((step) => [step.phase, step.state, step.tookMs])).toEqual([
      ['queued', 'done', 3000],
      ['creating', 'done', 2000],
      ['starting', 'now', null],
      ['waiting', 'todo', null],
      ['ready', 'todo', null],
    ]);
  });
  it('leave out what was skipped', () => {
    const steps = phaseSteps({ Phase: 'creating', PhaseTimes: { creating: at(3) } });
    expect(steps.map((step) => step.phase)).toEqual(['creating', 'starting', 'waiting', 'ready']);
  });
  it('show where it failed', () => {
    const steps = phaseSteps({
      Phase: 'failed',
      PhaseTimes: { queued: at(0), creating: at(1), failed: at(9) },
    });
    expect(steps.find((step) => step.state === 'failed')).toMatchObject({
      phase: 'creating',
      tookMs: 8000,
    });
    expect(steps.filter((step) => step.state === 'now')).toEqual([]);
  });
  it('are all done when it is ready', () => {
    const steps = phaseSteps({
      Phase: 'ready',
      PhaseTimes: { queued: at(0), creating: at(1), starting: at(2), waiting: at(3), ready: at(5) },
    });
    expect(steps.every((step) => step.state === 'done')).toBe(true);
    expect(steps.find((step) => step.phase === 'waiting')?.tookMs).toBe(2000);
  });
});

describe('the divider', () => {
  it('moves by keys and stays within its bounds', () => {
    expect(dividerTarget(40, 'ArrowRight', false)).toBe(42);
    expect(dividerTarget(40, 'ArrowLeft', true)).toBe(30);
    expect(dividerTarget(21, 'ArrowLeft', true)).toBe(MIN_PERCENT);
    expect(dividerTarget(40, 'Home', false)).toBe(MIN_PERCENT);
    expect(dividerTarget(40, 'End', false)).toBe(MAX_PERCENT);
    expect(dividerTarget(40, 'ArrowUp', false)).toBeNull();
    expect(clampPercent(-5)).toBe(MIN_PERCENT);
    expect(clampPercent(99)).toBe(MAX_PERCENT);
  });
  it('remembers only what makes sense', () => {
    expect(readPercent('50')).toBe(50);
    expect(readPercent('400')).toBe(MAX_PERCENT);
    for (const stored of [null, '', 'wide', 'NaN']) expect(readPercent(stored)).toBe(42);
    expect(readMode('document')).toBe('document');
    for (const stored of [null, 'toString', '']) expect(readMode(stored)).toBe('both');
  });
});

describe('the size of the text', () => {
  it('moves within its steps and remembers only what makes sense', () => {
    expect(fontSizeBeside(15, 1)).toBe(16);
    expect(fontSizeBeside(14, -1)).toBe(14);
    expect(fontSizeBeside(24, 1)).toBe(24);
    expect(readFontSize('18')).toBe(18);
    for (const stored of [null, '', '400', 'large']) expect(readFontSize(stored)).toBe(15);
  });
});

describe('a notebook’s page', () => {
  const page = (hasStarted: boolean, hasLostScript: boolean) => ({
    hasStarted: () => hasStarted,
    hasLostScript: () => hasLostScript,
  });
  it.each([
    ['that has started is left alone', page(true, false), 99_000, false],
    ['that started without one of its scripts is loaded again', page(true, true), 600, true],
    ['that is still coming is waited for', page(false, false), 5000, false],
    ['that lost a script is loaded again', page(false, true), 600, true],
    ['that never starts is loaded again', page(false, false), 30_000, true],
  ])('%s', (_name, of, waited, expected) => expect(isBroken(of, waited)).toBe(expected));
});
