/** Personal settings: the account, what opens it, what it prefers, and where it is signed in. */
import { LANGUAGES, THEME_CHOICES } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { setTheme, useThemeChoice } from '../../kernel/theme.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { Identities } from '../sso/Identities.tsx';
import { userQuery } from './account.api.ts';
import { AvatarCard } from './AvatarCard.tsx';
import { DevicesCard } from './DevicesCard.tsx';
import { EmailForm } from './EmailForm.tsx';
import { NotificationCard } from './NotificationCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SelectedDomains } from '../domain/SelectedDomains.tsx';
import './account.css';

function Preferences({ userID }: { readonly userID: number | null }): ReactNode {
  const { messages, language, setLanguage } = useLanguage();
  const theme = useThemeChoice();
  const themes = {
    system: messages.shell.themeSystem,
    light: messages.shell.themeLight,
    dark: messages.shell.themeDark,
  };
  return (
    <section className="card settings-card" aria-labelledby="preferences">
      <div>
        <h2 id="preferences">{messages.account.preferences}</h2>
        <p className="muted">{messages.account.preferencesHint}</p>
      </div>
      <div className="preference">
        <div>
          <div className="field-label">{messages.account.language}</div>
          <div className="field-hint">{messages.account.languageHint}</div>
        </div>
        <Segments
          label={messages.account.language}
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: messages.account.languages[value] }))}
          onChange={(value) => void setLanguage(value)}
        />
      </div>
      <div className="preference">
        <div className="field-label">{messages.shell.theme}</div>
        <Segments
          label={messages.shell.theme}
          value={theme}
          options={THEME_CHOICES.map((value) => ({ value, label: themes[value] }))}
          onChange={setTheme}
        />
      </div>
      {userID === null ? null : <SelectedDomains userID={userID} />}
    </section>
  );
}

/** What needs the account itself; each part shows its own failures. */
function Account({ userID }: { readonly userID: number }): ReactNode {
  const { messages } = useLanguage();
  const { data: user, error, refetch } = useQuery(userQuery(userID));
  if (user === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 480 }} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <ProfileForm user={user} />
      <AvatarCard user={user} />
      {user.HasPassword ? (
        <>
          <EmailForm user={user} />
          <PasswordForm userID={user.ID} username={user.Username} />
        </>
      ) : (
        <section className="card settings-card">
          <h2>{messages.account.changePassword}</h2>
          <p>{messages.account.noPassword}</p>
          <ButtonLink to={paths.passwordReset}>{messages.account.setPassword}</ButtonLink>
        </section>
      )}
      <Identities userID={user.ID} />
      <NotificationCard user={user} />
    </>
  );
}

export function SettingsPage(): ReactNode {
  const { messages } = useLanguage();
  const { session } = useLogin();
  return (
    <div className="wrap wrap-narrow settings">
      <PageTitle name={messages.account.settingsTitle}>{messages.account.settingsTitle}</PageTitle>
      {session ? <Account userID={session.ID} /> : null}
      <Preferences userID={session?.ID ?? null} />
      {session ? <DevicesCard userID={session.ID} /> : null}
    </div>
  );
}
