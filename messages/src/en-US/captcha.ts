import type { captcha as source } from '../zh-CN/captcha.ts';
import type { Translation } from '../types.ts';

export const captcha: Translation<typeof source> = {
  title: 'Please complete the check',
  lead: 'Drag the slider to move the piece into the gap.',
  preparing: 'Preparing the check…',
  drag: 'Hold the slider and drag it to the right',
  letGo: 'Let go at the gap',
  checking: 'Checking…',
  passed: 'Passed',
  again: 'That did not fit; here is another one, please try again',
  another: 'Another picture',
  work: 'Without dragging: let this device compute for some seconds',
  workHint: 'For keyboards, screen readers, or whenever dragging is difficult.',
  working: 'Your device is computing, please wait…',
  workProgress: 'Progress of the computation',
  workFailed: 'The computation was not completed; please try again',
  slide: 'Use the slider',
  external: 'Please complete the check below.',
  externalFailed: 'The check could not be loaded; check the network and try again',
};
