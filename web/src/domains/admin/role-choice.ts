/** Changing the role by hand. */
import type { LoginSession } from '@hypercube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { flushSync } from 'react-dom';
import { configureApi } from '../../kernel/api.ts';
import { actAs, type StaffRole } from './role.ts';

/** Answers that are the same in every role. */
const OF_ACCOUNT: readonly unknown[] = ['login', 'usage'];

/** @returns how to change the role: what is shown and what is asked follow */
export function useRoleChoice(session: LoginSession | null): (role: StaffRole) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (role) => {
    if (session === null) return;
    configureApi({ role });
    // The page of the old role is gone before anything is asked anew.
    flushSync(() => actAs(session, role, true));
    void client.resetQueries({ predicate: ({ queryKey }) => !OF_ACCOUNT.includes(queryKey[0]) });
    void router.invalidate();
  };
}
