/** Domains, or the tags of one: their order, their colours, adding, changing, deleting. */
import { TEXT_LIMITS, type ManagedTag } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/form/fields.tsx';
import { Order } from '../../ui/Order.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { DependentList } from '../admin/DependentList.tsx';
import {
  MANAGED_DOMAINS_KEY,
  createTag,
  deleteTag,
  dependentsQuery,
  orderTags,
  updateTag,
} from './domain.api.ts';
import './domain.css';

/** Numbers of the palette. */
const COLOURS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;

/** A colour of the palette with its name, since a colour alone tells not everybody. */
export function Swatch({ color }: { readonly color: number }): ReactNode {
  return (
    <span className="swatch" style={{ background: `var(--tag-${color})` }} aria-hidden="true" />
  );
}

function ColourField({
  value,
  onChange,
}: {
  readonly value: number;
  readonly onChange: (value: number) => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.domain;
  const name = useId();
  return (
    <fieldset className="field field-choices">
      <legend className="field-label">{words.colour}</legend>
      <div className="row row-wrap">
        {COLOURS.map((color) => (
          <label key={color} className="choice">
            <input
              type="radio"
              name={name}
              checked={value === color}
              onChange={() => onChange(color)}
            />
            <Swatch color={color} />
            {words.colours[color]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface LevelProps {
  /** The domain of the tags; null for the domains themselves. */
  readonly domainID: number | null;
}

/** Everything that shows domains or tags is read again. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [
      MANAGED_DOMAINS_KEY,
      ['domain'],
      ['lab'],
      ['software'],
      ['course'],
      ['problem'],
    ])
      void client.invalidateQueries({ queryKey });
  };
}

export function EditDialog({
  domainID,
  tag,
  onClose,
}: LevelProps & { readonly tag: ManagedTag | null; readonly onClose: () => void }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.domain;
  const refresh = useRefresh();
  const [title, setTitle] = useState(tag?.TitleZh ?? '');
  const [titleEn, setTitleEn] = useState(tag?.TitleEn ?? '');
  const [color, setColor] = useState(tag?.Color ?? 1);
  const [hasTried, setTried] = useState(false);
  const errorOf = (text: string, isRequired: boolean): string | null => {
    if (isRequired && text.trim() === '') return messages.form.required(words.name);
    return Array.from(text.trim()).length > TEXT_LIMITS.tagName
      ? messages.form.tooLong(words.name, TEXT_LIMITS.tagName)
      : null;
  };
  const [titleError, titleEnError] = [errorOf(title, true), errorOf(titleEn, false)];
  const saving = useMutation({
    mutationFn: async () => {
      const body = { TitleZh: title.trim(), TitleEn: titleEn.trim(), Color: color };
      await (tag === null
        ? createTag(domainID, body)
        : updateTag(domainID, tag.ID, { ...body, Version: tag.Version }));
    },
    onSuccess: () => {
      toast('success', messages.form.saved);
      refresh();
      onClose();
    },
    onError: (error) => {
      if (isApiError(error, 'changed_meanwhile') || isApiError(error, 'not_found')) refresh();
    },
    meta: { isHandled: true },
  });
  const heading =
    tag === null
      ? domainID === null
        ? words.createTitle
        : words.createTag
      : words.editTitle(tag.Title);
  return (
    <Dialog title={heading} onClose={onClose}>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (titleError === null && titleEnError === null && !saving.isPending) saving.mutate();
        }}
      >
        <LineField
          label={messages.form.inChinese(words.name)}
          value={title}
          max={TEXT_LIMITS.tagName}
          isRequired
          error={hasTried ? titleError : null}
          onChange={setTitle}
        />
        <LineField
          label={messages.form.inEnglish(words.name)}
          hint={messages.form.englishHint}
          value={titleEn}
          max={TEXT_LIMITS.tagName}
          error={hasTried ? titleEnError : null}
          onChange={setTitleEn}
        />
        <ColourField value={color} onChange={setColor} />
        {saving.error ? (
          <p className="notice notice-bad" role="alert">
            {describeError(messages, saving.error)}
          </p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{messages.common.cancel}</Button>
          <Button look="primary" type="submit" isBusy={saving.isPending}>
            {tag === null ? messages.form.create : messages.form.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({
  domainID,
  tag,
  onClose,
}: LevelProps & { readonly tag: ManagedTag; readonly onClose: () => void }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.domain;
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery(dependentsQuery(domainID, tag.ID));
  const removing = useMutation({
    mutationFn: () => deleteTag(domainID, tag.ID),
    onSuccess: () => {
      toast('success', words.deleted);
      refresh();
      onClose();
    },
    meta: { isHandled: true },
  });
  return (
    <Dialog title={words.deleteTitle(tag.Title)} onClose={onClose}>
      <p>{domainID === null ? words.deleteDomainText : words.deleteTagText}</p>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : data.List.length === 0 ? (
        <p className="muted">{words.unused}</p>
      ) : (
        <>
          <p>{words.usedBy(data.Total)}</p>
          <DependentList dependents={data.List} />
        </>
      )}
      {removing.error ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, removing.error)}
        </p>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="danger-solid"
          isBusy={removing.isPending || data === undefined}
          onClick={() => removing.mutate()}
        >
          {messages.form.delete}
        </Button>
      </div>
    </Dialog>
  );
}

export function TagList<T extends ManagedTag>({
  domainID,
  label,
  tags,
  extra,
}: LevelProps & {
  readonly label: string;
  readonly tags: readonly T[];
  /** What else stands beside one. */
  readonly extra?: (tag: T) => ReactNode;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.domain;
  const refresh = useRefresh();
  const [editing, setEditing] = useState<T | null>(null);
  const [deleting, setDeleting] = useState<T | null>(null);
  /** The order that is being saved, shown before the server has it. */
  const [wanted, setWanted] = useState<readonly T[] | null>(null);
  const client = useQueryClient();
  const ordering = useMutation({
    mutationFn: (items: readonly T[]) =>
      orderTags(
        domainID,
        items.map(({ ID }) => ID),
      ),
    onSuccess: () => toast('success', words.orderSaved),
    onError: (error) => void toast('error', describeError(messages, error)),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: MANAGED_DOMAINS_KEY });
      setWanted(null);
      refresh();
    },
    meta: { isHandled: true },
  });
  return (
    <>
      <Order
        label={label}
        items={wanted ?? tags}
        keyOf={(tag) => tag.ID}
        nameOf={(tag) => tag.Title}
        isBusy={ordering.isPending}
        onOrder={(items) => {
          setWanted(items);
          ordering.mutate(items);
        }}
        render={(tag) => (
          <div className="row row-apart tag-row">
            <span className="row">
              <Swatch color={tag.Color} />
              <b>{tag.Title}</b>
              <span className="muted">{words.uses(tag.Uses)}</span>
            </span>
            <span className="row">
              {extra?.(tag)}
              <Button
                isSmall
                look="quiet"
                aria-label={words.editNamed(tag.Title)}
                onClick={() => setEditing(tag)}
              >
                {words.edit}
              </Button>
              <Button
                isSmall
                look="danger"
                aria-label={words.deleteNamed(tag.Title)}
                onClick={() => setDeleting(tag)}
              >
                {messages.form.delete}
              </Button>
            </span>
          </div>
        )}
      />
      {editing ? (
        <EditDialog domainID={domainID} tag={editing} onClose={() => setEditing(null)} />
      ) : null}
      {deleting ? (
        <DeleteDialog domainID={domainID} tag={deleting} onClose={() => setDeleting(null)} />
      ) : null}
    </>
  );
}
