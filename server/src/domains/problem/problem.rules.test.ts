import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { countTests } from './problem.tests.ts';

const pairs = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => [
    `input${index + 1}.txt`,
    `output${index + 1}.txt`,
  ]).flat();

/** What is said of a package. */
function refusalOf(names: readonly string[]): unknown {
  try {
    return countTests(names);
  } catch (error) {
    return error instanceof DomainError ? error.params : error;
  }
}

describe('a package of tests', () => {
  test.each([1, 2, 99, 100])('holds %d', (count) => {
    expect(countTests(pairs(count))).toBe(count);
    expect(countTests(pairs(count).toReversed())).toBe(count);
  });

  test.each([
    ['nothing', [], 'pair', 'input1.txt'],
    ['an input without an output', [...pairs(1), 'input2.txt'], 'pair', 'output2.txt'],
    ['an output without an input', [...pairs(1), 'output2.txt'], 'pair', 'input2.txt'],
    ['a number left out', [...pairs(1), 'input3.txt', 'output3.txt'], 'gap', 'input2.txt'],
    ['numbers that begin at two', ['input2.txt', 'output2.txt'], 'gap', 'input1.txt'],
    ['a number zero', ['input0.txt', 'output0.txt'], 'number', 'input0.txt'],
    ['leading zeros', ['input01.txt', 'output01.txt'], 'number', 'input01.txt'],
    ['more than a hundred', [...pairs(100), 'input101.txt'], 'too_many', 'input101.txt'],
    ['a folder', ['tests/', 'tests/input1.txt'], 'folder', 'tests/'],
    ['tests in a folder', ['tests/input1.txt', 'tests/output1.txt'], 'folder', 'tests/input1.txt'],
    ['a stray file', [...pairs(1), 'readme.md'], 'foreign', 'readme.md'],
    ['another ending', ['input1.in', 'output1.out'], 'foreign', 'input1.in'],
    ['another case', ['Input1.txt', 'output1.txt'], 'foreign', 'Input1.txt'],
    ['a number that is none', ['inputA.txt', 'output1.txt'], 'foreign', 'inputA.txt'],
    [
      'a number too large to count',
      [`input${'9'.repeat(40)}.txt`],
      'too_many',
      `input${'9'.repeat(40)}.txt`,
    ],
  ] as const)('with %s is refused', (_what, names, reason, name) => {
    expect(refusalOf(names)).toEqual({ Reason: reason, Name: name });
  });
});
