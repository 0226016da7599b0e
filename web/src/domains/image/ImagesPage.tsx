/** Images: the list, and the ways to make one. */
import { SessionType, type Image } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatBytes, formatMoment } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { kindOf, paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { IMAGES_KEY, deleteImage, readImages } from './image.api.ts';
import { ImageState } from './ImageState.tsx';

const TYPES = Object.values(SessionType);
const STATES = ['ready', 'failed'] as const;
const SHAPE: ListShape = {
  sorts: ['latest', 'name', 'size'],
  filters: { type: TYPES.map(String), mine: ['true'], state: [...STATES] },
};

export function ImagesPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.image;
  const client = useQueryClient();
  const list = useList([...IMAGES_KEY, language], SHAPE, readImages, { isLive: true });
  const [deleting, setDeleting] = useState<Image | null>(null);
  const removing = useMutation({
    mutationFn: (image: Image) => deleteImage(image.ID),
    onSuccess: () => {
      setDeleting(null);
      toast('success', words.deleted);
      void client.invalidateQueries({ queryKey: IMAGES_KEY });
    },
    onError: (error) => {
      setDeleting(null);
      toast('error', describeError(messages, error));
    },
    meta: { isHandled: true },
  });
  const ownerText = (image: Image): string =>
    image.IsBuiltIn ? words.builtIn : (image.Owner ?? messages.common.unknown);
  const columns: [Column<Image>, ...Column<Image>[]] = [
    {
      key: 'name',
      title: words.name,
      sort: 'name',
      cell: (image) => (
        <Link to={paths.admin.image(image.ID)} className="text-link">
          {image.Title}
        </Link>
      ),
      text: (image) => image.Title,
    },
    {
      key: 'type',
      title: words.type,
      cell: (image) => messages.usage.types[image.Type],
      text: (image) => messages.usage.types[image.Type],
    },
    {
      key: 'state',
      title: words.state,
      cell: (image) => <ImageState image={image} />,
      text: (image) => words.states[image.State],
    },
    {
      key: 'size',
      title: words.size,
      isNumber: true,
      sort: 'size',
      cell: (image) =>
        image.SizeBytes === null ? messages.common.unknown : formatBytes(image.SizeBytes),
      text: (image) => (image.SizeBytes === null ? '' : String(image.SizeBytes)),
    },
    {
      key: 'version',
      title: words.version,
      isNumber: true,
      cell: (image) => (image.Version === 0 ? messages.common.unknown : image.Version),
      text: (image) => String(image.Version),
    },
    {
      key: 'visibility',
      title: words.visibility,
      cell: (image) => (image.IsPublic ? words.public : words.private),
      text: (image) => (image.IsPublic ? words.public : words.private),
    },
    { key: 'owner', title: words.owner, cell: ownerText, text: ownerText },
    {
      key: 'updated',
      title: words.updated,
      sort: 'latest',
      cell: (image) => formatMoment(image.UpdatedAt, language),
      text: (image) => image.UpdatedAt,
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <MenuButton
          label={words.create}
          look="primary"
          entries={TYPES.map((type) => ({
            key: String(type),
            label: words.createOf[type],
            to: paths.admin.imageCreation(kindOf(type)),
          }))}
        >
          {words.create}
          <ChevronDownIcon />
        </MenuButton>
      </div>
      <DataTable
        {...list}
        name="images"
        label={words.title}
        to={paths.admin.images}
        columns={columns}
        filters={[
          {
            name: 'type',
            label: words.type,
            options: TYPES.map((type) => ({
              value: String(type),
              label: messages.usage.types[type],
            })),
          },
          {
            name: 'state',
            label: words.state,
            options: STATES.map((state) => ({ value: state, label: words.states[state] })),
          },
          { name: 'mine', label: words.owner, options: [{ value: 'true', label: words.private }] },
        ]}
        keyOf={(image) => image.ID}
        nameOf={(image) => image.Title}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(image) =>
          image.MayEdit && !image.IsBuiltIn ? (
            <>
              <ButtonLink isSmall to={paths.admin.imageEdit(image.ID, kindOf(image.Type))}>
                {words.edit}
              </ButtonLink>
              <Button isSmall look="danger" onClick={() => setDeleting(image)}>
                {messages.form.delete}
              </Button>
            </>
          ) : null
        }
      />
      {deleting ? (
        <ConfirmDialog
          title={words.deleteTitle(deleting.Title)}
          text={words.deleteText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </>
  );
}
