/** Adding a software, and changing one. */
import { SoftwareType, type ManagedSoftware } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { CheckField } from '../../../ui/form/fields.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import {
  EMPTY_ITEM,
  ItemFields,
  itemBodyOf,
  itemErrors,
  itemValuesOf,
  type ItemValues,
} from '../../lab/admin/ItemFields.tsx';
import {
  MANAGED_SOFTWARE_KEY,
  createSoftware,
  managedSoftwareQuery,
  updateSoftware,
} from './software-admin.api.ts';

type Values = ItemValues & { readonly IsPublished: boolean };

export function SoftwareFormPage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly softwareID?: string } = useParams({ strict: false });
  const isNew = params.softwareID === undefined;
  const softwareID = readID(params.softwareID);
  const { data, error, refetch } = useQuery({
    ...managedSoftwareQuery(softwareID ?? 0, language),
    enabled: softwareID !== null,
  });
  if (isNew) return <Editor software={null} />;
  if (softwareID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  return <Editor key={data.ID} software={data} />;
}

function Editor({ software }: { readonly software: ManagedSoftware | null }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.software;
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useDraft<Values>(
    `software-${software?.ID ?? 'new'}`,
    software === null
      ? { ...EMPTY_ITEM, IsPublished: false }
      : { ...itemValuesOf(software), IsPublished: software.IsPublished },
    software?.Version,
  );
  const saving = useMutation({
    mutationFn: (values: Values) => {
      const body = {
        ...itemBodyOf(values),
        Type: Number(values.Type) as SoftwareType,
        IsPublished: values.IsPublished,
      };
      return software === null
        ? createSoftware(body)
        : updateSoftware(software.ID, { ...body, Version: form.version });
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: MANAGED_SOFTWARE_KEY });
      void client.invalidateQueries({ queryKey: ['software'] });
      form.forget();
      toast('success', messages.form.saved);
      if (software === null)
        void navigate({ to: paths.admin.softwareInfo(saved.ID), replace: true });
    },
    meta: { isHandled: true },
  });
  const { values } = form;
  if (values === undefined) return null;
  const errors = itemErrors(values, messages);
  const title = software?.Title ?? words.create;
  return (
    <>
      <div className="page-head">
        <PageTitle name={title}>{title}</PageTitle>
      </div>
      <Form
        label={title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty && !saving.isSuccess}
        submit={software === null ? messages.form.create : messages.form.save}
        onSubmit={() => saving.mutate(values)}
        extra={
          <DraftActions
            failure={saving.error}
            onReload={() => {
              form.forget();
              saving.reset();
              void client.invalidateQueries({ queryKey: MANAGED_SOFTWARE_KEY });
            }}
          />
        }
      >
        <ItemFields
          values={values}
          errors={errors}
          types={[SoftwareType.desktop, SoftwareType.notebook, SoftwareType.ide].map((type) => ({
            value: String(type),
            label: messages.usage.types[type],
          }))}
          onChange={form.change}
        />
        <CheckField
          label={words.isPublished}
          hint={words.publishedHint}
          isOn={values.IsPublished}
          onChange={(IsPublished) => form.change({ IsPublished })}
        />
      </Form>
    </>
  );
}
