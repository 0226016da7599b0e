/** The first time: the new identity is linked to an account that exists, or gets one of its own. */
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  USERNAME_PATTERN,
  type AnswerOf,
  type routes,
} from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { useSite } from '../../kernel/site.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { isNickname } from '../account/profile.ts';
import { useHumanCheck } from '../captcha/HumanCheck.tsx';
import type { PassedCheck } from '../captcha/captcha.api.ts';
import { useCountdown } from '../registration/countdown.ts';
import { isEmail } from '../registration/registration.ts';
import { useArrive } from './arrive.ts';
import { useProviderName } from './names.ts';
import {
  createIdentityAccount,
  linkIdentity,
  pendingIdentityQuery,
  sendEmailCode,
} from './sso.api.ts';
import './sso.css';

type Pending = NonNullable<AnswerOf<typeof routes.getPendingIdentity>>;

export function SelectPage(): ReactNode {
  const messages = useMessages();
  const words = messages.sso;
  const { data, error, refetch } = useQuery(pendingIdentityQuery);
  const providerName = useProviderName();
  const registration = useSite()?.Registration;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  // Nobody has signed on, or it took too long.
  if (data === null) return <Navigate to={paths.login} replace />;
  return (
    <div className="wrap wrap-narrow sso-select">
      <div>
        <PageTitle name={words.selectTitle}>{words.selectTitle}</PageTitle>
        <p className="muted">{words.selectLead(providerName(data.Provider), data.Name)}</p>
      </div>
      <div className="sso-choices">
        <LinkForm />
        {registration?.Mode === 'closed' ? (
          <section className="card sso-form" aria-labelledby="sso-create">
            <h2 id="sso-create">{words.createTitle}</h2>
            <p>{messages.registration.closed}</p>
          </section>
        ) : (
          <CreateForm pending={data} />
        )}
      </div>
    </div>
  );
}

function Failure({ error }: { readonly error: unknown }): ReactNode {
  const messages = useMessages();
  return (
    <div role="alert">
      {error ? (
        <p className="notice notice-bad row">
          <ErrorIcon />
          <span>{describeError(messages, error)}</span>
        </p>
      ) : null}
    </div>
  );
}

function LinkForm(): ReactNode {
  const messages = useMessages();
  const words = messages.sso;
  const arrive = useArrive();
  const check = useHumanCheck();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const linking = useMutation({
    mutationFn: (passed: PassedCheck) =>
      linkIdentity({ Username: username.trim(), Password: password, ...passed }),
    onSuccess: arrive,
    meta: { isHandled: true },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (linking.isPending) return;
    setChecked(true);
    if (username.trim() === '') usernameInput.current?.focus();
    else if (password === '') passwordInput.current?.focus();
    else check.guard((passed) => linking.mutateAsync(passed));
  };
  return (
    <form className="card sso-form" onSubmit={submit} aria-labelledby="sso-link" noValidate>
      <div>
        <h2 id="sso-link">{words.linkTitle}</h2>
        <p className="muted">{words.linkLead}</p>
      </div>
      <Failure error={linking.error} />
      <TextField
        label={messages.account.username}
        inputRef={usernameInput}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        required
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={isChecked && username.trim() === '' ? messages.account.usernameRequired : null}
      />
      <PasswordField
        label={messages.account.password}
        inputRef={passwordInput}
        autoComplete="current-password"
        maxLength={100}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isChecked && password === '' ? messages.account.passwordRequired : null}
      />
      <Button type="submit" look="primary" isBusy={linking.isPending}>
        {words.linkSubmit}
      </Button>
      {check.dialog}
    </form>
  );
}

const FIELDS = ['username', 'nickname', 'email', 'code'] as const;
type Field = (typeof FIELDS)[number];

function CreateForm({ pending }: { readonly pending: Pending }): ReactNode {
  const messages = useMessages();
  const words = messages.sso;
  const arrive = useArrive();
  const check = useHumanCheck();
  const [secondsLeft, begin] = useCountdown();
  /** The address that waits; whoever has mistyped it need not. */
  const [countedFor, setCountedFor] = useState('');
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({
    username: pending.Username,
    nickname: pending.Nickname,
    email: pending.Email,
    code: '',
  });
  const [isChecked, setChecked] = useState(false);
  const inputs = useRef<Partial<Record<Field, HTMLInputElement | null>>>({});
  const email = values.email.trim();
  const resendSeconds = countedFor === email ? secondsLeft : 0;
  const countDown = (count: number): void => {
    setCountedFor(email);
    begin(count);
  };
  const isVouchedFor =
    pending.IsEmailVerified && email.toLowerCase() === pending.Email.toLowerCase();
  const isEmailWrong = !isEmail(email);
  const creating = useMutation({
    mutationFn: () =>
      createIdentityAccount({
        Username: values.username.trim(),
        Nickname: values.nickname.trim(),
        Email: email,
        ...(isVouchedFor ? {} : { EmailCode: values.code.trim() }),
      }),
    onSuccess: arrive,
    meta: { isHandled: true },
  });
  const sending = useMutation({
    mutationFn: (passed: PassedCheck) => sendEmailCode({ Email: email, ...passed }),
    onSuccess: ({ ResendSeconds }) => {
      countDown(ResendSeconds);
      toast('success', words.codeSent);
      inputs.current.code?.focus();
    },
    onError: (error) => {
      const seconds = error instanceof ApiError ? error.params['RetryAfterSeconds'] : undefined;
      if (isApiError(error, 'code_too_soon') && typeof seconds === 'number') countDown(seconds);
    },
    meta: { isHandled: true },
  });
  const problems: Partial<Record<Field, string>> = {
    ...(USERNAME_PATTERN.test(values.username.trim())
      ? {}
      : { username: messages.form.invalid(words.username) }),
    ...(isNickname(values.nickname.trim())
      ? {}
      : { nickname: messages.form.invalid(words.nickname) }),
    ...(isEmailWrong ? { email: messages.form.invalid(words.email) } : {}),
    ...(isVouchedFor || EMAIL_CODE_PATTERN.test(values.code.trim())
      ? {}
      : { code: messages.form.invalid(words.emailCode) }),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (creating.isPending) return;
    setChecked(true);
    const wrong = FIELDS.find((field) => problems[field] !== undefined);
    if (wrong === undefined) creating.mutate();
    else inputs.current[wrong]?.focus();
  };
  const field = (name: Field) => ({
    inputRef: (input: HTMLInputElement | null) => {
      inputs.current[name] = input;
    },
    value: values[name],
    required: true,
    error: isChecked ? (problems[name] ?? null) : null,
    onChange: (event: { target: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.target.value }),
  });
  return (
    <form className="card sso-form" onSubmit={submit} aria-labelledby="sso-create" noValidate>
      <div>
        <h2 id="sso-create">{words.createTitle}</h2>
        <p className="muted">{words.createLead}</p>
      </div>
      <Failure error={creating.error ?? sending.error} />
      <TextField
        label={words.username}
        hint={words.usernameRule}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={ACCOUNT_LIMITS.usernameMax}
        {...field('username')}
      />
      <TextField
        label={words.nickname}
        hint={words.nicknameRule(ACCOUNT_LIMITS.nicknameMin, ACCOUNT_LIMITS.nicknameMax)}
        autoComplete="nickname"
        maxLength={ACCOUNT_LIMITS.nicknameMax}
        {...field('nickname')}
      />
      <TextField
        label={words.email}
        hint={isVouchedFor ? words.emailVouched : null}
        type="email"
        autoComplete="email"
        maxLength={ACCOUNT_LIMITS.emailMax}
        {...field('email')}
      />
      {isVouchedFor ? null : (
        <>
          <Button
            isBusy={sending.isPending}
            obstacle={
              resendSeconds > 0
                ? words.resendCode(resendSeconds)
                : isEmailWrong
                  ? messages.form.invalid(words.email)
                  : null
            }
            onClick={() => check.guard((passed) => sending.mutateAsync(passed))}
          >
            {resendSeconds > 0 ? words.resendCode(resendSeconds) : words.sendCode}
          </Button>
          <TextField
            label={words.emailCode}
            hint={words.emailCodeRule}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            {...field('code')}
          />
        </>
      )}
      <Button type="submit" look="primary" isBusy={creating.isPending}>
        {words.createSubmit}
      </Button>
      {check.dialog}
    </form>
  );
}
