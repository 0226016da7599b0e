/** One account: what is known of it, and what an admin can do with it. */
import {
  ASSIGNABLE_ROLES,
  TEXT_LIMITS,
  TeacherApplyStatus,
  type AssignableRole,
  type ManagedUser,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { AreaField, CheckField, ChoicesField } from '../../ui/form/fields.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import {
  USERS_KEY,
  centresQuery,
  deleteUser,
  updateUserRoles,
  updateUserState,
  userDependentsQuery,
} from './user.api.ts';

type Step = 'facts' | 'roles' | 'review' | 'state' | 'remove';

interface StepProps {
  readonly user: ManagedUser;
  /** Something was written: the list is read again. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

interface UserDialogProps extends StepProps {
  /** Opens at the answer to the teacher application. */
  readonly isReview: boolean;
}

/** What went wrong; with a stale version the list behind is read again at once. */
function Failure({ error }: { readonly error: unknown }): ReactNode {
  const { messages } = useLanguage();
  return error == null ? null : (
    <p className="notice notice-bad" role="alert">
      {describeError(messages, error)}
    </p>
  );
}

/** Somebody else changed, answered or deleted it since the list was read. */
const isOvertaken = (error: unknown): boolean =>
  isApiError(error, 'changed_meanwhile') ||
  isApiError(error, 'application_not_waiting') ||
  isApiError(error, 'not_found');

/** What every change of an account has in common. */
function useChange(
  { onChanged, onClose }: StepProps,
  change: () => Promise<unknown>,
  done: string,
) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      toast('success', done);
      onChanged();
      onClose();
    },
    onError: (error) => {
      if (isOvertaken(error)) onChanged();
    },
    meta: { isHandled: true },
  });
}

function Roles(props: StepProps): ReactNode {
  const { user, onClose } = props;
  const { messages, language } = useLanguage();
  const words = messages.userAdmin;
  const centres = useQuery(centresQuery(language));
  const [roles, setRoles] = useState<readonly AssignableRole[]>(
    ASSIGNABLE_ROLES.filter((role) => user.Roles.includes(role)),
  );
  const [chosen, setChosen] = useState<readonly number[]>(user.Centres.map(({ ID }) => ID));
  const isMachineAdmin = roles.includes('machine_admin');
  const saving = useChange(
    props,
    () =>
      updateUserRoles(user.ID, {
        Roles: [...roles],
        ...(isMachineAdmin ? { CentreIDList: [...chosen] } : {}),
        Version: user.Version,
      }),
    words.rolesSaved,
  );
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <p className="muted">{words.assignText}</p>
      <fieldset className="field field-choices">
        <legend className="field-label">{words.assignable}</legend>
        {ASSIGNABLE_ROLES.map((role) => (
          <CheckField
            key={role}
            label={words.roles[role]}
            isOn={roles.includes(role)}
            onChange={(isOn) =>
              setRoles(isOn ? [...roles, role] : roles.filter((held) => held !== role))
            }
          />
        ))}
      </fieldset>
      {isMachineAdmin ? (
        centres.data?.length === 0 ? (
          <p className="notice">{words.noCentres}</p>
        ) : (
          <ChoicesField
            label={words.centres}
            hint={words.centresHint}
            values={chosen}
            options={(centres.data ?? []).map(({ ID, Name }) => ({ value: ID, label: Name }))}
            onChange={setChosen}
          />
        )
      ) : null}
      <Failure error={saving.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button look="primary" type="submit" isBusy={saving.isPending}>
          {messages.form.save}
        </Button>
      </div>
    </form>
  );
}

function Review(props: StepProps): ReactNode {
  const { user, onClose } = props;
  const { messages, language } = useLanguage();
  const words = messages.userAdmin;
  const [reason, setReason] = useState('');
  const [hasTried, setTried] = useState(false);
  const text = reason.trim();
  const answer = (Action: 'approve' | 'reject') =>
    updateUserRoles(user.ID, { Action, Reason: text, Version: user.Version });
  const approving = useChange(props, () => answer('approve'), words.approved);
  const rejecting = useChange(props, () => answer('reject'), words.rejected);
  const isBusy = approving.isPending || rejecting.isPending;
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) approving.mutate();
      }}
    >
      <p className="muted">{words.reviewText}</p>
      <dl className="user-facts">
        <dt>{words.columns.RealName}</dt>
        <dd>{user.RealName ?? messages.common.unknown}</dd>
        <dt>{words.columns.Organisation}</dt>
        <dd>{user.Organisation ?? messages.common.unknown}</dd>
        <dt>{words.columns.Email}</dt>
        <dd>{user.Email}</dd>
        <dt>{words.appliedAt}</dt>
        <dd>
          {user.AppliedAt === null
            ? messages.common.unknown
            : formatMoment(user.AppliedAt, language)}
        </dd>
      </dl>
      <AreaField
        label={words.reason}
        hint={words.reasonHint}
        value={reason}
        max={TEXT_LIMITS.applyReason}
        error={hasTried && text === '' ? messages.form.required(words.reason) : null}
        onChange={setReason}
      />
      <Failure error={approving.error ?? rejecting.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="danger"
          isBusy={rejecting.isPending}
          onClick={() => {
            setTried(true);
            if (text !== '' && !isBusy) rejecting.mutate();
          }}
        >
          {words.reject}
        </Button>
        <Button look="primary" type="submit" isBusy={approving.isPending}>
          {words.approve}
        </Button>
      </div>
    </form>
  );
}

function State(props: StepProps): ReactNode {
  const { user, onClose } = props;
  const { messages } = useLanguage();
  const words = messages.userAdmin;
  const disabling = useChange(
    props,
    () => updateUserState(user.ID, true, user.Version),
    words.disabledNow,
  );
  return (
    <>
      <p>{words.disableText}</p>
      <Failure error={disabling.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button look="danger-solid" isBusy={disabling.isPending} onClick={() => disabling.mutate()}>
          {words.disableConfirm}
        </Button>
      </div>
    </>
  );
}

function Remove(props: StepProps): ReactNode {
  const { user, onClose } = props;
  const { messages } = useLanguage();
  const words = messages.userAdmin;
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(userDependentsQuery(user.ID));
  const [typed, setTyped] = useState('');
  const removing = useChange(props, () => deleteUser(user.ID, typed.trim()), words.removed);
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  const isBlocked = data.List.some(({ Fate }) => Fate === 'obstacle');
  const isTyped = typed.trim() === user.Username;
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !isBlocked && !removing.isPending)
          removing.mutate(undefined, {
            onError: () =>
              void client.invalidateQueries({ queryKey: [...USERS_KEY, 'dependents', user.ID] }),
          });
      }}
    >
      <p>{words.removeText}</p>
      {data.List.length === 0 ? (
        <p className="muted">{words.noDependents}</p>
      ) : (
        <ul className="dependents">
          {data.List.map(({ Kind, ID, Title, Fate }) => (
            <li key={`${Kind} ${ID}`}>
              <span className="tag">{words.kinds[Kind]}</span>
              <span>{Kind === 'usage' ? null : Title}</span>
              <span className="muted">{words.fates[Fate]}</span>
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={words.typeName(user.Username)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Failure error={removing.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="danger-solid"
          type="submit"
          isBusy={removing.isPending}
          obstacle={isBlocked ? words.obstacle : isTyped ? null : words.typeName(user.Username)}
        >
          {words.removeConfirm}
        </Button>
      </div>
    </form>
  );
}

function Facts({
  onStep,
  ...props
}: StepProps & { readonly onStep: (step: Step) => void }): ReactNode {
  const { user } = props;
  const { messages, language } = useLanguage();
  const words = messages.userAdmin;
  const { session } = useLogin();
  const enabling = useChange(
    props,
    () => updateUserState(user.ID, false, user.Version),
    words.enabledNow,
  );
  const unknown = messages.common.unknown;
  const rows: [string, string][] = [
    [words.columns.Username, user.Username],
    [words.columns.RealName, user.RealName ?? unknown],
    [words.columns.Email, user.Email],
    [words.columns.Phone, user.Phone ?? unknown],
    [words.columns.Organisation, user.Organisation ?? unknown],
    [words.columns.StudentID, user.StudentID ?? unknown],
    [words.columns.Type, words.types[user.Type]],
    [
      words.columns.Roles,
      user.Roles.map((role) => words.roles[role]).join(messages.common.dotSeparator),
    ],
    [
      words.columns.Status,
      [words.statuses[user.Status], user.ApplyReason ?? '']
        .filter((text) => text !== '')
        .join(messages.common.dotSeparator),
    ],
    [words.columns.State, user.IsDisabled ? words.disabled : words.active],
    [words.columns.CreatedAt, formatMoment(user.CreatedAt, language)],
    [
      words.columns.LastSeenAt,
      user.LastSeenAt === null ? unknown : formatMoment(user.LastSeenAt, language),
    ],
  ];
  const isOwn = session?.ID === user.ID;
  return (
    <>
      <dl className="user-facts">
        {rows.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Failure error={enabling.error} />
      <div className="dialog-actions user-actions">
        <Button onClick={() => onStep('roles')}>{words.assign}</Button>
        {user.Status === TeacherApplyStatus.waiting ? (
          <Button onClick={() => onStep('review')}>{words.review}</Button>
        ) : null}
        {user.IsDisabled ? (
          <Button isBusy={enabling.isPending} onClick={() => enabling.mutate()}>
            {words.enable}
          </Button>
        ) : (
          <Button
            look="danger"
            obstacle={isOwn ? words.ownAccount : null}
            onClick={() => onStep('state')}
          >
            {words.disable}
          </Button>
        )}
        <Button
          look="danger"
          obstacle={isOwn ? words.ownAccount : null}
          onClick={() => onStep('remove')}
        >
          {words.remove}
        </Button>
      </div>
    </>
  );
}

export function UserDialog({ isReview, ...props }: UserDialogProps): ReactNode {
  const { user, onClose } = props;
  const { messages } = useLanguage();
  const words = messages.userAdmin;
  const [step, setStep] = useState<Step>(isReview ? 'review' : 'facts');
  const titles: Record<Step, string> = {
    facts: user.Nickname,
    roles: words.assignTitle(user.Nickname),
    review: words.reviewTitle(user.Nickname),
    state: words.disableTitle(user.Nickname),
    remove: words.removeTitle(user.Nickname),
  };
  return (
    // Another step is another dialog: its title is told, and the focus begins inside it.
    <Dialog key={step} title={titles[step]} onClose={onClose}>
      {step === 'facts' ? <Facts {...props} onStep={setStep} /> : null}
      {step === 'roles' ? <Roles {...props} /> : null}
      {step === 'review' ? <Review {...props} /> : null}
      {step === 'state' ? <State {...props} /> : null}
      {step === 'remove' ? <Remove {...props} /> : null}
    </Dialog>
  );
}
