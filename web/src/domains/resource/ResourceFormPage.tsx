/** Writing an application for machine time, and changing one that is not approved. */
import {
  ACCOUNT_LIMITS,
  RESOURCE_LIMITS,
  ResourceApplyStatus,
  TEXT_LIMITS,
  type ResourceApplication,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { DraftActions } from '../../ui/form/DraftActions.tsx';
import { AreaField, LineField, NumberField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { userQuery } from '../account/account.api.ts';
import { OrganisationField } from '../registration/OrganisationField.tsx';
import {
  RESOURCE_KEY,
  createResource,
  resourceCentresQuery,
  resourceQuery,
  resourceSoftwareQuery,
  updateResource,
} from './resource.api.ts';
import {
  bodyOf,
  newValuesOf,
  resourceErrors,
  stateOf,
  valuesOf,
  type ResourceValues,
} from './resource.ts';
import { formatHours } from './ResourceFacts.tsx';
import './resource.css';

interface Choice {
  readonly value: string;
  readonly label: string;
}

function Fields({
  values,
  errors,
  centres,
  software,
  onChange,
}: {
  readonly values: ResourceValues;
  readonly errors: Partial<Record<keyof ResourceValues, string>>;
  readonly centres: readonly Choice[];
  readonly software: readonly Choice[];
  readonly onChange: (change: Partial<ResourceValues>) => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const field = (name: keyof ResourceValues) => ({
    value: values[name],
    error: errors[name] ?? null,
    onChange: (text: string) => onChange({ [name]: text }),
  });
  return (
    <>
      <fieldset className="resource-group">
        <legend>{words.need}</legend>
        <LineField
          label={words.project}
          max={TEXT_LIMITS.resourceTitle}
          isRequired
          {...field('Project')}
        />
        <SelectField
          label={words.centre}
          empty={messages.form.choose}
          options={centres}
          {...field('CentreID')}
        />
        <NumberField
          label={words.cpuHours}
          unit={words.cpuHoursUnit}
          hint={words.cpuHoursHint(formatHours(RESOURCE_LIMITS.cpuHoursMax))}
          min={RESOURCE_LIMITS.cpuHoursMin}
          max={RESOURCE_LIMITS.cpuHoursMax}
          {...field('CpuHours')}
        />
        <AreaField
          label={words.purpose}
          hint={words.purposeHint}
          max={TEXT_LIMITS.resourcePurpose}
          rows={4}
          isRequired
          {...field('Purpose')}
        />
        <SelectField
          label={words.software}
          empty={words.noSoftware}
          options={software}
          {...field('SoftwareID')}
        />
      </fieldset>
      <fieldset className="resource-group">
        <legend>{words.person}</legend>
        <LineField
          label={words.applicantName}
          max={TEXT_LIMITS.realName}
          isRequired
          {...field('ApplicantName')}
        />
        <OrganisationField {...field('Organisation')} />
        <LineField
          label={words.phone}
          hint={words.phoneHint}
          max={16}
          isRequired
          {...field('Phone')}
        />
        <LineField
          label={words.email}
          max={ACCOUNT_LIMITS.emailMax}
          isRequired
          {...field('Email')}
        />
      </fieldset>
    </>
  );
}

function Editor({
  application,
  initial,
}: {
  /** null: a new one. */
  readonly application: ResourceApplication | null;
  readonly initial: ResourceValues;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const client = useQueryClient();
  const navigate = useNavigate();
  const centres = useQuery(resourceCentresQuery(language));
  const software = useQuery(resourceSoftwareQuery(language));
  const form = useDraft<ResourceValues>(
    `resource-${application?.ID ?? 'new'}`,
    initial,
    application?.Version,
  );
  const values = form.values ?? initial;
  const saving = useMutation({
    mutationFn: () =>
      application === null
        ? createResource(bodyOf(values))
        : updateResource(application.ID, { ...bodyOf(values), Version: form.version }),
    onSuccess: async () => {
      form.forget();
      const isAgain = application?.Status !== ResourceApplyStatus.pending;
      toast('success', isAgain ? words.submitted : words.saved);
      await client.invalidateQueries({ queryKey: RESOURCE_KEY });
      void navigate({ to: paths.resourceProgress });
    },
    meta: { isHandled: true },
  });
  const errors = resourceErrors(values, messages);
  const own = application?.Software ?? null;
  const choices = (software.data ?? []).map(({ ID, Title }) => ({
    value: String(ID),
    label: Title,
  }));
  // One that is no longer in the catalogue stays what this application is for.
  const isListed = own === null || choices.some(({ value }) => value === String(own.ID));
  const isRejected = application?.Status === ResourceApplyStatus.rejected;
  const title = application === null ? words.issueTitle : words.editTitle;
  return (
    <>
      {isRejected ? (
        <div className="notice notice-warn resource-notice">
          <b>{words.reason}</b>
          <p>{application.Reason}</p>
          <p className="muted">{words.againHint}</p>
        </div>
      ) : null}
      <Form
        label={title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty && !saving.isSuccess}
        submit={
          application === null ? words.submit : isRejected ? words.submitAgain : messages.form.save
        }
        onSubmit={() => saving.mutate()}
        extra={
          <DraftActions
            failure={saving.error}
            isOld={isApiError(saving.error, 'resource_approved')}
            onReload={() => {
              form.forget();
              saving.reset();
              void client.invalidateQueries({ queryKey: RESOURCE_KEY });
            }}
          />
        }
      >
        <Fields
          values={values}
          errors={errors}
          centres={(centres.data ?? []).map(({ ID, Name }) => ({
            value: String(ID),
            label: Name,
          }))}
          software={
            isListed || own === null
              ? choices
              : [...choices, { value: String(own.ID), label: own.Title }]
          }
          onChange={form.change}
        />
      </Form>
    </>
  );
}

function Head({ title, lead }: { readonly title: string; readonly lead: string }): ReactNode {
  const { messages } = useLanguage();
  return (
    <>
      <Link to={paths.resourceProgress} className="text-link row">
        <LeftIcon />
        {messages.resource.backToProgress}
      </Link>
      <div className="page-head">
        <div>
          <PageTitle name={title}>{title}</PageTitle>
          <p className="muted">{lead}</p>
        </div>
      </div>
    </>
  );
}

function New(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const { session } = useLogin();
  const user = useQuery({ ...userQuery(session?.ID ?? 0), enabled: session != null });
  const centres = useQuery(resourceCentresQuery(language));
  const failed = [user, centres].find(({ error }) => error !== null);
  if (user.data === undefined || centres.data === undefined)
    return failed ? (
      <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 480 }} />
      </LoadingRegion>
    );
  if (centres.data.length === 0)
    return (
      <div className="card">
        <EmptyState title={words.noCentres} text={words.noCentresText}>
          <ButtonLink to={paths.resources}>{words.title}</ButtonLink>
        </EmptyState>
      </div>
    );
  const centreIDs = centres.data.map(({ ID }) => ID);
  return <Editor application={null} initial={newValuesOf(user.data, centreIDs)} />;
}

export function ResourceIssuePage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  return (
    <div className="wrap">
      <Head title={words.issueTitle} lead={words.issueLead} />
      <New />
    </div>
  );
}

export function ResourceEditPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const params: { readonly applyID?: string; readonly applyStatus?: string } = useParams({
    strict: false,
  });
  const applyID = readID(params.applyID);
  const answer = useQuery({
    ...resourceQuery(applyID ?? 0, language),
    enabled: applyID !== null,
  });
  if (applyID === null || isApiError(answer.error, 'not_found')) return <NotFoundView />;
  const application = answer.data;
  if (application === undefined)
    return (
      <div className="wrap">
        {answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 480 }} />
          </LoadingRegion>
        )}
      </div>
    );
  const state = stateOf(application.Status);
  // The state in an address is for the layout; what holds is the server's. Nothing typed is lost.
  if (params.applyStatus !== state)
    return <Navigate to={paths.resourceEdit(applyID, state)} replace ignoreBlocker />;
  return (
    <div className="wrap">
      <Head title={words.editTitle} lead={words.issueLead} />
      {application.Status === ResourceApplyStatus.approved ? (
        <div className="notice resource-notice">
          <p>{words.cannotEdit}</p>
          <ButtonLink to={paths.resourceAccount(applyID)}>{words.showAccount}</ButtonLink>
        </div>
      ) : (
        <Editor key={applyID} application={application} initial={valuesOf(application)} />
      )}
    </div>
  );
}
