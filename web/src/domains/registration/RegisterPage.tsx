/** Registration. */
import {
  ACCOUNT_LIMITS,
  Gender,
  IDENTITIES,
  TIMES,
  TeacherApplyStatus,
  isEmailOf,
  type Identity,
  type SiteFace,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { forgetAccount, loginQuery } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { safeRedirect } from '../../kernel/redirect.ts';
import { useSite } from '../../kernel/site.ts';
import { toast, toastList } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { LineField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { useToldError } from '../../ui/form/told.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { useHumanCheck } from '../captcha/HumanCheck.tsx';
import type { PassedCheck } from '../captcha/captcha.api.ts';
import { siteQuery } from '../site/site.api.ts';
import { useCountdown } from './countdown.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { OrganisationField } from './OrganisationField.tsx';
import { register, sendEmailCode, verificationQuery } from './registration.api.ts';
import {
  EMPTY,
  isEmail,
  isUsername,
  registrationErrors,
  type Secrets,
  type Values,
} from './registration.ts';
import './registration.css';

const TYPING_MS = 500;

/** What was typed, once the typing has paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Whether a name can be used: asked when the typing pauses; undefined while nobody knows. */
function useAvailable(kind: 'username' | 'email', text: string): boolean | undefined {
  const value = usePaused(text.trim());
  const isWhole = kind === 'username' ? isUsername(value) : isEmail(value);
  const { data } = useQuery({
    ...verificationQuery(kind === 'username' ? { username: value } : { email: value }),
    enabled: isWhole,
  });
  return isWhole && value === text.trim() ? data?.IsAvailable : undefined;
}

/** A field whose error is told after the first try, as those of the shared form. */
function ToldField({ error, ...props }: ComponentProps<typeof TextField>): ReactNode {
  return <TextField {...props} error={useToldError(error)} />;
}

/** A value that the server refused; it stays refused until it is changed. */
interface Refused {
  readonly field: 'Username' | 'Email' | 'EmailCode';
  readonly value: string;
  readonly text: string;
}

const NO_SECRETS: Secrets = { code: '', password: '', confirmation: '' };

/** What a visitor must know before typing: whether, and with which addresses, one registers here. */
export function RegisterPage(): ReactNode {
  const messages = useMessages();
  const words = messages.registration;
  // What the page brought along may be old by now.
  useQuery(siteQuery);
  const rules = useSite()?.Registration;
  const search: { readonly redirect?: unknown } = useSearch({ strict: false });
  return (
    <div className="registration">
      <div className="card registration-card">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          {rules?.Mode === 'closed' ? null : <p className="muted">{words.lead}</p>}
        </div>
        {rules?.Mode === 'closed' ? <p className="notice">{words.closed}</p> : null}
        {rules?.Mode === 'byDomain' ? (
          <p className="notice" id="registration-domains">
            {words.byDomain(rules.Domains.join(messages.common.listSeparator))}
          </p>
        ) : null}
        {rules?.Mode === 'closed' ? null : <RegisterForm rules={rules} />}
        <p>
          {words.haveAccount}{' '}
          <Link to={paths.login} search={search} className="text-link">
            {words.toLogin}
          </Link>
        </p>
      </div>
    </div>
  );
}

function RegisterForm({
  rules,
}: {
  readonly rules: SiteFace['Registration'] | undefined;
}): ReactNode {
  const messages = useMessages();
  const words = messages.registration;
  const client = useQueryClient();
  const router = useRouter();
  const search: { readonly redirect?: unknown } = useSearch({ strict: false });
  const target = safeRedirect(search.redirect);
  const form = useDraft<Values>('register', EMPTY);
  const values = form.values ?? EMPTY;
  const [secrets, setSecrets] = useState(NO_SECRETS);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [codeFailure, setCodeFailure] = useState<string | null>(null);
  const [secondsLeft, countDown] = useCountdown();
  /** The address that waits; whoever has mistyped it need not. */
  const [countedFor, setCountedFor] = useState('');
  const seconds = countedFor === values.Email.trim() ? secondsLeft : 0;
  const beginCountdown = (count: number): void => {
    setCountedFor(values.Email.trim());
    countDown(count);
  };
  const human = useHumanCheck();
  const isUsernameFree = useAvailable('username', values.Username);
  const isEmailFree = useAvailable('email', values.Email);

  const sending = useMutation({
    mutationFn: (passed: PassedCheck) => sendEmailCode({ Email: values.Email.trim(), ...passed }),
    onSuccess: ({ ResendSeconds }) => {
      setSentTo(values.Email.trim());
      setCodeFailure(null);
      beginCountdown(ResendSeconds);
    },
    onError: (error) => {
      setCodeFailure(describeError(messages, error));
      const after = isApiError(error, 'code_too_soon') ? error.params['RetryAfterSeconds'] : null;
      if (typeof after === 'number') beginCountdown(after);
    },
    meta: { isHandled: true },
  });

  const registering = useMutation({
    mutationFn: (passed: PassedCheck) =>
      register({
        Username: values.Username.trim(),
        Email: values.Email.trim(),
        EmailCode: secrets.code.trim(),
        Password: secrets.password,
        Nickname: values.Nickname.trim(),
        Phone: values.Phone.trim(),
        Gender: Number(values.Gender) as Gender,
        Organisation: values.Organisation.trim(),
        Type: Number(values.Type) as Identity,
        ...(values.StudentNumber.trim() === ''
          ? {}
          : { StudentNumber: values.StudentNumber.trim() }),
        ...passed,
      }),
    onSuccess: (session) => {
      form.forget();
      forgetAccount(client);
      client.setQueryData(loginQuery.queryKey, session);
      toastList.clear();
      toast('success', words.welcome);
      if (session.Status === TeacherApplyStatus.waiting)
        toast('info', messages.account.teacherWaiting, TIMES.teacherNoticeMs);
      router.history.replace(target);
    },
    onError: (error) => {
      const text = describeError(messages, error);
      if (isApiError(error, 'username_taken'))
        setRefused({ field: 'Username', value: values.Username, text });
      if (isApiError(error, 'email_taken'))
        setRefused({ field: 'Email', value: values.Email, text });
      if (isApiError(error, 'wrong_code'))
        setRefused({ field: 'EmailCode', value: secrets.code, text });
    },
    meta: { isHandled: true },
  });

  const isForeign =
    rules?.Mode === 'byDomain' &&
    isEmail(values.Email.trim()) &&
    !isEmailOf(values.Email.trim(), rules.Domains);
  const errors: Record<string, string> = {
    // First, as their fields are: the summary tells them in this order.
    ...(isUsernameFree === false ? { Username: words.usernameTaken } : {}),
    ...(isForeign
      ? { Email: words.emailForeign }
      : isEmailFree === false
        ? { Email: words.emailTaken }
        : {}),
    ...registrationErrors(values, secrets, messages),
  };
  const sentValues = { Username: values.Username, Email: values.Email, EmailCode: secrets.code };
  if (refused !== null && sentValues[refused.field] === refused.value)
    errors[refused.field] ??= refused.text;

  const sendObstacle = !isEmail(values.Email.trim())
    ? words.emailWrong
    : isForeign
      ? words.emailForeign
      : null;
  const availability = (isFree: boolean | undefined, usual: string): string =>
    isFree === true ? words.available : usual;
  const { usernameMin, usernameMax } = ACCOUNT_LIMITS;

  return (
    <>
      <Form
        label={words.title}
        errors={errors}
        failure={registering.error}
        isBusy={registering.isPending}
        isDirty={form.isDirty && !registering.isSuccess}
        submit={words.submit}
        onSubmit={() => human.guard((passed) => registering.mutateAsync(passed))}
      >
        <ToldField
          label={messages.account.usernameLabel}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={usernameMax}
          required
          value={values.Username}
          hint={availability(isUsernameFree, words.usernameRule(usernameMin, usernameMax))}
          error={errors['Username']}
          onChange={(event) => form.change({ Username: event.target.value })}
        />
        <ToldField
          label={messages.account.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={ACCOUNT_LIMITS.emailMax}
          required
          value={values.Email}
          hint={availability(isEmailFree, words.emailHint)}
          error={errors['Email']}
          onChange={(event) => form.change({ Email: event.target.value })}
        />
        <div className="registration-code">
          <ToldField
            label={words.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            required
            value={secrets.code}
            hint={<output>{codeFailure ?? (sentTo === null ? '' : words.codeSent(sentTo))}</output>}
            error={errors['EmailCode']}
            onChange={(event) => setSecrets({ ...secrets, code: event.target.value })}
          />
          <Button
            isBusy={sending.isPending}
            obstacle={seconds > 0 ? words.resendIn(seconds) : sendObstacle}
            onClick={() => human.guard((passed) => sending.mutateAsync(passed))}
          >
            {seconds > 0 ? words.resendIn(seconds) : words.sendCode}
          </Button>
        </div>
        <NewPasswordFields
          label={words.password}
          confirmLabel={words.confirm}
          password={secrets.password}
          confirmation={secrets.confirmation}
          errors={errors}
          onChange={(change) => setSecrets({ ...secrets, ...change })}
        />
        <LineField
          label={messages.account.nickname}
          hint={words.nicknameRule}
          max={ACCOUNT_LIMITS.nicknameMax}
          isRequired
          value={values.Nickname}
          error={errors['Nickname']}
          onChange={(Nickname) => form.change({ Nickname })}
        />
        <SelectField
          label={messages.account.identity}
          hint={words.identityHint}
          empty={messages.form.choose}
          value={values.Type}
          error={errors['Type']}
          options={(rules?.Identities ?? IDENTITIES).map((type) => ({
            value: String(type),
            label: messages.common.userTypes[type],
          }))}
          onChange={(Type) => form.change({ Type })}
        />
        <OrganisationField
          value={values.Organisation}
          error={errors['Organisation']}
          onChange={(Organisation) => form.change({ Organisation })}
        />
        <ToldField
          label={messages.account.phone}
          type="tel"
          autoComplete="tel"
          maxLength={16}
          required
          value={values.Phone}
          hint={messages.account.phoneRule}
          error={errors['Phone']}
          onChange={(event) => form.change({ Phone: event.target.value })}
        />
        <SelectField
          label={messages.account.gender}
          empty={messages.form.choose}
          value={values.Gender}
          error={errors['Gender']}
          options={Object.values(Gender).map((gender) => ({
            value: String(gender),
            label: messages.account.genders[gender],
          }))}
          onChange={(value) => form.change({ Gender: value })}
        />
        <LineField
          label={messages.account.studentNumber}
          hint={messages.account.optional}
          max={ACCOUNT_LIMITS.studentNumberMax}
          value={values.StudentNumber}
          onChange={(StudentNumber) => form.change({ StudentNumber })}
        />
      </Form>
      {human.dialog}
    </>
  );
}
