/** The texts of a lab: making one, and changing one. */
import { LabType, type ManagedLab } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { MANAGED_LABS_KEY, createLab, updateLab, uploadMedia } from './lab-admin.api.ts';
import {
  EMPTY_ITEM,
  ItemFields,
  itemBodyOf,
  itemErrors,
  itemValuesOf,
  type ItemValues,
} from './ItemFields.tsx';
import { LabFrame } from './LabFrame.tsx';

const bodyOf = (values: ItemValues) => ({
  ...itemBodyOf(values),
  Type: Number(values.Type) as LabType,
});

function useTypes(): { value: string; label: string }[] {
  const { messages } = useLanguage();
  return Object.values(LabType).map((type) => ({
    value: String(type),
    label: messages.usage.types[type],
  }));
}

export function LabCreationPage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const navigate = useNavigate();
  const types = useTypes();
  const form = useDraft<ItemValues>('lab-new', EMPTY_ITEM);
  const creating = useMutation({
    mutationFn: createLab,
    onSuccess: (lab) => {
      form.forget();
      void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
      void navigate({ to: paths.admin.lab(lab.ID, 'task') });
    },
    meta: { isHandled: true },
  });
  const values = form.values ?? EMPTY_ITEM;
  const errors = itemErrors(values, messages);
  return (
    <>
      <div className="page-head">
        <PageTitle name={words.create}>{words.create}</PageTitle>
      </div>
      <Form
        label={words.create}
        errors={errors}
        failure={creating.error}
        isBusy={creating.isPending}
        isDirty={form.isDirty && !creating.isSuccess}
        submit={messages.form.create}
        onSubmit={() => creating.mutate(bodyOf(values))}
      >
        <ItemFields values={values} errors={errors} types={types} onChange={form.change} />
      </Form>
    </>
  );
}

export const LabInfoPage = (): ReactNode => (
  <LabFrame tab="info">{(lab) => <InfoForm key={lab.ID} lab={lab} />}</LabFrame>
);

function InfoForm({ lab }: { readonly lab: ManagedLab }): ReactNode {
  const { messages } = useLanguage();
  const client = useQueryClient();
  const types = useTypes();
  const form = useDraft<ItemValues>(`lab-${lab.ID}`, itemValuesOf(lab), lab.Version);
  const saving = useMutation({
    mutationFn: (values: ItemValues) =>
      updateLab(lab.ID, { ...bodyOf(values), Version: form.version }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
      void client.invalidateQueries({ queryKey: ['lab'] });
      form.forget();
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const errors = itemErrors(values, messages);
  return (
    <Form
      label={messages.admin.lab.tabs.info}
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
            void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
          }}
          onDiscard={form.isDirty ? form.forget : undefined}
        />
      }
    >
      <ItemFields
        values={values}
        errors={errors}
        types={types}
        mediaPath={lab.MediaPath}
        onPicture={(file) => uploadMedia(lab.ID, file)}
        onChange={form.change}
      />
    </Form>
  );
}
