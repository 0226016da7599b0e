/** The fields of a problem: its texts, its limits, its languages and their code. */
import {
  Difficulty,
  PROBLEM_LIMITS,
  TEXT_LIMITS,
  wallMsOf,
  type ProgrammingLanguage,
} from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import { loadChunk } from '../../../kernel/chunks.ts';
import { formatDuration } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { ChoicesField, LineField, NumberField, SelectField } from '../../../ui/form/fields.tsx';
import { useToldError } from '../../../ui/form/told.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { domainsQuery } from '../../catalogue/catalogue.api.ts';
import { BilingualMarkdown } from '../../lab/admin/ItemFields.tsx';
import { LANGUAGES, codeOf, type ProblemValues } from './problem-values.ts';

const SourceEditor = lazy(() =>
  loadChunk(() => import('../../../ui/editor/SourceEditor.tsx')).then((module) => ({
    default: module.SourceEditor,
  })),
);

const MEBIBYTE = 1024 * 1024;

interface FieldsProps {
  readonly values: ProblemValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ProblemValues>) => void;
}

function CodeField(props: {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly language: ProgrammingLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const told = useToldError(props.error);
  return (
    <div className="field">
      <span className="field-label">{props.label}</span>
      <div className={told === null ? 'source-read' : 'source-read input-box-invalid'}>
        <Suspense fallback={<Skeleton style={{ height: 120 }} />}>
          <SourceEditor
            key={props.language}
            label={props.label}
            language={props.language}
            value={props.value}
            onChange={props.onChange}
          />
        </Suspense>
      </div>
      {props.hint === undefined ? null : <div className="field-hint">{props.hint}</div>}
      {told === null ? null : <div className="field-error">{told}</div>}
    </div>
  );
}

/** Default and reference code, one language at a time. */
function Codes({ values, errors, onChange }: FieldsProps): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problemAdmin;
  const [chosen, setChosen] = useState<string>('');
  const language = values.Languages.find((one) => String(one) === chosen) ?? values.Languages[0];
  if (language === undefined) return null;
  const title = messages.problem.languages[language];
  const code = codeOf(values, language);
  const change = (part: Partial<typeof code>): void =>
    onChange({ Codes: { ...values.Codes, [language]: { ...code, ...part } } });
  return (
    <fieldset className="stack problem-codes">
      <legend className="field-label">{words.codes}</legend>
      <SelectField
        label={words.codeLanguage}
        value={String(language)}
        options={values.Languages.map((one) => ({
          value: String(one),
          label: messages.problem.languages[one],
        }))}
        onChange={setChosen}
      />
      <CodeField
        label={words.defaultCode(title)}
        error={errors[`DefaultCode${language}`]}
        language={language}
        value={code.DefaultCode}
        onChange={(DefaultCode) => change({ DefaultCode })}
      />
      <CodeField
        label={words.referenceCode(title)}
        hint={words.referenceHint}
        error={errors[`ReferenceCode${language}`]}
        language={language}
        value={code.ReferenceCode}
        onChange={(ReferenceCode) => change({ ReferenceCode })}
      />
    </fieldset>
  );
}

function Limits({ values, errors, onChange }: FieldsProps): ReactNode {
  const words = useLanguage().messages.problemAdmin;
  const cpuMs = Number(values.CpuMs);
  return (
    <div className="form-grid">
      <NumberField
        label={words.cpu}
        unit={words.cpuUnit}
        hint={words.cpuHint(formatDuration(Number.isFinite(cpuMs) ? wallMsOf(cpuMs) : 0))}
        value={values.CpuMs}
        min={PROBLEM_LIMITS.cpuMsMin}
        max={PROBLEM_LIMITS.cpuMsMax}
        step={100}
        error={errors['CpuMs'] ?? null}
        onChange={(CpuMs) => onChange({ CpuMs })}
      />
      <NumberField
        label={words.memory}
        unit={words.memoryUnit}
        value={values.MemoryMiB}
        min={PROBLEM_LIMITS.memoryMin / MEBIBYTE}
        max={PROBLEM_LIMITS.memoryMax / MEBIBYTE}
        error={errors['MemoryMiB'] ?? null}
        onChange={(MemoryMiB) => onChange({ MemoryMiB })}
      />
      <NumberField
        label={words.parallelism}
        hint={words.parallelismHint}
        value={values.Parallelism}
        min={1}
        max={PROBLEM_LIMITS.parallelismMax}
        error={errors['Parallelism'] ?? null}
        onChange={(Parallelism) => onChange({ Parallelism })}
      />
      <NumberField
        label={words.sampleCount}
        hint={words.sampleHint}
        value={values.SampleCount}
        min={0}
        max={PROBLEM_LIMITS.samplesMax}
        error={errors['SampleCount'] ?? null}
        onChange={(SampleCount) => onChange({ SampleCount })}
      />
    </div>
  );
}

export function ProblemFields(props: FieldsProps): ReactNode {
  const { values, errors, onChange } = props;
  const { messages, language } = useLanguage();
  const words = messages.problemAdmin;
  const shared = messages.admin.lab;
  const domains = useQuery(domainsQuery(language));
  const tags = domains.data?.find(({ ID }) => String(ID) === values.DomainID)?.Tags ?? [];
  return (
    <>
      <div className="form-grid">
        <LineField
          label={messages.form.inChinese(shared.name)}
          value={values.TitleZh}
          max={TEXT_LIMITS.title}
          isRequired
          error={errors['TitleZh'] ?? null}
          onChange={(TitleZh) => onChange({ TitleZh })}
        />
        <LineField
          label={messages.form.inEnglish(shared.name)}
          hint={messages.form.englishHint}
          value={values.TitleEn}
          max={TEXT_LIMITS.title}
          error={errors['TitleEn'] ?? null}
          onChange={(TitleEn) => onChange({ TitleEn })}
        />
        <SelectField
          label={messages.problem.difficulty}
          value={values.Difficulty}
          options={Object.values(Difficulty).map((one) => ({
            value: String(one),
            label: messages.problem.difficulties[one],
          }))}
          onChange={(chosen) => onChange({ Difficulty: chosen })}
        />
        <SelectField
          label={shared.domain}
          value={values.DomainID}
          empty={messages.form.none}
          options={(domains.data ?? []).map(({ ID, Title }) => ({
            value: String(ID),
            label: Title,
          }))}
          onChange={(DomainID) => onChange({ DomainID, TagIDList: [] })}
        />
      </div>
      <ChoicesField
        label={shared.tags}
        hint={tags.length === 0 ? shared.tagsHint : undefined}
        values={values.TagIDList}
        options={tags.map(({ ID, Title }) => ({ value: ID, label: Title }))}
        onChange={(TagIDList) => onChange({ TagIDList })}
      />
      <BilingualMarkdown
        label={words.content}
        zh={values.ContentZh}
        en={values.ContentEn}
        mediaPath=""
        errors={errors}
        onChange={onChange}
      />
      <fieldset className="problem-codes">
        <legend className="field-label">{words.limits}</legend>
        <Limits {...props} />
      </fieldset>
      <ChoicesField
        label={words.languages}
        hint={errors['Languages'] ?? words.languagesHint}
        values={values.Languages}
        options={LANGUAGES.map((one) => ({ value: one, label: messages.problem.languages[one] }))}
        onChange={(chosen) =>
          onChange({ Languages: LANGUAGES.filter((one) => chosen.includes(one)) })
        }
      />
      <Codes {...props} />
    </>
  );
}
