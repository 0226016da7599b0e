/** Who may enter a page. */
import type { LoginSession } from '@hypercube/contract';
import { may } from '../kernel/login.ts';
import { mayStaff } from '../domains/admin/role.ts';
import type { Page } from './pages.ts';

export type Entry = 'enter' | 'login' | 'not-found';

/** An unauthenticated visit goes to the login page; a missing permission to the not-found page. */
export function entryTo(page: Page, session: LoginSession | null): Entry {
  if (page.access === 'signedIn' && session === null) return 'login';
  const isAllowed = page.area === 'admin' ? mayStaff : may;
  if (page.area === 'admin' || page.need !== undefined) {
    if (!isAllowed(session, page.need ?? [])) return 'not-found';
  }
  return 'enter';
}
