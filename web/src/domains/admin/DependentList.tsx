/** What uses an image, a specification or a lab: of which kind, and the way to it. */
import type { Dependent } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import './admin.css';

/** The page that shows it to staff; environments and computers belong to their users. */
function pathOf({ Kind, ID }: Dependent): string | null {
  switch (Kind) {
    case 'lab':
      return paths.admin.lab(ID);
    case 'software':
      return paths.admin.softwareInfo(ID);
    case 'course':
      return paths.admin.course(ID);
    case 'problem':
      return paths.admin.problem(ID);
    case 'specification':
      return paths.admin.specification(ID);
    case 'computer':
    case 'usage':
      return null;
  }
}

export function DependentList({
  dependents,
}: {
  readonly dependents: readonly Dependent[];
}): ReactNode {
  const messages = useMessages();
  return (
    <ul className="dependents">
      {dependents.map((dependent) => {
        const path = pathOf(dependent);
        return (
          <li key={`${dependent.Kind} ${dependent.ID}`}>
            <span className="tag">{messages.admin.dependents[dependent.Kind]}</span>
            {path === null ? (
              dependent.Title
            ) : (
              <Link to={path} className="text-link">
                {dependent.Title}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
