/** The first page of the admin area: what waits, what there is and runs now, and the ways on. */
import type { Catalogue } from '@hypercube/messages';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { CapacityCards } from '../environment/CapacityCards.tsx';
import { capacityQuery } from '../environment/environment.api.ts';
import { Dashboard } from '../dashboard/Dashboard.tsx';
import { adminEntries, type AdminEntryName } from './entries.ts';
import { MODULES } from './modules.ts';
import { Overview } from './Overview.tsx';
import { mayStaff } from './role.ts';
import './admin.css';

function Now(): ReactNode {
  const messages = useMessages();
  const capacity = useQuery(capacityQuery);
  return (
    <section>
      <div className="section-head">
        <h2>{messages.admin.home.now}</h2>
      </div>
      <CapacityCards capacity={capacity.data} />
    </section>
  );
}

export function AdminHomePage(): ReactNode {
  const messages = useMessages();
  const words = messages.admin;
  const { session } = useLogin();
  // The modules of the overview are ways on themselves.
  const shown = new Set<string>([
    paths.admin.home,
    ...Object.values(MODULES).map(({ list }) => list),
  ]);
  const entries = adminEntries(session ?? null).filter(({ path }) => !shown.has(path));
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.home.title}>{words.home.title}</PageTitle>
          <p className="muted">{words.home.lead}</p>
        </div>
      </div>
      <Overview />
      {mayStaff(session ?? null, ['usage.adminList']) ? <Now /> : null}
      {mayStaff(session ?? null, ['dashboard.read']) ? <Dashboard /> : null}
      <ul className="admin-tiles">
        {entries.map(({ name, path }) => (
          <li key={name}>
            <Link to={path} className="card admin-tile">
              <b>{words.nav[name]}</b>
              <span className="muted">{LEADS[name](messages)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whose words describe an entry. */
const LEADS: Readonly<Record<AdminEntryName, (messages: Catalogue) => string>> = {
  adminHome: ({ admin }) => admin.home.lead,
  adminEnvironments: ({ admin }) => admin.environment.lead,
  adminLabs: ({ admin }) => admin.lab.lead,
  adminSoftware: ({ admin }) => admin.software.lead,
  adminCourses: ({ course }) => course.admin.lead,
  adminProblems: ({ problemAdmin }) => problemAdmin.lead,
  adminImages: ({ admin }) => admin.image.lead,
  adminSpecifications: ({ admin }) => admin.specification.lead,
  adminSuggestions: ({ suggestion }) => suggestion.admin.lead,
  adminResources: ({ resource }) => resource.adminLead,
  adminNotifications: ({ notification }) => notification.admin.lead,
  adminMails: ({ mail }) => mail.lead,
  adminUsers: ({ userAdmin }) => userAdmin.lead,
  adminDomains: ({ domain }) => domain.lead,
  adminAudit: ({ audit }) => audit.lead,
  adminSettings: ({ setting }) => setting.lead,
};
