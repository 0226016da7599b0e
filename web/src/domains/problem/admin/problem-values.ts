/** A problem as it stands in the fields of its form. */
import {
  Difficulty,
  PROBLEM_LIMITS,
  ProgrammingLanguage,
  TEXT_LIMITS,
  type ManagedProblem,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { formatBytes } from '../../../kernel/format.ts';
import type { ProblemBody } from './problem-admin.api.ts';

const MEBIBYTE = 1024 * 1024;

interface CodeValues {
  readonly DefaultCode: string;
  readonly ReferenceCode: string;
}

export interface ProblemValues {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
  readonly DomainID: string;
  readonly TagIDList: readonly number[];
  readonly Difficulty: string;
  readonly Languages: readonly ProgrammingLanguage[];
  /** Also of languages that were taken back: what was written comes again with them. */
  readonly Codes: Readonly<Partial<Record<ProgrammingLanguage, CodeValues>>>;
  readonly CpuMs: string;
  readonly MemoryMiB: string;
  readonly Parallelism: string;
  readonly SampleCount: string;
}

export const EMPTY_PROBLEM: ProblemValues = {
  TitleZh: '',
  TitleEn: '',
  ContentZh: '',
  ContentEn: '',
  DomainID: '',
  TagIDList: [],
  Difficulty: String(Difficulty.easy),
  Languages: [ProgrammingLanguage.c],
  Codes: {},
  CpuMs: '1000',
  MemoryMiB: '256',
  Parallelism: '1',
  SampleCount: '1',
};

export const LANGUAGES = Object.values(ProgrammingLanguage);

export const problemValuesOf = (problem: ManagedProblem): ProblemValues => ({
  TitleZh: problem.TitleZh,
  TitleEn: problem.TitleEn,
  ContentZh: problem.ContentZh,
  ContentEn: problem.ContentEn,
  DomainID: problem.DomainID === null ? '' : String(problem.DomainID),
  TagIDList: problem.TagIDList,
  Difficulty: String(problem.Difficulty),
  Languages: problem.Languages,
  Codes: Object.fromEntries(
    problem.Codes.map(({ Language, DefaultCode, ReferenceCode }) => [
      Language,
      { DefaultCode, ReferenceCode },
    ]),
  ),
  CpuMs: String(problem.CpuMs),
  MemoryMiB: String(problem.MemoryBytes / MEBIBYTE),
  Parallelism: String(problem.Parallelism),
  SampleCount: String(problem.SampleCount),
});

export const codeOf = (values: ProblemValues, language: ProgrammingLanguage): CodeValues =>
  values.Codes[language] ?? { DefaultCode: '', ReferenceCode: '' };

export const problemBodyOf = (values: ProblemValues): ProblemBody => ({
  TitleZh: values.TitleZh.trim(),
  TitleEn: values.TitleEn.trim(),
  ContentZh: values.ContentZh,
  ContentEn: values.ContentEn,
  TagIDList: [...values.TagIDList],
  ...(values.DomainID === '' ? {} : { DomainID: Number(values.DomainID) }),
  Difficulty: Object.values(Difficulty).find((one) => String(one) === values.Difficulty) ?? 1,
  Codes: LANGUAGES.filter((one) => values.Languages.includes(one)).map((Language) => ({
    Language,
    ...codeOf(values, Language),
  })),
  CpuMs: Number(values.CpuMs),
  MemoryBytes: Math.round(Number(values.MemoryMiB) * MEBIBYTE),
  Parallelism: Number(values.Parallelism),
  SampleCount: Number(values.SampleCount),
});

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** What is wrong with the values. */
export function problemErrors(values: ProblemValues, messages: Catalogue): Record<string, string> {
  const words = messages.problemAdmin;
  const { name } = messages.admin.lab;
  const errors: Record<string, string> = {};
  if (values.TitleZh.trim() === '') errors['TitleZh'] = messages.form.required(name);
  const length = (
    key: 'TitleZh' | 'TitleEn' | 'ContentZh' | 'ContentEn',
    label: string,
    max: number,
  ): void => {
    if (Array.from(values[key]).length > max) errors[key] = messages.form.tooLong(label, max);
  };
  length('TitleZh', name, TEXT_LIMITS.title);
  length('TitleEn', name, TEXT_LIMITS.title);
  length('ContentZh', words.content, TEXT_LIMITS.markdown);
  length('ContentEn', words.content, TEXT_LIMITS.markdown);
  const whole = (
    key: 'CpuMs' | 'MemoryMiB' | 'Parallelism' | 'SampleCount',
    label: string,
    min: number,
    max: number,
  ): void => {
    const value = Number(values[key]);
    if (values[key].trim() === '' || !Number.isInteger(value) || value < min || value > max)
      errors[key] = messages.form.outOfRange(label, String(min), String(max));
  };
  whole('CpuMs', words.cpu, PROBLEM_LIMITS.cpuMsMin, PROBLEM_LIMITS.cpuMsMax);
  whole(
    'MemoryMiB',
    words.memory,
    PROBLEM_LIMITS.memoryMin / MEBIBYTE,
    PROBLEM_LIMITS.memoryMax / MEBIBYTE,
  );
  whole('Parallelism', words.parallelism, 1, PROBLEM_LIMITS.parallelismMax);
  whole('SampleCount', words.sampleCount, 0, PROBLEM_LIMITS.samplesMax);
  if (values.Languages.length === 0) errors['Languages'] = words.noLanguage;
  for (const language of values.Languages) {
    const title = messages.problem.languages[language];
    const { DefaultCode, ReferenceCode } = codeOf(values, language);
    if (bytesOf(DefaultCode) > PROBLEM_LIMITS.defaultCodeBytes)
      errors[`DefaultCode${language}`] = words.tooManyBytes(
        words.defaultCode(title),
        formatBytes(PROBLEM_LIMITS.defaultCodeBytes),
      );
    if (bytesOf(ReferenceCode) > PROBLEM_LIMITS.sourceBytes)
      errors[`ReferenceCode${language}`] = words.tooManyBytes(
        words.referenceCode(title),
        formatBytes(PROBLEM_LIMITS.sourceBytes),
      );
  }
  return errors;
}
