/** What a personal computer keeps, and what not. */
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';

export function ComputerKeeps(): ReactNode {
  const words = useMessages().computer;
  return (
    <section>
      <h2 className="computer-heading">{words.keeps}</h2>
      <ul className="computer-keeps">
        <li>{words.keepsHome}</li>
        <li>{words.keepsData}</li>
        <li>{words.keepsNot}</li>
      </ul>
    </section>
  );
}
