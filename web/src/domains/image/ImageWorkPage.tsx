/** Making an image: a real environment beside the form that commits it. */
import { TIMES, UsageStatus, type Image, type SessionType, type Usage } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { kindOf, paths, readID, typeOfKind } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { useRemaining } from '../usage/countdown.ts';
import { useUsage } from '../usage/watch.ts';
import { Workspace } from '../workspace/Workspace.tsx';
import { IMAGES_KEY, commitImage, imageQuery, imagesOfType, type CommitBody } from './image.api.ts';
import { EMPTY_IMAGE, ImageFields, imageErrors, type ImageValues } from './ImageFields.tsx';
import './image.css';

/** `/admin/image/creation/{kind}` */
export function ImageCreationPage(): ReactNode {
  const params: { readonly kind?: string } = useParams({ strict: false });
  const type = typeOfKind(params.kind);
  return type === null ? <NotFoundView /> : <Creation key={type} type={type} />;
}

function Creation({ type }: { readonly type: SessionType }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.image;
  const { data, error, refetch } = useQuery(imagesOfType(type, language));
  const [chosen, setChosen] = useState('');
  const [base, setBase] = useState<Image | null>(null);
  if (base !== null) return <Work base={base} target={null} />;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  const image = data.find(({ ID }) => String(ID) === chosen) ?? data[0];
  return (
    <div className="wrap wrap-narrow image-begin">
      <PageTitle name={words.createOf[type]}>{words.createOf[type]}</PageTitle>
      <p className="muted">{words.startText}</p>
      <SelectField
        label={words.base}
        value={image === undefined ? '' : String(image.ID)}
        options={data.map((one) => ({ value: String(one.ID), label: one.Title }))}
        hint={image?.Description}
        onChange={setChosen}
      />
      <div className="row">
        <Button
          look="primary"
          obstacle={image === undefined ? words.nothingToStart : null}
          onClick={() => setBase(image ?? null)}
        >
          {words.start}
        </Button>
        <ButtonLink to={paths.admin.images}>{messages.common.cancel}</ButtonLink>
      </div>
    </div>
  );
}

/** `/admin/image/{imageID}/edit/{kind}` */
export function ImageEditPage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly imageID?: string } = useParams({ strict: false });
  const imageID = readID(params.imageID);
  const { data, error, refetch } = useQuery({
    ...imageQuery(imageID ?? 0, language),
    enabled: imageID !== null,
    // What is being changed must not change under the form.
    refetchInterval: false,
  });
  if (imageID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  return data.MayEdit ? <Work key={data.ID} base={data} target={data} /> : <NotFoundView />;
}

/** @param target gets a new version; a new image is made without it */
function Work({
  base,
  target,
}: {
  readonly base: Image;
  readonly target: Image | null;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.image;
  const title = target === null ? words.createOf[base.Type] : target.Title;
  const path =
    target === null
      ? paths.admin.imageCreation(kindOf(base.Type))
      : paths.admin.imageEdit(target.ID, kindOf(base.Type));
  return (
    <Workspace
      title={title}
      back={{ to: paths.admin.images, label: messages.admin.back(words.title) }}
      documentLabel={words.commit}
      document={<CommitForm title={title} base={base} target={target} path={path} />}
      createBody={{
        RouteName: 'adminImage',
        RoutePath: path,
        ImageIDList: [base.ID],
      }}
      matches={(usage: Usage) => usage.RoutePath === path}
    />
  );
}

function CommitForm({
  title,
  base,
  target,
  path,
}: {
  readonly title: string;
  readonly base: Image;
  readonly target: Image | null;
  readonly path: string;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.image;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { state, usage } = useUsage();
  const remaining = useRemaining(state);
  const form = useDraft<ImageValues>(
    `image-commit-${target?.ID ?? kindOf(base.Type)}`,
    target === null
      ? EMPTY_IMAGE
      : {
          TitleZh: target.TitleZh,
          TitleEn: target.TitleEn,
          DescriptionZh: target.DescriptionZh,
          DescriptionEn: target.DescriptionEn,
          IsPublic: target.IsPublic,
        },
  );
  const committing = useMutation({
    mutationFn: (body: CommitBody) => commitImage(body),
    onSuccess: (image) => {
      form.forget();
      void client.invalidateQueries({ queryKey: IMAGES_KEY });
      toast('success', words.committed);
      void navigate({ to: paths.admin.image(image.ID) });
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const own = usage?.RoutePath === path ? usage : null;
  const isRunning = own !== null && own.Phase === 'ready' && own.Status === UsageStatus.running;
  const isLate = remaining !== null && remaining < TIMES.commitMarginSeconds;
  const obstacle = !isRunning ? words.commitNotRunning : isLate ? words.commitTooLate : null;
  const errors = imageErrors(values, messages);
  return (
    <div className="image-work">
      <PageTitle name={title}>{title}</PageTitle>
      <p>{words.workText}</p>
      <p className="muted">{words.rightsText}</p>
      <Form
        label={words.commit}
        errors={errors}
        failure={committing.error}
        isBusy={committing.isPending}
        isDirty={form.isDirty && !committing.isSuccess}
        obstacle={obstacle}
        submit={target === null ? words.commit : words.commitVersion}
        onSubmit={() =>
          own === null
            ? undefined
            : committing.mutate({
                ...values,
                UsageID: own.ID,
                ...(target === null ? {} : { ImageID: target.ID }),
              })
        }
      >
        <ImageFields values={values} errors={errors} onChange={form.change} />
      </Form>
    </div>
  );
}
