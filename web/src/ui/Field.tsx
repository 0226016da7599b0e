/** Text fields: label above, hint and error beside the field and bound to it. */
import { useId, useState, type ComponentProps, type ReactNode, type Ref } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { Button } from './Button.tsx';
import { ErrorIcon, EyeIcon, EyeOffIcon, WarnIcon } from './icons.tsx';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'ref'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly after?: ReactNode;
}

export function TextField({
  label,
  hint,
  error,
  inputRef,
  after,
  ...input
}: FieldProps): ReactNode {
  const id = useId();
  const hintID = `${id}-hint`;
  const errorID = `${id}-error`;
  const described = [hint != null && hintID, error != null && error !== '' && errorID]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={error ? 'input-box input-box-invalid' : 'input-box'}>
        <input
          {...input}
          id={id}
          ref={inputRef}
          aria-invalid={error ? true : undefined}
          aria-describedby={described === '' ? undefined : described}
        />
        {after}
      </div>
      {hint != null ? (
        <div className="field-hint" id={hintID}>
          {hint}
        </div>
      ) : null}
      {error ? (
        <div className="field-error" id={errorID}>
          <ErrorIcon />
          <span>{error}</span>
        </div>
      ) : null}
    </div>
  );
}

type PasswordProps = Omit<FieldProps, 'type' | 'after'>;

/** A password that can be shown, with a hint when Caps Lock is on. */
export function PasswordField({ hint, ...props }: PasswordProps): ReactNode {
  const messages = useMessages();
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const readCapsLock = (event: React.KeyboardEvent): void =>
    setCapsLock(event.getModifierState('CapsLock'));
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={() => setCapsLock(false)}
      hint={
        hasCapsLock ? (
          <output className="row amber">
            <WarnIcon />
            {messages.form.capsLock}
          </output>
        ) : (
          hint
        )
      }
      after={
        <Button
          look="quiet"
          isIcon
          isSmall
          aria-label={isShown ? messages.form.hidePassword : messages.form.showPassword}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </Button>
      }
    />
  );
}
