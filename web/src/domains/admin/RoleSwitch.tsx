/** In which role one acts, and how to change it. */
import type { LoginSession } from '@hypercube/contract';
import { useId, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { useRoleChoice } from './role-choice.ts';
import { staffRoles, useStaffRole } from './role.ts';
import './admin.css';

export function RoleSwitch({ session }: { readonly session: LoginSession | null }): ReactNode {
  const words = useMessages().admin.role;
  const id = useId();
  const role = useStaffRole(session);
  const choose = useRoleChoice(session);
  const held = staffRoles(session);
  if (role === null) return null;
  if (held.length < 2) return <p className="tag admin-role">{words.acting[role]}</p>;
  return (
    <div className="admin-role">
      <label htmlFor={id}>{words.label}</label>
      <select
        id={id}
        value={role}
        onChange={(event) => {
          const next = held.find((one) => one === event.target.value);
          if (next) choose(next);
        }}
      >
        {held.map((one) => (
          <option key={one} value={one}>
            {words.acting[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
