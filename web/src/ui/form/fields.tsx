/** Fields of a form beside the plain text field: long text, choices, numbers, switches. */
import { useId, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { TextField } from '../Field.tsx';
import { ErrorIcon } from '../icons.tsx';
import { useToldError } from './told.ts';
import './form.css';

interface Shared {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
}

/** Code points, as the server counts characters. */
const lengthOf = (text: string): number => Array.from(text).length;

function Below({ id, hint, error }: Pick<Shared, 'hint' | 'error'> & { id: string }): ReactNode {
  return (
    <>
      {hint != null ? (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      ) : null}
      {error ? (
        <div className="field-error" id={`${id}-error`}>
          <ErrorIcon />
          <span>{error}</span>
        </div>
      ) : null}
    </>
  );
}

const described = (id: string, { hint, error }: Pick<Shared, 'hint' | 'error'>) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [hint != null && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
});

interface TextProps extends Shared {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Longest text, in characters; a counter stands below. */
  readonly max: number;
  readonly isRequired?: boolean;
}

/** A line of text with its counter. */
export function LineField({
  value,
  onChange,
  max,
  isRequired,
  hint,
  error,
  ...rest
}: TextProps): ReactNode {
  const messages = useMessages();
  const told = useToldError(error);
  const counter = messages.form.counter(lengthOf(value), max);
  return (
    <TextField
      {...rest}
      error={told}
      value={value}
      required={isRequired}
      hint={
        <span className="row row-apart">
          <span>{hint}</span>
          <span className="num">{counter}</span>
        </span>
      }
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Several lines of text with their counter. */
export function AreaField({
  label,
  value,
  onChange,
  max,
  isRequired,
  hint,
  error,
  rows = 3,
}: TextProps & { readonly rows?: number }): ReactNode {
  const messages = useMessages();
  const id = useId();
  const told = useToldError(error);
  const below = (
    <span className="row row-apart">
      <span>{hint}</span>
      <span className="num">{messages.form.counter(lengthOf(value), max)}</span>
    </span>
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={told ? 'input-box input-box-invalid' : 'input-box'}>
        <textarea
          id={id}
          rows={rows}
          value={value}
          required={isRequired}
          onChange={(event) => onChange(event.target.value)}
          {...described(id, { hint: below, error: told })}
        />
      </div>
      <Below id={id} hint={below} error={told} />
    </div>
  );
}

/** One of several; the empty value stands for none where that may be chosen. */
export function SelectField({
  label,
  value,
  onChange,
  options,
  empty,
  hint,
  error,
}: Shared & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The words for none; without them one must be chosen. */
  readonly empty?: string;
}): ReactNode {
  const id = useId();
  const told = useToldError(error);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={told ? 'input-box input-box-invalid' : 'input-box'}>
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...described(id, { hint, error: told })}
        >
          {empty === undefined ? null : <option value="">{empty}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
      <Below id={id} hint={hint} error={told} />
    </div>
  );
}

/** A number with its unit. The value is text, so that what is typed stays as it was typed. */
export function NumberField({
  label,
  value,
  onChange,
  unit,
  min,
  max,
  step = 1,
  hint,
  error,
}: Shared & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit?: string;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
}): ReactNode {
  const told = useToldError(error);
  return (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      value={value}
      min={min}
      max={max}
      step={step}
      hint={hint}
      error={told}
      after={unit === undefined ? null : <span className="field-unit">{unit}</span>}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** One file of this computer, by a button in the page's own words. */
export function FileField({
  label,
  file,
  onChange,
  choose,
  hint,
  error,
}: Shared & {
  readonly file: File | null;
  readonly onChange: (file: File | null) => void;
  /** Words of the button. */
  readonly choose: string;
}): ReactNode {
  const id = useId();
  const told = useToldError(error);
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      <div className="row file-field">
        <input
          id={id}
          type="file"
          className="visually-hidden"
          aria-label={label}
          onChange={(event) => {
            onChange(event.target.files?.[0] ?? null);
            // The same file can be chosen again after it was changed.
            event.target.value = '';
          }}
          {...described(id, { hint, error: told })}
        />
        <label htmlFor={id} className="btn">
          {choose}
        </label>
        <span className={file === null ? 'muted' : 'mono'}>{file?.name}</span>
      </div>
      <Below id={id} hint={hint} error={told} />
    </div>
  );
}

/** Yes or no. */
export function CheckField({
  label,
  isOn,
  onChange,
  hint,
}: Pick<Shared, 'label' | 'hint'> & {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="field field-check">
      <label htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
          {...described(id, { hint, error: null })}
        />
        {label}
      </label>
      <Below id={id} hint={hint} error={null} />
    </div>
  );
}

/** Any number of several, as boxes. */
export function ChoicesField({
  label,
  values,
  onChange,
  options,
  hint,
}: Pick<Shared, 'label' | 'hint'> & {
  readonly values: readonly number[];
  readonly onChange: (values: number[]) => void;
  readonly options: readonly { readonly value: number; readonly label: string }[];
}): ReactNode {
  const id = useId();
  return (
    <fieldset
      className="field field-choices"
      aria-describedby={hint == null ? undefined : `${id}-hint`}
    >
      <legend className="field-label">{label}</legend>
      <div className="row row-wrap">
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="checkbox"
              checked={values.includes(option.value)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...values, option.value]
                    : values.filter((value) => value !== option.value),
                )
              }
            />
            {option.label}
          </label>
        ))}
      </div>
      <Below id={id} hint={hint} error={null} />
    </fieldset>
  );
}
