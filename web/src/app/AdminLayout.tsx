/** The frame of the admin area: its navigation beside the page, and in which role one acts. */
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { useLogin } from '../kernel/login.ts';
import { paths } from '../kernel/paths.ts';
import { adminEntries, type AdminGroup } from '../domains/admin/entries.ts';
import { RoleSwitch } from '../domains/admin/RoleSwitch.tsx';
import { useStaffRole } from '../domains/admin/role.ts';
import '../domains/admin/admin.css';

const GROUPS: readonly AdminGroup[] = ['overview', 'content', 'environments', 'people', 'system'];

export function AdminLayout(): ReactNode {
  const messages = useMessages();
  const words = messages.admin;
  const { session } = useLogin();
  const { pathname } = useLocation();
  // The entries are those of the role.
  useStaffRole(session ?? null);
  const entries = adminEntries(session ?? null);
  const isCurrent = (path: string): boolean =>
    path === paths.admin.home ? pathname === path : pathname.startsWith(path);
  const groups = useRef<HTMLDivElement>(null);
  // On a phone the entries are a row that scrolls: the current one is in sight.
  useEffect(() => {
    const row = groups.current;
    const current = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && current)
      row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <div className="admin">
      <nav className="admin-nav" aria-label={words.nav.label}>
        <div className="admin-groups" ref={groups}>
          {GROUPS.map((group) => {
            const shown = entries.filter((entry) => entry.group === group);
            return shown.length === 0 ? null : (
              <div key={group}>
                <h2 id={`admin-${group}`}>{words.nav[group]}</h2>
                <ul className="admin-links" aria-labelledby={`admin-${group}`}>
                  {shown.map(({ name, path }) => (
                    <li key={name}>
                      <Link
                        to={path}
                        activeOptions={{ exact: true }}
                        activeProps={{}}
                        aria-current={isCurrent(path) ? 'page' : undefined}
                      >
                        {words.nav[name]}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            );
          })}
          <RoleSwitch session={session ?? null} />
        </div>
      </nav>
      <div className="admin-main">
        <Outlet />
      </div>
    </div>
  );
}
