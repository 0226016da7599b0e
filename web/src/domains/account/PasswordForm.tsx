/** Changing one's password. */
import { ACCOUNT_LIMITS } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { changePassword } from './account.api.ts';
import { checkPasswordChange, passwordStrength } from './password.ts';

const EMPTY = { original: '', password: '', confirmation: '' };

export function PasswordForm({
  userID,
  username,
}: {
  readonly userID: number;
  readonly username: string;
}): ReactNode {
  const messages = useMessages();
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const original = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: () =>
      changePassword(userID, { OriginalPassword: form.original, Password: form.password }),
    onSuccess: () => {
      setForm(EMPTY);
      setChecked(false);
      toast('success', messages.account.passwordChanged);
    },
    onError: (error) => {
      if (isApiError(error, 'wrong_original_password')) original.current?.focus();
    },
    meta: { isHandled: true },
  });
  const problems = checkPasswordChange(form);
  const { passwordMin, passwordMax } = ACCOUNT_LIMITS;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (problems.original) original.current?.focus();
    else if (problems.password) password.current?.focus();
    else if (problems.confirmation) confirmation.current?.focus();
    else if (!change.isPending) change.mutate();
  };
  const set = (field: keyof typeof EMPTY) => (event: { target: HTMLInputElement }) => {
    setForm({ ...form, [field]: event.target.value });
    if (change.isError) change.reset();
  };
  const isOriginalWrong = isApiError(change.error, 'wrong_original_password');
  const originalError = isOriginalWrong
    ? describeError(messages, change.error)
    : isChecked && problems.original
      ? messages.account.originalRequired
      : null;
  const passwordError =
    !isChecked || problems.password === undefined
      ? null
      : problems.password === 'same'
        ? messages.account.passwordSame
        : messages.account.passwordLength(passwordMin, passwordMax, form.password.length);
  const strength = passwordStrength(form.password);
  return (
    <form className="card settings-card" onSubmit={submit} noValidate>
      <div>
        <h2>{messages.account.changePassword}</h2>
        <p className="muted">{messages.account.changePasswordHint}</p>
      </div>
      {/* Lets a password manager know whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {change.error && !isOriginalWrong ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, change.error)}
        </p>
      ) : null}
      <PasswordField
        label={messages.account.originalPassword}
        inputRef={original}
        autoComplete="current-password"
        value={form.original}
        onChange={set('original')}
        error={originalError}
        required
      />
      <PasswordField
        label={messages.account.newPassword}
        inputRef={password}
        autoComplete="new-password"
        value={form.password}
        onChange={set('password')}
        error={passwordError}
        required
        hint={
          form.password === '' ? (
            messages.account.passwordRule(passwordMin, passwordMax)
          ) : (
            <span className="strength">
              <span>{messages.account.strength}</span>
              <span className={`bar strength-${strength}`} aria-hidden="true">
                <i />
              </span>
              <span>{messages.account.strengths[strength]}</span>
            </span>
          )
        }
      />
      <PasswordField
        label={messages.account.confirmPassword}
        inputRef={confirmation}
        autoComplete="new-password"
        value={form.confirmation}
        onChange={set('confirmation')}
        error={isChecked && problems.confirmation ? messages.account.passwordsDiffer : null}
        required
      />
      <Button type="submit" look="primary" isBusy={change.isPending}>
        {messages.account.submitPassword}
      </Button>
    </form>
  );
}
