/** One image: its state, what is in it, its versions, who uses it, its texts and its output. */
import type { ImageDetail } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatBytes, formatMoment } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { kindOf, paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import {
  IMAGES_KEY,
  chooseVersion,
  deleteImage,
  deleteVersion,
  imageLogQuery,
  imageQuery,
  isMoving,
  rebuildImage,
  updateImage,
} from './image.api.ts';
import { DependentList } from '../admin/DependentList.tsx';
import { mayStaff } from '../admin/role.ts';
import { ImageFields, imageErrors, type ImageValues } from './ImageFields.tsx';
import { ImageState } from './ImageState.tsx';
import '../../ui/order.css';
import './image.css';

/** Runs a change, tells a refusal in words, and reads the image anew. */
function useChange<T>(change: (value: T) => Promise<unknown>, onDone?: (value: T) => void) {
  const { messages } = useLanguage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, value) => {
      void client.invalidateQueries({ queryKey: IMAGES_KEY });
      onDone?.(value);
    },
    onError: (error) => void toast('error', describeError(messages, error)),
    meta: { isHandled: true },
  });
}

function Versions({ image }: { readonly image: ImageDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.image;
  const [deleting, setDeleting] = useState<ImageDetail['Versions'][number] | null>(null);
  const choosing = useChange(
    (version: ImageDetail['Versions'][number]) => chooseVersion(image.ID, version.ID),
    (version) => void toast('success', words.usedNow(version.Number)),
  );
  const removing = useChange((versionID: number) => deleteVersion(image.ID, versionID));
  return (
    <section aria-label={words.versions}>
      <div className="section-head">
        <h2>{words.versions}</h2>
      </div>
      <ul className="order">
        {image.Versions.map((version) => (
          <li key={version.ID}>
            <div className="order-item">
              <span className="row row-wrap image-version">
                <b>{words.versionNumber(version.Number)}</b>
                {version.IsCurrent ? <span className="tag">{words.current}</span> : null}
                <span className="muted">
                  {[
                    formatMoment(version.CreatedAt, language),
                    version.CreatedBy ?? '',
                    version.SizeBytes === null ? '' : formatBytes(version.SizeBytes),
                  ]
                    .filter((text) => text !== '')
                    .join(messages.common.dotSeparator)}
                </span>
              </span>
              {image.MayEdit && !version.IsCurrent ? (
                <span className="row">
                  <Button
                    isSmall
                    isBusy={choosing.isPending && choosing.variables.ID === version.ID}
                    onClick={() => choosing.mutate(version)}
                  >
                    {words.use}
                  </Button>
                  <Button isSmall look="danger" onClick={() => setDeleting(version)}>
                    {messages.form.delete}
                  </Button>
                </span>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      {deleting ? (
        <ConfirmDialog
          title={words.deleteVersion(deleting.Number)}
          text={words.deleteVersionText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting.ID, { onSettled: () => setDeleting(null) })}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </section>
  );
}

function Log({ image }: { readonly image: ImageDetail }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.image;
  const [isOpen, setOpen] = useState(isMoving(image));
  const { data, error } = useQuery({
    ...imageLogQuery(image.ID, isMoving(image)),
    enabled: isOpen,
  });
  return (
    <details
      className="image-log"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.log}</summary>
      {error ? <p className="red">{describeError(messages, error)}</p> : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>{data === undefined || data.Text === '' ? words.logEmpty : data.Text}</pre>
    </details>
  );
}

function TextsForm({ image }: { readonly image: ImageDetail }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.image;
  const form = useDraft<ImageValues>(`image-${image.ID}`, {
    TitleZh: image.TitleZh,
    TitleEn: image.TitleEn,
    DescriptionZh: image.DescriptionZh,
    DescriptionEn: image.DescriptionEn,
    IsPublic: image.IsPublic,
  });
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (values: ImageValues) => updateImage(image.ID, values),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: IMAGES_KEY });
      form.forget();
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const errors = imageErrors(values, messages);
  return (
    <section>
      <div className="section-head">
        <h2>{messages.form.edit}</h2>
      </div>
      <Form
        label={words.title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty}
        submit={messages.form.save}
        onSubmit={() => saving.mutate(values)}
      >
        <ImageFields values={values} errors={errors} onChange={form.change} />
      </Form>
    </section>
  );
}

export function ImagePage(): ReactNode {
  const params: { readonly imageID?: string } = useParams({ strict: false });
  const imageID = readID(params.imageID);
  return imageID === null ? <NotFoundView /> : <Content key={imageID} imageID={imageID} />;
}

function Content({ imageID }: { readonly imageID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.image;
  const navigate = useNavigate();
  const { session } = useLogin();
  const { data, error, refetch } = useQuery(imageQuery(imageID, language));
  const [asking, setAsking] = useState<'rebuild' | 'delete' | null>(null);
  const rebuilding = useChange(
    () => rebuildImage(imageID),
    () => void toast('success', words.rebuilding),
  );
  const removing = useChange(
    () => deleteImage(imageID),
    () => {
      toast('success', words.deleted);
      void navigate({ to: paths.admin.images });
    },
  );
  if (isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400 }} />
      </LoadingRegion>
    );
  }
  const close = (): void => setAsking(null);
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={data.Title}>{data.Title}</PageTitle>
          <p className="muted">
            {[
              messages.usage.types[data.Type],
              data.SizeBytes === null ? '' : formatBytes(data.SizeBytes),
              data.IsBuiltIn ? words.builtIn : (data.Owner ?? ''),
              data.IsPublic ? words.public : words.private,
            ]
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </p>
          {data.Description === '' ? null : <p>{data.Description}</p>}
        </div>
        <div className="row row-wrap">
          {data.MayEdit && data.IsBuiltIn ? (
            <Button isBusy={rebuilding.isPending} onClick={() => setAsking('rebuild')}>
              {words.rebuild}
            </Button>
          ) : null}
          {data.MayEdit && !data.IsBuiltIn ? (
            <>
              <ButtonLink to={paths.admin.imageEdit(data.ID, kindOf(data.Type))}>
                {words.edit}
              </ButtonLink>
              <Button look="danger" onClick={() => setAsking('delete')}>
                {messages.form.delete}
              </Button>
            </>
          ) : null}
        </div>
      </div>
      <div className="card image-state" aria-live="polite">
        <ImageState image={data} isLong />
      </div>
      <div className="image-columns">
        <div>
          {data.Versions.length > 0 ? <Versions image={data} /> : null}
          {data.MayEdit && !data.IsBuiltIn ? <TextsForm image={data} /> : null}
        </div>
        <div>
          {data.Versions.length > 0 ? (
            <section aria-label={words.contents}>
              <div className="section-head">
                <h2>{words.contents}</h2>
              </div>
              {data.Contents.length === 0 ? (
                <p className="muted">{words.contentsUnknown}</p>
              ) : (
                <dl className="image-contents">
                  {data.Contents.map((part) => (
                    <div key={part.Name}>
                      <dt>{part.Name}</dt>
                      <dd className="mono">{part.Version}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </section>
          ) : null}
          {data.MayEdit ? (
            <section aria-label={words.dependents}>
              <div className="section-head">
                <h2>{words.dependents}</h2>
              </div>
              {data.Dependents.length === 0 ? (
                <p className="muted">{words.noDependents}</p>
              ) : (
                <DependentList dependents={data.Dependents} />
              )}
            </section>
          ) : null}
        </div>
      </div>
      {data.MayEdit && mayStaff(session ?? null, ['setting.read']) ? <Log image={data} /> : null}
      {asking === 'rebuild' ? (
        <ConfirmDialog
          title={words.rebuild}
          text={words.rebuildText}
          confirm={words.rebuild}
          isBusy={rebuilding.isPending}
          onConfirm={() => rebuilding.mutate(undefined, { onSettled: close })}
          onClose={close}
        />
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title={words.deleteTitle(data.Title)}
          text={words.deleteText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(undefined, { onSettled: close })}
          onClose={close}
        />
      ) : null}
    </>
  );
}
