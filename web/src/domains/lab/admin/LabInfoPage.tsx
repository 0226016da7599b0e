/** The texts of a lab: making one, and changing one. */
import { LabType, type ManagedLab } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { DraftForm } from '../../../ui/form/DraftForm.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { createLab, updateLab, uploadMedia, useLabsChanged } from './lab-admin.api.ts';
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
  const changed = useLabsChanged();
  const navigate = useNavigate();
  const types = useTypes();
  const form = useDraft<ItemValues>('lab-new', EMPTY_ITEM);
  const creating = useMutation({
    mutationFn: createLab,
    onSuccess: (lab) => {
      form.forget();
      void changed();
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
  const types = useTypes();
  return (
    <DraftForm
      name={`lab-${lab.ID}`}
      label={messages.admin.lab.tabs.info}
      saved={itemValuesOf(lab)}
      version={lab.Version}
      save={(values, Version) => updateLab(lab.ID, { ...bodyOf(values), Version })}
      errorsOf={(values) => itemErrors(values, messages)}
      onChanged={useLabsChanged()}
    >
      {(values, errors, change) => (
        <ItemFields
          values={values}
          errors={errors}
          types={types}
          mediaPath={lab.MediaPath}
          onPicture={(file) => uploadMedia(lab.ID, file)}
          onChange={change}
        />
      )}
    </DraftForm>
  );
}
