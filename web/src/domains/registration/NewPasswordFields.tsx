/** A new password with its strength, and its repetition. */
import { ACCOUNT_LIMITS } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { useToldError } from '../../ui/form/told.ts';
import { passwordStrength } from '../account/password.ts';
import '../../ui/form/form.css';
import '../account/account.css';

interface Props {
  readonly label: string;
  readonly confirmLabel: string;
  readonly password: string;
  readonly confirmation: string;
  readonly errors: { readonly password?: string; readonly confirmation?: string };
  readonly onChange: (change: { password?: string; confirmation?: string }) => void;
}

export function NewPasswordFields(props: Props): ReactNode {
  const messages = useMessages();
  const { passwordMin, passwordMax } = ACCOUNT_LIMITS;
  const strength = passwordStrength(props.password);
  const passwordError = useToldError(props.errors.password);
  const confirmationError = useToldError(props.errors.confirmation);
  return (
    <>
      <PasswordField
        label={props.label}
        autoComplete="new-password"
        value={props.password}
        onChange={(event) => props.onChange({ password: event.target.value })}
        error={passwordError}
        required
        hint={
          props.password === '' ? (
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
        label={props.confirmLabel}
        autoComplete="new-password"
        value={props.confirmation}
        onChange={(event) => props.onChange({ confirmation: event.target.value })}
        error={confirmationError}
        required
      />
    </>
  );
}
