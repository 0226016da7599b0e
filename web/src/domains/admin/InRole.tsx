/** A page of the admin area, in the role in which one acts; or the role that may open it. */
import type { Requirement } from '@hypercube/contract';
import { Fragment, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { Button } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { useRoleChoice } from './role-choice.ts';
import { mayStaff, roleThatMay, useStaffRole } from './role.ts';

export function InRole({
  need,
  children,
}: {
  readonly need: Requirement;
  readonly children: ReactNode;
}): ReactNode {
  const words = useMessages().admin.role;
  const session = useLogin().session ?? null;
  const role = useStaffRole(session);
  const choose = useRoleChoice(session);
  const other = roleThatMay(session, need);
  // Another role is another page: what was asked for in the one does not stand in the other.
  if (role === null || other === null || mayStaff(session, need))
    return <Fragment key={role}>{children}</Fragment>;
  return (
    <div className="state">
      <PageTitle name={words.refused}>{words.refused}</PageTitle>
      <p>{words.refusedText(words.names[role], words.names[other])}</p>
      <Button look="primary" onClick={() => choose(other)}>
        {words.switchTo(words.names[other])}
      </Button>
    </div>
  );
}
