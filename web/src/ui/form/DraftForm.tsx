/** A form of something that is kept, and that others change too: its draft outlives a reload. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { DraftActions } from './DraftActions.tsx';
import { Form, useDraft } from './form.tsx';

interface DraftFormProps<Values> {
  /** Names the draft in this browser. */
  readonly name: string;
  readonly label: string;
  /** As it is kept now. */
  readonly saved: Values;
  readonly version: number;
  /** @param version the one on which the draft was begun */
  readonly save: (values: Values, version: number) => Promise<unknown>;
  readonly errorsOf: (values: Values) => Readonly<Record<string, string>>;
  /** Reads again what shows it. */
  readonly onChanged: () => Promise<unknown>;
  readonly children: (
    values: Values,
    errors: Readonly<Record<string, string>>,
    change: (change: Partial<Values>) => void,
  ) => ReactNode;
}

export function DraftForm<Values extends object>(props: DraftFormProps<Values>): ReactNode {
  const messages = useMessages();
  const form = useDraft<Values>(props.name, props.saved, props.version);
  const saving = useMutation({
    mutationFn: (values: Values) => props.save(values, form.version),
    onSuccess: async () => {
      await props.onChanged();
      form.forget();
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const errors = props.errorsOf(values);
  return (
    <Form
      label={props.label}
      errors={errors}
      failure={saving.error}
      isBusy={saving.isPending}
      isDirty={form.isDirty}
      submit={messages.form.save}
      onSubmit={() => saving.mutate(values)}
      extra={
        <DraftActions
          failure={saving.error}
          onReload={() => {
            form.forget();
            saving.reset();
            void props.onChanged();
          }}
          onDiscard={form.isDirty ? form.forget : undefined}
        />
      }
    >
      {props.children(values, errors, form.change)}
    </Form>
  );
}
