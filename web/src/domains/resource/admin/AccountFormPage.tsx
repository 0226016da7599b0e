/** Giving the account information of an application, which approves it, and changing it. */
import {
  RESOURCE_LIMITS,
  ResourceApplyStatus,
  type ManagedResource,
  type ResourceCredentials,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { PasswordField } from '../../../ui/Field.tsx';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { AreaField, LineField, NumberField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useToldError } from '../../../ui/form/told.ts';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import { RESOURCE_KEY, managedAccountQuery, updateResourceAccount } from '../resource.api.ts';
import {
  EMPTY_CREDENTIALS,
  credentialErrors,
  credentialValuesOf,
  credentialsOf,
  stateOf,
  type CredentialValues,
} from '../resource.ts';
import { BackLink, ManagedApplication } from './managed.tsx';
import '../resource.css';

const PORT_MAX = 65_535;

type Errors = Partial<Record<keyof ResourceCredentials, string>>;
interface FieldsProps {
  readonly values: CredentialValues;
  readonly errors: Errors;
  readonly onChange: (change: Partial<CredentialValues>) => void;
}

/** A password of the centre's, not of this browser's user. */
function SecretField({
  label,
  hint,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const told = useToldError(error);
  return (
    <PasswordField
      label={label}
      hint={told === null ? hint : undefined}
      value={value}
      error={told}
      autoComplete="new-password"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A key that is there already is not put on the screen unasked. */
function KeyField({ values, errors, onChange }: FieldsProps): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const [isOpen, setOpen] = useState(values.SshPrivateKey === '');
  if (!isOpen)
    return (
      <div className="field">
        <span className="field-label">{words.sshPrivateKey}</span>
        <div className="row">
          <Button onClick={() => setOpen(true)}>{words.changeKey}</Button>
        </div>
      </div>
    );
  return (
    <AreaField
      label={words.sshPrivateKey}
      hint={words.keyFormat}
      value={values.SshPrivateKey}
      max={RESOURCE_LIMITS.privateKey}
      rows={6}
      error={errors.SshPrivateKey}
      onChange={(SshPrivateKey) => onChange({ SshPrivateKey })}
    />
  );
}

function Fields(props: FieldsProps): ReactNode {
  const { values, errors, onChange } = props;
  const { messages } = useLanguage();
  const words = messages.resource;
  return (
    <>
      <fieldset className="resource-group">
        <legend>{words.ssh}</legend>
        <LineField
          label={words.sshAddress}
          hint={words.sshAddressHint}
          value={values.SshAddress}
          max={RESOURCE_LIMITS.address}
          isRequired
          error={errors.SshAddress}
          onChange={(SshAddress) => onChange({ SshAddress })}
        />
        <NumberField
          label={words.sshPort}
          value={values.SshPort}
          min={1}
          max={PORT_MAX}
          error={errors.SshPort}
          onChange={(SshPort) => onChange({ SshPort })}
        />
        <LineField
          label={words.sshUsername}
          value={values.SshUsername}
          max={RESOURCE_LIMITS.secret}
          isRequired
          error={errors.SshUsername}
          onChange={(SshUsername) => onChange({ SshUsername })}
        />
        <SecretField
          label={words.sshPassword}
          hint={words.wayIn}
          value={values.SshPassword}
          error={errors.SshPassword}
          onChange={(SshPassword) => onChange({ SshPassword })}
        />
        <KeyField {...props} />
      </fieldset>
      <fieldset className="resource-group">
        <legend>{words.vpn}</legend>
        <LineField
          label={words.vpnUsername}
          hint={words.vpnHint}
          value={values.VpnUsername}
          max={RESOURCE_LIMITS.secret}
          error={errors.VpnUsername}
          onChange={(VpnUsername) => onChange({ VpnUsername })}
        />
        <SecretField
          label={words.vpnPassword}
          value={values.VpnPassword}
          error={errors.VpnPassword}
          onChange={(VpnPassword) => onChange({ VpnPassword })}
        />
      </fieldset>
    </>
  );
}

function Editor({
  application,
  saved,
}: {
  readonly application: ManagedResource;
  readonly saved: CredentialValues;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const client = useQueryClient();
  const navigate = useNavigate();
  // Never in a draft: those are kept by the browser.
  const [values, setValues] = useState(saved);
  // What it is a change of; after a reload, of what there is then.
  const [begun, setBegun] = useState<number | null>(application.Version);
  const isFirst = application.Status === ResourceApplyStatus.pending;
  const saving = useMutation({
    mutationFn: () =>
      updateResourceAccount(application.ID, {
        Credentials: credentialsOf(values),
        Version: begun ?? application.Version,
      }),
    onSuccess: (changed) => {
      toast('success', isFirst ? words.approvedNow : words.accountSaved);
      void navigate({ to: paths.admin.resource(changed.ID, 'approved') });
      void client.invalidateQueries({ queryKey: RESOURCE_KEY });
    },
    meta: { isHandled: true },
  });
  const errors = credentialErrors(values, messages);
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  const isOld =
    isApiError(saving.error, 'changed_meanwhile') ||
    isApiError(saving.error, 'application_not_waiting');
  return (
    <Form
      label={isFirst ? words.fillTitle : words.updateTitle}
      errors={errors}
      failure={saving.error}
      isBusy={saving.isPending}
      isDirty={isDirty && !saving.isSuccess}
      isForgotten
      submit={isFirst ? words.approve : words.saveAccount}
      onSubmit={() => saving.mutate()}
      extra={
        <DraftActions
          failure={saving.error}
          isOld={isOld}
          onReload={() => {
            setBegun(null);
            saving.reset();
            void client.invalidateQueries({ queryKey: RESOURCE_KEY });
          }}
        />
      }
    >
      <Fields
        values={values}
        errors={errors}
        onChange={(change) => setValues({ ...values, ...change })}
      />
    </Form>
  );
}

/** What is there is read first: each time is recorded as a view. */
function Saved({ application }: { readonly application: ManagedResource }): ReactNode {
  const account = useQuery(managedAccountQuery(application.ID));
  if (account.data !== undefined)
    return (
      <Editor application={application} saved={credentialValuesOf(account.data.Credentials)} />
    );
  // Sealed with a key that is gone: whoever may read it writes it anew.
  if (isApiError(account.error, 'resource_account_unreadable'))
    return (
      <>
        <ErrorState error={account.error} />
        <Editor application={application} saved={EMPTY_CREDENTIALS} />
      </>
    );
  return account.error ? (
    <ErrorState error={account.error} onRetry={() => void account.refetch()} />
  ) : (
    <LoadingRegion>
      <Skeleton style={{ height: 480 }} />
    </LoadingRegion>
  );
}

function AccountForm({ application }: { readonly application: ManagedResource }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const { ID, Project, Centre, Status } = application;
  const isFirst = Status === ResourceApplyStatus.pending;
  const isRejected = Status === ResourceApplyStatus.rejected;
  const title = isFirst || isRejected ? words.fillTitle : words.updateTitle;
  return (
    <>
      <BackLink to={paths.admin.resource(ID, stateOf(Status))}>
        {words.accountFor(Project, Centre.Name)}
      </BackLink>
      <div className="page-head">
        <div className="resource-head">
          <PageTitle name={title}>{title}</PageTitle>
          {isRejected ? null : (
            <p className="muted">{isFirst ? words.fillLead : words.updateLead}</p>
          )}
        </div>
      </div>
      {isRejected ? (
        <p className="notice notice-warn">{words.cannotFill}</p>
      ) : isFirst ? (
        <Editor application={application} saved={EMPTY_CREDENTIALS} />
      ) : (
        <Saved application={application} />
      )}
    </>
  );
}

export const AccountFormPage = (): ReactNode => (
  <ManagedApplication addressOf={paths.admin.resourceAccount}>
    {(application) => <AccountForm key={application.ID} application={application} />}
  </ManagedApplication>
);
