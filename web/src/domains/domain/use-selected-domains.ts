/** The chosen domains as catalogues use them. */
import { useQuery } from '@tanstack/react-query';
import { useLogin } from '../../kernel/login.ts';
import { selectedDomainsQuery } from './domain.api.ts';

/**
 * Ids of the domains to which catalogues are narrowed; none for visitors, for whoever chose none,
 * and until it is known.
 */
export function useSelectedDomains(): readonly number[] {
  const { session } = useLogin();
  const userID = session?.ID;
  const { data } = useQuery({
    ...selectedDomainsQuery(userID ?? 0),
    enabled: userID !== undefined,
  });
  return (userID === undefined ? undefined : data) ?? [];
}
