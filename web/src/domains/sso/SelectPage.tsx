/** The first time: the new identity is linked to an account that exists, or gets one of its own. */
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  USERNAME_PATTERN,
  accountFields,
  type AnswerOf,
  type routes,
} from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { useResend } from '../../kernel/resend.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { useHumanCheck } from '../captcha/HumanCheck.tsx';
import { sendEmailCode } from '../captcha/captcha.api.ts';
import { useArrive } from './arrive.ts';
import { createIdentityAccount, linkIdentity, pendingIdentityQuery } from './sso.api.ts';
import './sso.css';

type Pending = NonNullable<AnswerOf<typeof routes.getPendingIdentity>>;

export function SelectPage(): ReactNode {
  const messages = useMessages();
  const words = messages.sso;
  const { data, error, refetch } = useQuery(pendingIdentityQuery);
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  // Nobody has signed on, or it took too long.
  if (data === null) return <Navigate to={paths.login} replace />;
  return (
    <div className="wrap wrap-narrow sso-select">
      <div>
        <PageTitle name={words.selectTitle}>{words.selectTitle}</PageTitle>
        <p className="muted">{words.selectLead(words.providers[data.Provider], data.Name)}</p>
      </div>
      <div className="sso-choices">
        <LinkForm />
        <CreateForm pending={data} />
      </div>
    </div>
  );
}
