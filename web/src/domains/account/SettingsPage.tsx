/** Personal settings: the account, the password, language and appearance. */
import { LANGUAGES } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { THEME_CHOICES, setTheme, useThemeChoice } from '../../kernel/theme.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userQuery } from './account.api.ts';
import { PasswordForm } from './PasswordForm.tsx';
import './account.css';

function Preferences(): ReactNode {
  const { messages, language, setLanguage } = useLanguage();
  const theme = useThemeChoice();
  const themes = {
    system: messages.shell.themeSystem,
    light: messages.shell.themeLight,
    dark: messages.shell.themeDark,
  };
  return (
    <section className="card settings-card">
      <h2>{messages.account.preferences}</h2>
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
    </section>
  );
}

function Profile({ userID }: { readonly userID: number }): ReactNode {
  const { messages } = useLanguage();
  const { data, error, refetch } = useQuery(userQuery(userID));
  const rows: [string, string | undefined][] = [
    [messages.account.usernameLabel, data?.Username],
    [messages.account.nickname, data?.Nickname],
    [messages.account.email, data?.Email],
    [messages.account.identity, data && messages.account.types[data.Type]],
  ];
  return (
    <section className="card settings-card">
      <h2>{messages.account.profile}</h2>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <dl className="profile">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value === undefined || value === '' ? messages.common.unknown : value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

export function SettingsPage(): ReactNode {
  const { messages } = useLanguage();
  const { session } = useLogin();
  return (
    <div className="wrap wrap-narrow settings">
      <PageTitle name={messages.account.settingsTitle}>{messages.account.settingsTitle}</PageTitle>
      {session ? (
        <>
          <Profile userID={session.ID} />
          <PasswordForm userID={session.ID} username={session.Username} />
        </>
      ) : null}
      <Preferences />
    </div>
  );
}
