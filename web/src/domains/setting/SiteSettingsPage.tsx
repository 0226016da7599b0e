/** The settings of the installation, section by section. */
import { SETTING_GROUPS, type SettingGroup } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { mayStaff } from '../admin/role.ts';
import { CaptchaSection, RegistrationSection, SignOnSection } from './AccessSections.tsx';
import { MailSection } from './MailSection.tsx';
import { LimitsSection, RetentionSection } from './NumberSections.tsx';
import { sectionID } from './section.tsx';
import { settingsQuery } from './setting.api.ts';
import { SiteSection } from './SiteSection.tsx';
import './setting.css';

/** Leads to a section and puts the keyboard there; the address of the page stays. */
function SectionLinks(): ReactNode {
  const messages = useMessages();
  const words = messages.setting;
  const titles: Readonly<Record<SettingGroup, string>> = {
    site: words.site.title,
    registration: words.registration.title,
    limits: words.limits.title,
    mail: words.mail.title,
    arose: words.signOn.title(messages.sso.providers.arose),
    scnet: words.signOn.title(messages.sso.providers.scnet),
    captcha: words.captcha.title,
    retention: words.retention.title,
  };
  return (
    <nav className="setting-nav" aria-label={words.sections}>
      <ul>
        {SETTING_GROUPS.map((group) => (
          <li key={group}>
            <a
              href={`#${sectionID(group)}`}
              onClick={(event) => {
                event.preventDefault();
                const section = document.querySelector<HTMLElement>(`#${sectionID(group)}`);
                section?.scrollIntoView({ block: 'start' });
                section?.querySelector('h2')?.focus({ preventScroll: true });
              }}
            >
              {titles[group]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function SiteSettingsPage(): ReactNode {
  const messages = useMessages();
  const words = messages.setting;
  const { session } = useLogin();
  const { data, error, refetch } = useQuery(settingsQuery);
  const isReadOnly = !mayStaff(session ?? null, ['setting.update']);
  const groups = data?.Groups;
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
          {isReadOnly ? <p className="notice">{words.readOnly}</p> : null}
        </div>
      </div>
      {groups === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 400 }} />
          </LoadingRegion>
        )
      ) : (
        <div className="setting-page">
          <SectionLinks />
          <div className="setting-sections">
            <SiteSection state={groups.site} isReadOnly={isReadOnly} />
            <RegistrationSection state={groups.registration} isReadOnly={isReadOnly} />
            <LimitsSection state={groups.limits} isReadOnly={isReadOnly} />
            <MailSection state={groups.mail} isReadOnly={isReadOnly} />
            <SignOnSection provider="arose" state={groups.arose} isReadOnly={isReadOnly} />
            <SignOnSection provider="scnet" state={groups.scnet} isReadOnly={isReadOnly} />
            <CaptchaSection state={groups.captcha} isReadOnly={isReadOnly} />
            <RetentionSection state={groups.retention} isReadOnly={isReadOnly} />
          </div>
        </div>
      )}
    </>
  );
}
