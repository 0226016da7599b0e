import type { ReactNode } from 'react';
import '../../ui/chart/chart.css';

/** A row of single numbers, each with what it counts. */
export function Figures({
  figures,
}: {
  readonly figures: readonly { readonly label: string; readonly value: string }[];
}): ReactNode {
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <div key={label} className="card figure">
          <dt>{label}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
