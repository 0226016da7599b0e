/** One choice among a few, as a row of segments: radio buttons in another coat. */
import { useId, type ReactNode } from 'react';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentsProps<T>): ReactNode {
  const name = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
