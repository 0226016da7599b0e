/** A section of the settings: what holds and who set it, its form, and the way back. */
import {
  SITE_LIMITS,
  type SecretState,
  type SettingGroup,
  type SettingGroups,
} from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { describeError, useLanguage, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { useToldError } from '../../ui/form/told.ts';
import { resetSettings, settingsQuery, showGroups } from './setting.api.ts';
import type { FieldErrors } from './values.ts';

/** Where the in-page navigation leads. */
export const sectionID = (group: SettingGroup): string => `setting-${group}`;

const NONE = {};
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The values of a section. What was typed is kept field by field, so that the fields that nobody
 * touched follow the server when somebody else saves meanwhile.
 */
function useChanges<T extends object>(group: SettingGroup, saved: T) {
  const draft = useDraft<Partial<T>>(`settings.${group}`, NONE);
  const changes = draft.values ?? NONE;
  return {
    values: { ...saved, ...changes },
    isDirty: Object.entries(changes).some(([key, value]) => !isSame(value, saved[key as keyof T])),
    change: draft.change,
    forget: draft.forget,
  };
}

export interface SectionState<T> {
  readonly values: T;
  readonly errors: FieldErrors;
  readonly change: (change: Partial<T>) => void;
  /** As it is being typed; empty: it stays as it is. */
  readonly secret: string;
  readonly setSecret: (secret: string) => void;
  readonly isDirty: boolean;
}

interface SectionProps<G extends SettingGroup, T extends object> {
  readonly group: G;
  readonly title: string;
  readonly lead: string;
  readonly state: SettingGroups[G];
  readonly isReadOnly: boolean;
  /** The values as they stand in the fields. */
  readonly texts: T;
  readonly errorsOf: (values: T) => FieldErrors;
  /** `secret` is what was typed; undefined when nothing was. */
  readonly save: (
    values: T,
    version: number,
    secret: string | undefined,
  ) => Promise<SettingGroups[G]>;
  readonly children: (section: SectionState<T>) => ReactNode;
  /** Stands below the form. */
  readonly after?: (section: SectionState<T>) => ReactNode;
}

export function Section<G extends SettingGroup, T extends object>({
  group,
  title,
  lead,
  state,
  isReadOnly,
  texts,
  errorsOf,
  save,
  children,
  after,
}: SectionProps<G, T>): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.setting;
  const client = useQueryClient();
  const draft = useChanges<T>(group, texts);
  // Never in a draft: those are kept by the browser.
  const [secret, setSecret] = useState('');
  const [isResetting, setResetting] = useState(false);
  const forget = (): void => {
    draft.forget();
    setSecret('');
  };
  /** Tells of a change meanwhile, and loads it. */
  const meet = async (failure: unknown): Promise<void> => {
    if (!isApiError(failure, 'changed_meanwhile')) return;
    toast('warning', words.changedMeanwhile);
    await client.invalidateQueries({ queryKey: settingsQuery.queryKey });
  };
  const saving = useMutation({
    mutationFn: () => save(draft.values, state.Version, secret === '' ? undefined : secret),
    onSuccess: (answer) => {
      forget();
      showGroups(client, { [group]: answer });
      toast('success', messages.form.saved);
    },
    onError: meet,
    meta: { isHandled: true },
  });
  const resetting = useMutation({
    mutationFn: () => resetSettings(group, state.Version),
    onSuccess: ({ Groups }) => {
      forget();
      showGroups(client, { [group]: Groups[group] });
      toast('success', words.resetDone);
    },
    onError: async (failure) => {
      if (isApiError(failure, 'changed_meanwhile')) await meet(failure);
      else toast('error', describeError(messages, failure));
    },
    onSettled: () => setResetting(false),
    meta: { isHandled: true },
  });
  // What is shown is new already and what was typed is still there: nothing needs to be loaded again.
  const isOvertaken = isApiError(saving.error, 'changed_meanwhile');
  const isDirty = draft.isDirty || secret !== '';
  const errors = errorsOf(draft.values);
  const section: SectionState<T> = {
    values: draft.values,
    errors,
    change: draft.change,
    secret,
    setSecret,
    isDirty,
  };
  const headingID = `${sectionID(group)}-title`;
  return (
    <section className="card setting-section" id={sectionID(group)} aria-labelledby={headingID}>
      <div>
        <h2 id={headingID} tabIndex={-1}>
          {title}
        </h2>
        <p className="muted">{lead}</p>
        <p className="setting-origin">
          <span className={state.IsSet ? 'dot dot-good' : 'dot'} aria-hidden="true" />
          {state.IsSet && state.UpdatedAt !== null
            ? words.setBy(
                state.UpdatedBy ?? messages.common.unknown,
                formatMoment(state.UpdatedAt, language),
              )
            : words.fromConfiguration}
        </p>
        {state.IsIgnored ? <p className="notice notice-warn">{words.ignored}</p> : null}
      </div>
      <fieldset className="setting-fields" disabled={isReadOnly}>
        <legend className="visually-hidden">{title}</legend>
        <Form
          label={title}
          errors={errors}
          failure={isOvertaken ? null : saving.error}
          isBusy={saving.isPending}
          isDirty={isDirty}
          submit={messages.form.save}
          onSubmit={() => saving.mutate()}
          extra={
            <>
              {isDirty ? (
                <Button look="quiet" onClick={forget}>
                  {messages.form.discard}
                </Button>
              ) : null}
              {state.IsSet ? (
                <Button look="quiet" onClick={() => setResetting(true)}>
                  {words.reset}
                </Button>
              ) : null}
            </>
          }
        >
          {isOvertaken ? <p className="notice notice-warn">{words.changedMeanwhile}</p> : null}
          {children(section)}
        </Form>
        {after?.(section)}
      </fieldset>
      {isResetting ? (
        <ConfirmDialog
          title={words.resetTitle(title)}
          text={words.resetText}
          confirm={words.resetConfirm}
          isBusy={resetting.isPending}
          onConfirm={() => resetting.mutate()}
          onClose={() => setResetting(false)}
        />
      ) : null}
    </section>
  );
}

/** A secret: it can be written and never read. */
export function SecretField({
  label,
  state,
  hasMoved,
  value,
  onChange,
}: {
  readonly label: string;
  readonly state: SecretState;
  /** What it belongs to has changed, so the one that is kept will not do. */
  readonly hasMoved: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting;
  const hints = { none: words.secretNone, set: words.secretSet, lost: words.secretLost };
  const error = useToldError(
    value.length > SITE_LIMITS.secret ? messages.form.tooLong(label, SITE_LIMITS.secret) : null,
  );
  return (
    <PasswordField
      label={label}
      hint={state === 'set' && hasMoved ? words.secretMoved : hints[state]}
      autoComplete="new-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
