/** The fields in which the owner of a course says who finds it and how it is joined. */
import { CourseJoinMode, INVITE_CODE_LIMITS } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { writeClipboard } from '../../../kernel/clipboard.ts';
import { useMessages } from '../../../kernel/language.tsx';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { CheckField, SelectField } from '../../../ui/form/fields.tsx';
import { useToldError } from '../../../ui/form/told.ts';
import { CopyIcon, RenewIcon } from '../../../ui/icons.tsx';
import { suggestCode } from './course-admin.api.ts';
import { needsCode, type JoinValues } from './joining.ts';

const MODES = Object.values(CourseJoinMode);

interface JoinFieldsProps {
  readonly values: JoinValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<JoinValues>) => void;
}

/** Puts the code where it can be pasted for those who are invited. */
export function CopyCode({ code }: { readonly code: string }): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const copy = async (): Promise<void> => {
    const isDone = await writeClipboard(code);
    toast(isDone ? 'success' : 'warning', isDone ? words.codeCopied : words.codeNotCopied);
  };
  return (
    <Button
      isSmall
      obstacle={code === '' ? messages.form.required(messages.course.code) : null}
      onClick={() => void copy()}
    >
      <CopyIcon />
      {words.copyCode}
    </Button>
  );
}

function CodeFields({ values, errors, onChange }: JoinFieldsProps): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const codeError = useToldError(errors['InviteCode']);
  const untilError = useToldError(errors['InviteUntil']);
  const suggesting = useMutation({
    mutationFn: suggestCode,
    onSuccess: (InviteCode) => onChange({ InviteCode }),
  });
  return (
    <>
      <div>
        <TextField
          label={messages.course.code}
          value={values.InviteCode}
          maxLength={INVITE_CODE_LIMITS.max}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          hint={words.codeHint(INVITE_CODE_LIMITS.min, INVITE_CODE_LIMITS.max)}
          error={codeError}
          onChange={(event) => onChange({ InviteCode: event.target.value })}
        />
        <div className="row row-wrap course-code-actions">
          <Button isSmall isBusy={suggesting.isPending} onClick={() => suggesting.mutate()}>
            <RenewIcon />
            {words.newCode}
          </Button>
          <CopyCode code={values.InviteCode.trim()} />
        </div>
      </div>
      <div className="form-grid">
        <TextField
          label={words.from}
          type="datetime-local"
          hint={words.periodHint}
          value={values.InviteFrom}
          onChange={(event) => onChange({ InviteFrom: event.target.value })}
        />
        <TextField
          label={words.until}
          type="datetime-local"
          value={values.InviteUntil}
          error={untilError}
          onChange={(event) => onChange({ InviteUntil: event.target.value })}
        />
      </div>
    </>
  );
}

export function JoinFields(props: JoinFieldsProps): ReactNode {
  const { values, onChange } = props;
  const words = useMessages().course.admin;
  return (
    <>
      <SelectField
        label={words.joinMode}
        hint={values.IsPrivate ? words.privateMode : undefined}
        value={values.JoinMode}
        options={MODES.map((mode) => ({ value: String(mode), label: words.modes[mode] }))}
        onChange={(JoinMode) => onChange({ JoinMode })}
      />
      <CheckField
        label={words.isPrivate}
        hint={words.privateHint}
        isOn={values.IsPrivate}
        onChange={(IsPrivate) => onChange({ IsPrivate })}
      />
      {needsCode(values) ? <CodeFields {...props} /> : null}
      <CheckField
        label={words.isHidden}
        hint={words.hiddenHint}
        isOn={values.IsHidden}
        onChange={(IsHidden) => onChange({ IsHidden })}
      />
    </>
  );
}
