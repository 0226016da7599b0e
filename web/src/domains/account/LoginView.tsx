/** The login form, from what is given. */
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { ErrorIcon, InfoIcon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import './account.css';

export interface LoginViewProps {
  /** The page that waits behind the login. */
  readonly redirect: string | undefined;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (username: string, password: string) => void;
  /** Other ways in. */
  readonly children?: ReactNode;
}

export function LoginView({
  redirect,
  isBusy,
  error,
  onSubmit,
  children,
}: LoginViewProps): ReactNode {
  const messages = useMessages();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const usernameMissing = isChecked && username.trim() === '';
  const passwordMissing = isChecked && password === '';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    setChecked(true);
    if (username.trim() === '') usernameInput.current?.focus();
    else if (password === '') passwordInput.current?.focus();
    else onSubmit(username.trim(), password);
  };

  return (
    <div className="login">
      <form className="card login-card" onSubmit={submit} noValidate>
        <div className="login-head">
          <span className="brand-mark">
            <Mark size={44} />
          </span>
          <PageTitle name={messages.account.loginTitle}>{messages.account.loginTitle}</PageTitle>
          <p className="muted">{messages.account.loginLead}</p>
        </div>
        {redirect !== undefined ? (
          <p className="notice row">
            <InfoIcon />
            {messages.account.redirectNotice}
          </p>
        ) : null}
        <div role="alert">
          {error ? (
            <p className="notice notice-bad row">
              <ErrorIcon />
              <span>{describeError(messages, error)}</span>
            </p>
          ) : null}
        </div>
        <TextField
          label={messages.account.username}
          inputRef={usernameInput}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          required
          value={username}
          onChange={(event) => setUsername(event.target.value)}
          error={usernameMissing ? messages.account.usernameRequired : null}
        />
        <PasswordField
          label={messages.account.password}
          inputRef={passwordInput}
          name="password"
          autoComplete="current-password"
          maxLength={100}
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={passwordMissing ? messages.account.passwordRequired : null}
        />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {isBusy ? messages.account.submittingLogin : messages.account.submitLogin}
        </Button>
        <div className="row row-apart row-wrap">
          <span>
            {messages.registration.noAccount}{' '}
            <Link
              to={paths.register}
              search={redirect === undefined ? {} : { redirect }}
              className="text-link"
            >
              {messages.registration.toRegister}
            </Link>
          </span>
          <Link to={paths.passwordReset} className="text-link">
            {messages.registration.forgot}
          </Link>
        </div>
        {children}
      </form>
    </div>
  );
}
