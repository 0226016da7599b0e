/** Where the link of the mail leads: the new password, and what became of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useMessages } from '../../kernel/language.tsx';
import { forgetAccount } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { resetPassword } from './registration.api.ts';
import { passwordErrors } from './registration.ts';
import './registration.css';

const EMPTY = { password: '', confirmation: '' };

export function PasswordResetResultPage(): ReactNode {
  const messages = useMessages();
  const words = messages.registration;
  const client = useQueryClient();
  const [token, setToken] = useState(() => location.hash.slice(1));
  const [values, setValues] = useState(EMPTY);
  const setting = useMutation({
    mutationFn: () => resetPassword({ Token: token, Password: values.password }),
    // Every login session has ended, this browser's as well.
    onSuccess: () => forgetAccount(client),
    meta: { isHandled: true },
  });
  const { reset } = setting;
  useEffect(() => {
    const take = (): void => {
      if (location.hash === '') return;
      setToken(location.hash.slice(1));
      reset();
      // Whoever sees the screen or the history of this browser need not find it there.
      history.replaceState(history.state, '', location.pathname);
    };
    take();
    // Another link in the same tab, after one that was cut short or used: the page stays.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [reset]);
  const title = setting.isSuccess ? words.newDoneTitle : words.newTitle;
  const isDead = token === '' || isApiError(setting.error, 'reset_link_invalid');
  let content: ReactNode;
  if (setting.isSuccess)
    content = (
      <>
        <output>{words.newDone}</output>
        <div className="row">
          <ButtonLink look="primary" to={paths.login}>
            {words.toLogin}
          </ButtonLink>
        </div>
      </>
    );
  else if (token === '')
    content = (
      <p className="notice notice-bad" role="alert">
        {words.linkMissing}
      </p>
    );
  else
    content = (
      <Form
        label={title}
        errors={passwordErrors(values, messages)}
        failure={setting.error}
        isBusy={setting.isPending}
        isDirty={false}
        submit={words.newSubmit}
        onSubmit={() => setting.mutate()}
      >
        <NewPasswordFields
          label={messages.account.newPassword}
          confirmLabel={messages.account.confirmPassword}
          {...values}
          errors={passwordErrors(values, messages)}
          onChange={(change) => setValues({ ...values, ...change })}
        />
      </Form>
    );
  return (
    <div className="registration">
      <div className="card registration-card">
        <div>
          <PageTitle name={title}>{title}</PageTitle>
          {setting.isSuccess ? null : <p className="muted">{words.newLead}</p>}
        </div>
        {content}
        {isDead ? (
          <Link to={paths.passwordReset} className="text-link">
            {words.askAgain}
          </Link>
        ) : null}
      </div>
    </div>
  );
}
