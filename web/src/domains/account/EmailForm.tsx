/** Another e-mail address: a code goes to the new one, and confirms it. */
import { ACCOUNT_LIMITS, EMAIL_CODE_PATTERN, type User } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { useCountdown } from '../registration/countdown.ts';
import { isEmail } from '../registration/registration.ts';
import { changeEmail, requestEmailChange, showUser } from './settings.api.ts';

export function EmailForm({ user }: { readonly user: User }): ReactNode {
  const messages = useMessages();
  const words = messages.account;
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState<'send' | 'change' | null>(null);
  /** Where the code was sent; the fields of the first step are done then. */
  const [sentTo, setSentTo] = useState<string | null>(null);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const [secondsLeft, begin] = useCountdown();
  /** The address that waits; whoever has mistyped it need not. */
  const [countedFor, setCountedFor] = useState('');
  const resendSeconds = countedFor === email.trim() ? secondsLeft : 0;
  const countDown = (count: number): void => {
    setCountedFor(email.trim());
    begin(count);
  };
  useEffect(() => {
    if (sentTo !== null) codeInput.current?.focus();
  }, [sentTo]);
  const sending = useMutation({
    mutationFn: () => requestEmailChange(user.ID, { Email: email.trim(), Password: password }),
    onSuccess: ({ ResendSeconds }) => {
      setSentTo(email.trim());
      setChecked(null);
      countDown(ResendSeconds);
      toast('success', words.codeSentTo(email.trim()));
    },
    onError: (error) => {
      const wait = error instanceof ApiError ? error.params['RetryAfterSeconds'] : undefined;
      if (isApiError(error, 'code_too_soon') && typeof wait === 'number') countDown(wait);
      if (isApiError(error, 'wrong_original_password')) passwordInput.current?.focus();
    },
    meta: { isHandled: true },
  });
  const changing = useMutation({
    mutationFn: () => changeEmail(user.ID, { Email: sentTo ?? '', EmailCode: code.trim() }),
    onSuccess: (changed) => {
      showUser(client, changed);
      setEmail('');
      setPassword('');
      setCode('');
      setSentTo(null);
      setChecked(null);
      toast('success', words.emailChanged);
    },
    onError: () => codeInput.current?.focus(),
    meta: { isHandled: true },
  });
  const isSame = email.trim().toLowerCase() === user.Email.toLowerCase();
  const isEmailWrong = !isEmail(email.trim()) || isSame;
  const isCodeWrong = !EMAIL_CODE_PATTERN.test(code.trim());
  const send = (): void => {
    setChecked('send');
    changing.reset();
    if (isEmailWrong) emailInput.current?.focus();
    else if (password === '') passwordInput.current?.focus();
    else sending.mutate();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending.isPending || changing.isPending) return;
    if (sentTo === null) {
      send();
      return;
    }
    setChecked('change');
    if (isCodeWrong) codeInput.current?.focus();
    else changing.mutate();
  };
  const failure = changing.error ?? sending.error;
  return (
    <form
      className="card settings-card"
      aria-labelledby="email-change"
      onSubmit={submit}
      noValidate
    >
      <div>
        <h2 id="email-change">{words.emailTitle}</h2>
        <p className="muted">{words.emailLead(user.Email)}</p>
      </div>
      {failure ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, failure)}
        </p>
      ) : null}
      <TextField
        label={words.newEmail}
        inputRef={emailInput}
        type="email"
        autoComplete="email"
        maxLength={ACCOUNT_LIMITS.emailMax}
        required
        value={email}
        readOnly={sentTo !== null}
        onChange={(event) => setEmail(event.target.value)}
        error={
          isChecked === 'send' && isEmailWrong
            ? isSame
              ? words.emailSame
              : messages.form.invalid(words.newEmail)
            : null
        }
      />
      <PasswordField
        label={words.currentPassword}
        inputRef={passwordInput}
        autoComplete="current-password"
        maxLength={100}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isChecked === 'send' && password === '' ? words.passwordRequired : null}
      />
      {sentTo === null ? null : (
        <TextField
          label={words.emailCode}
          inputRef={codeInput}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          hint={words.emailCodeRule}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={
            isChecked === 'change' && isCodeWrong ? messages.form.invalid(words.emailCode) : null
          }
        />
      )}
      <div className="row row-wrap">
        {sentTo === null ? null : (
          <Button type="submit" look="primary" isBusy={changing.isPending}>
            {words.changeEmail}
          </Button>
        )}
        <Button
          {...(sentTo === null ? { type: 'submit', look: 'primary' } : { onClick: send })}
          isBusy={sending.isPending}
          obstacle={resendSeconds > 0 ? words.resendCode(resendSeconds) : null}
        >
          {resendSeconds > 0 ? words.resendCode(resendSeconds) : words.sendCode}
        </Button>
        {sentTo === null ? null : (
          <Button
            look="quiet"
            onClick={() => {
              setSentTo(null);
              setCode('');
              sending.reset();
              changing.reset();
            }}
          >
            {messages.common.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
