/** The settings of the installation. */
import { SETTING_LIMITS, type Settings } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { NumberField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { settingsQuery, updateSettings } from './setting.api.ts';

const MEBIBYTE = 1024 * 1024;

interface Entry {
  readonly key: keyof Settings;
  readonly label: 'maxSessions' | 'queueLimit' | 'lifetime' | 'hold' | 'keep' | 'quota' | 'upload';
  readonly hint?: 'maxSessionsHint' | 'lifetimeHint' | 'holdHint';
  /** What one unit on the page is on the wire. */
  readonly unit: number;
  readonly limits: { readonly min: number; readonly max: number };
}

/** Each setting in the unit in which people think of it. */
const ENTRIES: readonly Entry[] = [
  {
    key: 'MaxSessions',
    label: 'maxSessions',
    hint: 'maxSessionsHint',
    unit: 1,
    limits: SETTING_LIMITS.maxSessions,
  },
  { key: 'QueueLimit', label: 'queueLimit', unit: 1, limits: SETTING_LIMITS.queue },
  {
    key: 'LifetimeSeconds',
    label: 'lifetime',
    hint: 'lifetimeHint',
    unit: 60,
    limits: SETTING_LIMITS.lifetimeSeconds,
  },
  {
    key: 'HoldSeconds',
    label: 'hold',
    hint: 'holdHint',
    unit: 60,
    limits: SETTING_LIMITS.holdSeconds,
  },
  { key: 'KeepSeconds', label: 'keep', unit: 3600, limits: SETTING_LIMITS.keepSeconds },
  {
    key: 'PersonalQuotaBytes',
    label: 'quota',
    unit: MEBIBYTE,
    limits: SETTING_LIMITS.quotaBytes,
  },
  { key: 'UploadBytes', label: 'upload', unit: MEBIBYTE, limits: SETTING_LIMITS.uploadBytes },
];

type Texts = Record<keyof Settings, string>;

/** Values as they stand in the fields. */
export const textsOf = (settings: Settings): Texts =>
  Object.fromEntries(
    ENTRIES.map(({ key, unit }) => {
      const value = settings[key];
      return [key, value === null ? '' : String(value / unit)];
    }),
  ) as Texts;

/** The value in a field; undefined when it is none. */
export function valueOf(entry: Entry, text: string): number | null | undefined {
  if (text.trim() === '') return entry.key === 'MaxSessions' ? null : undefined;
  const value = Math.round(Number(text) * entry.unit);
  return Number.isFinite(value) && value >= entry.limits.min && value <= entry.limits.max
    ? value
    : undefined;
}

export function SiteSettingsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.setting;
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(settingsQuery);
  const form = useDraft<Texts>('settings', data && textsOf(data.Settings));
  const saving = useMutation({
    mutationFn: (values: Partial<Settings>) => updateSettings(data?.Version ?? 0, values),
    onSuccess: (answer) => {
      client.setQueryData(settingsQuery.queryKey, answer);
      form.forget();
      toast('success', messages.form.saved);
    },
    onError: (failure) => {
      if (!isApiError(failure, 'changed_meanwhile')) return;
      toast('warning', words.changedMeanwhile);
      void refetch();
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (data === undefined || values === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400 }} />
      </LoadingRegion>
    );
  }
  const errors = Object.fromEntries(
    ENTRIES.flatMap((entry) =>
      valueOf(entry, values[entry.key]) === undefined
        ? [
            [
              entry.key,
              messages.form.outOfRange(
                words[entry.label],
                String(entry.limits.min / entry.unit),
                String(entry.limits.max / entry.unit),
              ),
            ],
          ]
        : [],
    ),
  ) as Record<string, string>;
  const save = (): void => {
    const changed = ENTRIES.filter(({ key }) => values[key] !== textsOf(data.Settings)[key]);
    saving.mutate(
      Object.fromEntries(changed.map((entry) => [entry.key, valueOf(entry, values[entry.key])])),
    );
  };
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
          <p className="muted">
            {data.UpdatedAt === null
              ? words.neverChanged
              : words.changedBy(
                  data.UpdatedBy ?? messages.common.unknown,
                  formatMoment(data.UpdatedAt, language),
                )}
          </p>
        </div>
      </div>
      <Form
        label={words.title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty}
        submit={messages.form.save}
        onSubmit={save}
        extra={
          form.isDirty ? (
            <Button look="quiet" onClick={form.forget}>
              {messages.form.discard}
            </Button>
          ) : null
        }
      >
        {ENTRIES.map((entry) => {
          const usual = data.Defaults[entry.key];
          const usualText = words.default(
            usual === null ? words.unlimited : String(usual / entry.unit),
          );
          return (
            <NumberField
              key={entry.key}
              label={words[entry.label]}
              hint={[entry.hint === undefined ? '' : words[entry.hint], usualText]
                .filter((text) => text !== '')
                .join(messages.common.dotSeparator)}
              min={entry.limits.min / entry.unit}
              max={entry.limits.max / entry.unit}
              value={values[entry.key]}
              error={errors[entry.key] ?? null}
              onChange={(text) => form.change({ [entry.key]: text })}
            />
          );
        })}
      </Form>
    </>
  );
}
