/**
 * The staff's list of a kind of catalogue item: labs, software, courses, problems. What they all
 * have stands here once: the head, the list with its state, publishing, deleting, ordering.
 */
import type { Requirement } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { describeError, useMessages } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { OrderDialog } from '../../../ui/Order.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { DataTable, type Column, type Filter } from '../../../ui/table/DataTable.tsx';
import type { useList } from '../../../ui/table/use-list.ts';
import { mayStaff } from '../../admin/role.ts';
import type { ManagedItem } from './columns.tsx';

/** What happens when somebody publishes an item, or takes it back. */
export interface Publishing<Row> {
  readonly publish: (row: Row, isPublished: boolean) => Promise<{ readonly IsPublished: boolean }>;
  readonly published: string;
  readonly unpublished: string;
}

export interface Removing<Row> {
  readonly remove: (row: Row) => Promise<unknown>;
  /** What deleting means. */
  readonly text: string;
  /** What depends on the item, or goes with it. */
  readonly details?: (row: Row) => ReactNode;
  readonly may?: (row: Row) => boolean;
}

export interface Ordering {
  readonly need: Requirement;
  readonly save: (ids: number[]) => Promise<unknown>;
}

interface ItemsAdminProps<Row extends ManagedItem> {
  /** Names the export's file and the chosen columns. */
  readonly name: string;
  /** Of the page itself. */
  readonly to: string;
  readonly words: {
    readonly title: string;
    readonly lead: string;
    readonly create: string;
    readonly search: string;
  };
  readonly emptyText: string;
  readonly list: ReturnType<typeof useList<Row>>;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Filters before and after the one by state. */
  readonly before?: readonly Filter[];
  readonly after?: readonly Filter[];
  /** Where one is made; null for who may not. */
  readonly creation: string | null;
  readonly publishing?: Publishing<Row>;
  readonly removing: Removing<Row>;
  readonly ordering?: Ordering;
  /** Between publishing and deleting. */
  readonly actions?: (row: Row) => ReactNode;
  /** Reads again what shows the items. */
  readonly onChanged: () => unknown;
}

/** Deletes with a question before; a refusal closes the question and is told. */
function useRemoving<Row extends ManagedItem>(
  { remove, text, details }: Removing<Row>,
  onChanged: () => unknown,
): { readonly ask: (row: Row) => void; readonly dialog: ReactNode } {
  const messages = useMessages();
  const words = messages.admin.lab;
  const [asked, setAsked] = useState<Row | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: remove,
    onSuccess: () => void toast('success', words.deleted),
    onError: (error) => void toast('error', describeError(messages, error)),
    onSettled: () => {
      setAsked(null);
      return onChanged();
    },
    meta: { isHandled: true },
  });
  const dialog =
    asked === null ? null : (
      <ConfirmDialog
        title={words.deleteTitle(asked.Title)}
        text={text}
        confirm={messages.form.delete}
        isBusy={isPending}
        onConfirm={() => mutate(asked)}
        onClose={() => setAsked(null)}
      >
        {details?.(asked)}
      </ConfirmDialog>
    );
  return { ask: setAsked, dialog };
}

export function ItemsAdmin<Row extends ManagedItem>(props: ItemsAdminProps<Row>): ReactNode {
  const { words, list, publishing, removing, ordering, onChanged } = props;
  const messages = useMessages();
  const shared = messages.admin.lab;
  const session = useLogin().session ?? null;
  const [isOrdering, setOrdering] = useState(false);
  const deletion = useRemoving(removing, onChanged);
  const publication = useMutation({
    mutationFn: async (row: Row) => publishing?.publish(row, !row.IsPublished),
    onSuccess: (answer) => {
      if (answer === undefined || publishing === undefined) return undefined;
      toast('success', answer.IsPublished ? publishing.published : publishing.unpublished);
      return onChanged();
    },
  });
  const rows = list.page?.List ?? [];
  const mayOrder =
    ordering !== undefined && mayStaff(session, ordering.need) && list.search.sort === 'sequence';
  const state: Filter = {
    name: 'state',
    label: shared.state,
    options: [
      { value: 'published', label: shared.published },
      { value: 'draft', label: shared.draft },
    ],
  };
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <div className="row">
          {mayOrder && rows.length > 1 ? (
            <Button onClick={() => setOrdering(true)}>{shared.order}</Button>
          ) : null}
          {props.creation === null ? null : (
            <ButtonLink look="primary" to={props.creation}>
              {words.create}
            </ButtonLink>
          )}
        </div>
      </div>
      <DataTable
        {...list}
        name={props.name}
        label={words.title}
        to={props.to}
        columns={props.columns}
        filters={[...(props.before ?? []), state, ...(props.after ?? [])]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.search}
        emptyText={props.emptyText}
        actions={(row) => (
          <>
            {publishing ? (
              <Button
                isSmall
                isBusy={publication.isPending && publication.variables.ID === row.ID}
                onClick={() => publication.mutate(row)}
              >
                {row.IsPublished ? shared.unpublish : shared.publish}
              </Button>
            ) : null}
            {props.actions?.(row)}
            {(removing.may?.(row) ?? true) ? (
              <Button isSmall look="danger" onClick={() => deletion.ask(row)}>
                {messages.form.delete}
              </Button>
            ) : null}
          </>
        )}
      />
      {deletion.dialog}
      {isOrdering && ordering ? (
        <OrderDialog
          title={shared.order}
          text={shared.orderText}
          items={rows}
          keyOf={(row) => row.ID}
          nameOf={(row) => row.Title}
          save={ordering.save}
          onSaved={() => {
            setOrdering(false);
            toast('success', shared.orderSaved);
            void onChanged();
          }}
          onClose={() => setOrdering(false)}
        />
      ) : null}
    </>
  );
}
