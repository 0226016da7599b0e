/** Who may enter a page. */
import type { LoginSession } from '@hypercube/contract';
import { may } from '../kernel/login.ts';
import { roleThatMay, staffRoles } from '../domains/admin/role.ts';
import type { Page } from './pages.ts';

export type Entry = 'enter' | 'login' | 'not-found';

/** An unauthenticated visit goes to the login page; a missing permission to the not-found page. */
export function entryTo(page: Page, session: LoginSession | null): Entry {
  if (page.access === 'signedIn' && session === null) return 'login';
  const need = page.need ?? [];
  // Any of the roles is enough: the page itself offers the one that may.
  const isAllowed =
    page.area === 'admin'
      ? staffRoles(session).length > 0 && roleThatMay(session, need) !== null
      : page.need === undefined || may(session, need);
  return isAllowed ? 'enter' : 'not-found';
}
