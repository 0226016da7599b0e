/** Asking for a new password: a link comes by mail, if there is such an account. */
import { ACCOUNT_LIMITS, TIMES } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { useHumanCheck } from '../captcha/HumanCheck.tsx';
import type { PassedCheck } from '../captcha/captcha.api.ts';
import { useCountdown } from './countdown.ts';
import { requestPasswordReset } from './registration.api.ts';
import './registration.css';

export function PasswordResetPage(): ReactNode {
  const messages = useMessages();
  const words = messages.registration;
  const [name, setName] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [seconds, beginCountdown] = useCountdown();
  const human = useHumanCheck();
  const asking = useMutation({
    mutationFn: (passed: PassedCheck) => requestPasswordReset({ Username: name.trim(), ...passed }),
    onSuccess: () => beginCountdown(TIMES.captchaResendSeconds),
    onError: (error) => {
      const after = isApiError(error, 'too_many_requests')
        ? error.params['RetryAfterSeconds']
        : null;
      if (typeof after === 'number') beginCountdown(after);
    },
    meta: { isHandled: true },
  });
  const isMissing = isChecked && name.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (name.trim() === '' || asking.isPending || seconds > 0) return;
    human.guard((passed) => asking.mutateAsync(passed));
  };
  return (
    <div className="registration">
      <form className="card registration-card" onSubmit={submit} noValidate>
        <div>
          <PageTitle name={words.resetTitle}>{words.resetTitle}</PageTitle>
          <p className="muted">{words.resetLead}</p>
        </div>
        <output>
          {asking.isSuccess ? (
            <span className="notice registration-sent">
              <b>{words.resetSentTitle}</b>
              <span>{words.resetSent}</span>
              <span className="muted">{words.resetSentHint}</span>
            </span>
          ) : null}
        </output>
        <div role="alert">
          {asking.error ? (
            <p className="notice notice-bad">{describeError(messages, asking.error)}</p>
          ) : null}
        </div>
        <TextField
          label={messages.account.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={ACCOUNT_LIMITS.emailMax}
          required
          value={name}
          error={isMissing ? messages.account.usernameRequired : null}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          look="primary"
          isBusy={asking.isPending}
          obstacle={seconds > 0 ? words.resetAgain(seconds) : null}
        >
          {seconds > 0 ? words.resetAgain(seconds) : words.resetSubmit}
        </Button>
        <p>
          <Link to={paths.login} className="text-link">
            {words.toLogin}
          </Link>
        </p>
      </form>
      {human.dialog}
    </div>
  );
}
