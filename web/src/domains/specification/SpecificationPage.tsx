/** One specification: its fields, and its nodes in their order. */
import {
  COUNT_LIMITS,
  NODE_LIMITS,
  NODE_NAME_PATTERN,
  TEXT_LIMITS,
  type Specification,
  type SpecificationNode,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { LineField, NumberField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Order } from '../../ui/Order.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { isApiError } from '../../kernel/api.ts';
import { imagesOfType } from '../image/image.api.ts';
import {
  SPECIFICATIONS_KEY,
  deleteNode,
  orderNodes,
  saveNode,
  specificationQuery,
  updateSpecification,
} from './specification.api.ts';
import { SpecificationForm } from './SpecificationForm.tsx';

const MEBIBYTE = 1024 * 1024;

interface NodeValues {
  readonly Name: string;
  readonly Cpus: string;
  readonly MemoryMiB: string;
  readonly DiskMiB: string;
  readonly ImageID: string;
}

const valuesOf = (node: SpecificationNode | null, number: number): NodeValues =>
  node === null
    ? { Name: `node${number}`, Cpus: '1', MemoryMiB: '1024', DiskMiB: '2048', ImageID: '' }
    : {
        Name: node.Name,
        Cpus: String(node.Cpus),
        MemoryMiB: String(node.MemoryBytes / MEBIBYTE),
        DiskMiB: String(node.DiskBytes / MEBIBYTE),
        ImageID: String(node.ImageID),
      };

/** Whether a text is a number within bounds. */
const isWithin = (text: string, min: number, max: number): boolean =>
  text.trim() !== '' && Number(text) >= min && Number(text) <= max;

function NodeDialog({
  specification,
  node,
  onSaved,
  onClose,
}: {
  readonly specification: Specification;
  readonly node: SpecificationNode | null;
  readonly onSaved: (changed: Specification) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.specification;
  const images = useQuery(imagesOfType(specification.ImageType, language));
  const form = useDraft<NodeValues>(
    `node-${specification.ID}-${node?.ID ?? 'new'}`,
    valuesOf(node, specification.Nodes.length + 1),
  );
  const saving = useMutation({
    mutationFn: (values: NodeValues) =>
      saveNode(specification.ID, node?.ID ?? null, {
        Name: values.Name,
        Cpus: Number(values.Cpus),
        MemoryBytes: Math.round(Number(values.MemoryMiB) * MEBIBYTE),
        DiskBytes: Math.round(Number(values.DiskMiB) * MEBIBYTE),
        ImageID: Number(values.ImageID),
      }),
    onSuccess: (changed) => {
      form.forget();
      onSaved(changed);
    },
    meta: { isHandled: true },
  });
  const drafted = form.values;
  if (drafted === undefined) return null;
  // The first image stands for none chosen, as the field shows it.
  const values = {
    ...drafted,
    ImageID: drafted.ImageID || String(images.data?.[0]?.ID ?? ''),
  };
  const errors: Record<string, string> = {};
  if (!NODE_NAME_PATTERN.test(values.Name)) errors['Name'] = messages.form.invalid(words.nodeName);
  const range = (
    key: 'Cpus' | 'MemoryMiB' | 'DiskMiB',
    label: string,
    min: number,
    max: number,
  ): void => {
    if (!isWithin(values[key], min, max))
      errors[key] = messages.form.outOfRange(label, String(min), String(max));
  };
  const memory = {
    min: NODE_LIMITS.memoryMin / MEBIBYTE,
    max: NODE_LIMITS.memoryMax / MEBIBYTE,
  };
  const disk = { min: NODE_LIMITS.diskMin / MEBIBYTE, max: NODE_LIMITS.diskMax / MEBIBYTE };
  range('Cpus', words.nodeCpus, NODE_LIMITS.cpusMin, NODE_LIMITS.cpusMax);
  range('MemoryMiB', words.nodeMemory, memory.min, memory.max);
  range('DiskMiB', words.nodeDisk, disk.min, disk.max);
  if (values.ImageID === '') errors['ImageID'] = messages.form.required(words.nodeImage);
  return (
    <Dialog
      title={node === null ? words.addNode : words.editNode(node.Name)}
      isWide
      onClose={onClose}
    >
      <Form
        label={words.nodes}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty}
        submit={messages.form.save}
        onSubmit={() => saving.mutate(values)}
      >
        <LineField
          label={words.nodeName}
          hint={words.nodeNameHint}
          value={values.Name}
          max={TEXT_LIMITS.nodeName}
          isRequired
          error={errors['Name'] ?? null}
          onChange={(Name) => form.change({ Name })}
        />
        <SelectField
          label={words.nodeImage}
          value={values.ImageID}
          options={(images.data ?? []).map((image) => ({
            value: String(image.ID),
            label: image.Title,
          }))}
          error={errors['ImageID'] ?? null}
          onChange={(ImageID) => form.change({ ImageID })}
        />
        <div className="form-grid">
          <NumberField
            label={words.nodeCpus}
            min={NODE_LIMITS.cpusMin}
            max={NODE_LIMITS.cpusMax}
            step={0.1}
            value={values.Cpus}
            error={errors['Cpus'] ?? null}
            onChange={(Cpus) => form.change({ Cpus })}
          />
          <NumberField
            label={words.nodeMemory}
            unit="MiB"
            min={memory.min}
            max={memory.max}
            value={values.MemoryMiB}
            error={errors['MemoryMiB'] ?? null}
            onChange={(MemoryMiB) => form.change({ MemoryMiB })}
          />
          <NumberField
            label={words.nodeDisk}
            unit="MiB"
            min={disk.min}
            max={disk.max}
            value={values.DiskMiB}
            error={errors['DiskMiB'] ?? null}
            onChange={(DiskMiB) => form.change({ DiskMiB })}
          />
        </div>
      </Form>
    </Dialog>
  );
}

function Nodes({
  specification,
  onChanged,
}: {
  readonly specification: Specification;
  readonly onChanged: (changed: Specification) => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.specification;
  /** A node, `new`, or nothing being edited. */
  const [editing, setEditing] = useState<SpecificationNode | 'new' | null>(null);
  const [deleting, setDeleting] = useState<SpecificationNode | null>(null);
  const ordering = useMutation({
    mutationFn: (ids: number[]) => orderNodes(specification.ID, ids),
    onSuccess: (changed) => {
      onChanged(changed);
      toast('success', words.orderSaved);
    },
  });
  const removing = useMutation({
    mutationFn: (node: SpecificationNode) => deleteNode(specification.ID, node.ID),
    onSuccess: (changed) => {
      setDeleting(null);
      onChanged(changed);
    },
    onError: (error) => {
      setDeleting(null);
      toast('error', describeError(messages, error));
    },
    meta: { isHandled: true },
  });
  const isFull = specification.Nodes.length >= COUNT_LIMITS.nodesPerSpecification;
  return (
    <section aria-label={words.nodes}>
      <div className="section-head">
        <h2>{words.nodes}</h2>
        {specification.MayEdit ? (
          <Button
            isSmall
            obstacle={isFull ? words.tooMany(COUNT_LIMITS.nodesPerSpecification) : null}
            onClick={() => setEditing('new')}
          >
            {words.addNode}
          </Button>
        ) : null}
      </div>
      {specification.Nodes.length === 0 ? <p className="muted">{words.noNodes}</p> : null}
      <Order
        label={words.nodes}
        items={specification.Nodes}
        keyOf={(node) => node.ID}
        nameOf={(node) => node.Name}
        isFixed={!specification.MayEdit}
        isBusy={ordering.isPending}
        onOrder={(nodes) => ordering.mutate(nodes.map((node) => node.ID))}
        render={(node, index) => (
          <>
            <div>
              <div className="row">
                <b className="mono">{node.Name}</b>
                {index === 0 ? <span className="tag">{words.first}</span> : null}
              </div>
              <div className="muted">
                {[
                  messages.common.cpus(node.Cpus),
                  formatBytes(node.MemoryBytes),
                  `${words.nodeDisk} ${formatBytes(node.DiskBytes)}`,
                  node.Image,
                ].join(messages.common.dotSeparator)}
              </div>
            </div>
            {specification.MayEdit ? (
              <span className="row">
                <Button
                  isSmall
                  aria-label={words.editNode(node.Name)}
                  onClick={() => setEditing(node)}
                >
                  {messages.form.edit}
                </Button>
                <Button
                  isSmall
                  look="danger"
                  aria-label={words.deleteNode(node.Name)}
                  onClick={() => setDeleting(node)}
                >
                  {messages.form.delete}
                </Button>
              </span>
            ) : null}
          </>
        )}
      />
      {editing === null ? null : (
        <NodeDialog
          specification={specification}
          node={editing === 'new' ? null : editing}
          onSaved={(changed) => {
            setEditing(null);
            onChanged(changed);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting ? (
        <ConfirmDialog
          title={words.deleteNode(deleting.Name)}
          text={words.deleteNodeText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </section>
  );
}

export function SpecificationPage(): ReactNode {
  const params: { readonly specificationID?: string } = useParams({ strict: false });
  const specificationID = readID(params.specificationID);
  return specificationID === null ? (
    <NotFoundView />
  ) : (
    <Content key={specificationID} specificationID={specificationID} />
  );
}

function Content({ specificationID }: { readonly specificationID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.specification;
  const client = useQueryClient();
  const query = specificationQuery(specificationID, language);
  const { data, error, refetch } = useQuery(query);
  const accept = (changed: Specification): void => {
    client.setQueryData(query.queryKey, changed);
    void client.invalidateQueries({
      queryKey: SPECIFICATIONS_KEY,
      predicate: ({ queryKey }) => queryKey[1] !== 'one',
    });
  };
  const saving = useMutation({
    mutationFn: (body: Parameters<typeof updateSpecification>[1]) =>
      updateSpecification(specificationID, body),
    onSuccess: (changed) => {
      accept(changed);
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
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
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={data.Name}>{data.Name}</PageTitle>
          <p className="muted">
            {[
              messages.usage.types[data.ImageType],
              data.IsBuiltIn ? words.builtIn : (data.Owner ?? ''),
            ]
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </p>
        </div>
        {data.Nodes.length > 0 ? (
          <ButtonLink to={paths.admin.specificationPreview(data.ID)} title={words.previewHint}>
            {words.preview}
          </ButtonLink>
        ) : null}
      </div>
      <Nodes specification={data} onChanged={accept} />
      {data.MayEdit ? (
        <section>
          <div className="section-head">
            <h2>{messages.form.edit}</h2>
          </div>
          <SpecificationForm
            draftKey={`specification-${data.ID}`}
            saved={{
              NameZh: data.NameZh,
              NameEn: data.NameEn,
              ImageType: String(data.ImageType),
              IsShared: data.IsShared,
              Minutes: String(data.LifetimeSeconds / 60),
            }}
            isNew={false}
            isBusy={saving.isPending}
            failure={saving.error}
            onSave={({ ImageType: _fixed, ...body }, forget) =>
              saving.mutate(body, { onSuccess: forget })
            }
          />
        </section>
      ) : null}
    </>
  );
}
