import { expect, test } from 'vitest';
import { chainProgress } from './image.jobs.ts';

test.each([
  ['base', 1, { step: 1, steps: 9 }],
  ['toolchain', 2, { step: 4, steps: 9 }],
  ['notebook', 5, { step: 9, steps: 9 }],
])('step %s/%d of a chain', (image, step, expected) => {
  const chain = [
    { name: 'base', steps: 2 },
    { name: 'toolchain', steps: 2 },
    { name: 'notebook', steps: 5 },
  ];
  expect(chainProgress(chain, { image, step })).toEqual(expected);
});
