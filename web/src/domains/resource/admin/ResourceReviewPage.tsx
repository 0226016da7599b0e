/** An application as its centre reviews it. */
import { ResourceApplyStatus, TEXT_LIMITS, type ManagedResource } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { AreaField } from '../../../ui/form/fields.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { RESOURCE_KEY, rejectResource } from '../resource.api.ts';
import { stateOf } from '../resource.ts';
import { ResourceFacts, ResourceHistory } from '../ResourceFacts.tsx';
import { StateBadge } from '../StateBadge.tsx';
import { BackLink, ManagedApplication } from './managed.tsx';
import '../resource.css';

function RejectDialog({
  application,
  onClose,
}: {
  readonly application: ManagedResource;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [hasTried, setTried] = useState(false);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: RESOURCE_KEY });
  const rejecting = useMutation({
    mutationFn: () =>
      rejectResource(application.ID, { Reason: reason.trim(), Version: application.Version }),
    onSuccess: () => {
      toast('success', words.rejectedNow);
      onClose();
      void refresh();
    },
    meta: { isHandled: true },
  });
  const isMissing = reason.trim() === '';
  const isTooLong = Array.from(reason.trim()).length > TEXT_LIMITS.applyReason;
  const problem = isMissing
    ? messages.form.required(words.rejectReason)
    : isTooLong
      ? messages.form.tooLong(words.rejectReason, TEXT_LIMITS.applyReason)
      : null;
  const isOld =
    isApiError(rejecting.error, 'changed_meanwhile') ||
    isApiError(rejecting.error, 'application_not_waiting');
  return (
    <Dialog title={words.rejectTitle(application.Project)} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (problem === null && !rejecting.isPending) rejecting.mutate();
        }}
      >
        <AreaField
          label={words.rejectReason}
          hint={words.rejectHint}
          value={reason}
          max={TEXT_LIMITS.applyReason}
          isRequired
          error={hasTried ? problem : null}
          onChange={setReason}
        />
        {rejecting.error ? (
          <div className="notice notice-bad" role="alert">
            {describeError(messages, rejecting.error)}
          </div>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{messages.common.cancel}</Button>
          {isOld ? (
            <Button
              onClick={() => {
                rejecting.reset();
                void refresh();
              }}
            >
              {messages.form.reload}
            </Button>
          ) : null}
          <Button look="danger-solid" type="submit" isBusy={rejecting.isPending}>
            {words.rejectConfirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Review({ application }: { readonly application: ManagedResource }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const [isRejecting, setRejecting] = useState(false);
  const { ID, Project, Status, Reason } = application;
  const accountPath = paths.admin.resourceAccount(ID, stateOf(Status));
  return (
    <>
      <BackLink to={paths.admin.resources}>{words.allResources}</BackLink>
      <div className="page-head">
        <div className="resource-head">
          <PageTitle name={Project}>{Project}</PageTitle>
          <StateBadge status={Status} words={words.adminStatuses} />
        </div>
        <div className="row">
          {Status === ResourceApplyStatus.pending ? (
            <>
              <Button look="danger" onClick={() => setRejecting(true)}>
                {words.reject}
              </Button>
              <ButtonLink look="primary" to={accountPath}>
                {words.fillIn}
              </ButtonLink>
            </>
          ) : null}
          {Status === ResourceApplyStatus.approved ? (
            <ButtonLink to={accountPath}>{words.updateAccount}</ButtonLink>
          ) : null}
        </div>
      </div>
      {Reason === null ? null : (
        <div className="notice notice-bad resource-notice">
          <b>{words.rejectReason}</b>
          <p>{Reason}</p>
        </div>
      )}
      <section className="card resource-item" aria-label={words.facts}>
        <ResourceFacts application={application} username={application.Username} />
      </section>
      <section aria-labelledby="resource-history">
        <div className="section-head">
          <h2 id="resource-history">{words.history}</h2>
        </div>
        <ResourceHistory history={application.History} />
      </section>
      {isRejecting && Status === ResourceApplyStatus.pending ? (
        <RejectDialog application={application} onClose={() => setRejecting(false)} />
      ) : null}
    </>
  );
}

export const ResourceReviewPage = (): ReactNode => (
  <ManagedApplication addressOf={paths.admin.resource}>
    {(application) => <Review application={application} />}
  </ManagedApplication>
);
