/** The resources of a lab: uploading, what is inside, order. */
import {
  ResourceType,
  SIZE_LIMITS,
  TEXT_LIMITS,
  routes,
  type LabResource,
  type ManagedLab,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { formatBytes } from '../../../kernel/format.ts';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { toast } from '../../../kernel/toasts.ts';
import { upload } from '../../../kernel/upload.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/Dialog.tsx';
import { FileField, LineField, SelectField } from '../../../ui/form/fields.tsx';
import { Order } from '../../../ui/Order.tsx';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import { labResourcesQuery } from '../lab.api.ts';
import { MANAGED_LABS_KEY, deleteResource, orderResources, readEntries } from './lab-admin.api.ts';
import { LabFrame } from './LabFrame.tsx';

export const LabResourcesPage = (): ReactNode => (
  <LabFrame tab="resource">{(lab) => <Resources lab={lab} />}</LabFrame>
);

function UploadForm({
  lab,
  onDone,
}: {
  readonly lab: ManagedLab;
  readonly onDone: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const [type, setType] = useState<string>(String(ResourceType.code));
  const [title, setTitle] = useState('');
  const [titleEn, setTitleEn] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [hasTried, setTried] = useState(false);
  const [share, setShare] = useState(0);
  const sending = useMutation({
    mutationFn: ({ of, replace }: { of: File; replace: boolean }) => {
      setShare(0);
      return upload(routes.uploadLabResource, {
        params: { labID: lab.ID },
        query: {
          type,
          title: title.trim(),
          titleEn: titleEn.trim(),
          replace: String(replace) as 'true',
        },
        file: of,
        onProgress: setShare,
      });
    },
    onSuccess: () => {
      toast('success', messages.form.saved);
      setTitle('');
      setTitleEn('');
      setFile(null);
      setTried(false);
      onDone();
    },
    meta: { isHandled: true },
  });
  const titleError =
    title.trim() === ''
      ? messages.form.required(words.resourceTitle)
      : Array.from(title).length > TEXT_LIMITS.resourceTitle
        ? messages.form.tooLong(words.resourceTitle, TEXT_LIMITS.resourceTitle)
        : null;
  const exists = isApiError(sending.error, 'file_exists');
  return (
    <form
      className="form card upload-form"
      aria-label={words.addResource}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (file !== null && titleError === null && !sending.isPending)
          sending.mutate({ of: file, replace: false });
      }}
    >
      <div className="form-grid">
        <LineField
          label={messages.form.inChinese(words.resourceTitle)}
          value={title}
          max={TEXT_LIMITS.resourceTitle}
          isRequired
          error={hasTried ? titleError : null}
          onChange={setTitle}
        />
        <LineField
          label={messages.form.inEnglish(words.resourceTitle)}
          hint={messages.form.englishHint}
          value={titleEn}
          max={TEXT_LIMITS.resourceTitle}
          onChange={setTitleEn}
        />
        <SelectField
          label={words.resourceType}
          value={type}
          options={Object.values(ResourceType).map((one) => ({
            value: String(one),
            label: words.resourceTypes[one],
          }))}
          onChange={setType}
        />
      </div>
      <FileField
        label={words.file}
        choose={words.chooseFile}
        file={file}
        hint={words.fileHint(formatBytes(SIZE_LIMITS.upload))}
        error={hasTried && file === null ? words.chooseFile : null}
        onChange={(chosen) => {
          if (chosen === null) return;
          setFile(chosen);
          if (title === '') setTitle(chosen.name.slice(0, TEXT_LIMITS.resourceTitle));
        }}
      />
      {sending.isPending ? (
        <output className="upload-bar">
          <progress max={1} value={share} aria-label={words.addResource} />
          <span className="muted">
            {share < 1 ? words.uploading(Math.floor(share * 100)) : words.unpacking}
          </span>
        </output>
      ) : null}
      {sending.error && !exists ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, sending.error)}
        </p>
      ) : null}
      <div className="form-actions">
        <Button look="primary" type="submit" isBusy={sending.isPending}>
          {words.addResource}
        </Button>
      </div>
      {exists && file !== null ? (
        <ConfirmDialog
          title={words.replaceTitle}
          text={words.replaceText}
          confirm={words.replace}
          isBusy={sending.isPending}
          onConfirm={() => sending.mutate({ of: file, replace: true })}
          onClose={() => sending.reset()}
        />
      ) : null}
    </form>
  );
}

function EntriesDialog({
  lab,
  resource,
  onClose,
}: {
  readonly lab: ManagedLab;
  readonly resource: LabResource;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const { data, error } = useQuery({
    queryKey: [...MANAGED_LABS_KEY, 'entries', lab.ID, resource.ID],
    queryFn: ({ signal }) => readEntries(lab.ID, resource.ID, signal),
    meta: { isHandled: true },
  });
  return (
    <Dialog title={messages.admin.lab.entriesOf(resource.Title)} isWide onClose={onClose}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} />
        ) : (
          <LoadingRegion />
        )
      ) : (
        <ul className="entry-list">
          {data.map((entry) => (
            <li key={entry.Path}>
              <span className="mono">{entry.Path}</span>
              <span className="muted num">{formatBytes(entry.SizeBytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Resources({ lab }: { readonly lab: ManagedLab }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const query = labResourcesQuery(lab.ID);
  const { data, error, refetch } = useQuery(query);
  const [shown, setShown] = useState<LabResource | null>(null);
  const [deleting, setDeleting] = useState<LabResource | null>(null);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
    void client.invalidateQueries({ queryKey: query.queryKey });
  };
  const ordering = useMutation({
    mutationFn: (resources: readonly LabResource[]) =>
      orderResources(
        lab.ID,
        resources.map(({ ID }) => ID),
      ),
    onSuccess: () => void toast('success', words.orderSaved),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: (resource: LabResource) => deleteResource(lab.ID, resource.ID),
    onSuccess: () => {
      toast('success', words.deleted);
      refresh();
    },
    onSettled: () => setDeleting(null),
  });
  return (
    <section aria-label={words.resources}>
      <UploadForm lab={lab} onDone={refresh} />
      <div className="section-head">
        <h2>{words.resources}</h2>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : (
        <>
          {data.length === 0 ? <p className="muted">{words.noResources}</p> : null}
          <Order
            label={words.resources}
            items={data}
            keyOf={(resource) => resource.ID}
            nameOf={(resource) => resource.Title}
            isBusy={ordering.isPending}
            onOrder={(resources) => ordering.mutate(resources)}
            render={(resource) => (
              <>
                <span>
                  <b>{resource.Title}</b>{' '}
                  <span className="muted">
                    {[
                      words.resourceTypes[resource.Type],
                      resource.Path,
                      formatBytes(resource.SizeBytes),
                    ].join(messages.common.dotSeparator)}
                  </span>
                </span>
                <span className="row">
                  <Button isSmall onClick={() => setShown(resource)}>
                    {words.entries}
                  </Button>
                  <Button isSmall look="danger" onClick={() => setDeleting(resource)}>
                    {messages.form.delete}
                  </Button>
                </span>
              </>
            )}
          />
        </>
      )}
      {shown ? <EntriesDialog lab={lab} resource={shown} onClose={() => setShown(null)} /> : null}
      {deleting ? (
        <ConfirmDialog
          title={words.deleteResource(deleting.Title)}
          text={words.deleteResourceText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </section>
  );
}
