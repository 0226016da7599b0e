/** The fields of a specification without its nodes. */
import {
  NODE_LIMITS,
  SessionType,
  TEXT_LIMITS,
  type BodyInputOf,
  type routes,
} from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { CheckField, LineField, NumberField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';

/** Values as they stand in the fields. */
export interface SpecificationValues {
  readonly NameZh: string;
  readonly NameEn: string;
  readonly ImageType: string;
  readonly IsShared: boolean;
  readonly Minutes: string;
}

type Body = BodyInputOf<typeof routes.createSpecification>;

const MINUTES = { min: NODE_LIMITS.lifetimeMin / 60, max: NODE_LIMITS.lifetimeMax / 60 };

export function SpecificationForm({
  draftKey,
  saved,
  isNew,
  isBusy,
  failure,
  onSave,
}: {
  readonly draftKey: string;
  readonly saved: SpecificationValues;
  /** The type is chosen once: the images of the nodes are of it. */
  readonly isNew: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** @param forget clears the draft after it was saved */
  readonly onSave: (body: Body, forget: () => void) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.admin.specification;
  const form = useDraft<SpecificationValues>(draftKey, saved);
  const values = form.values ?? saved;
  const minutes = Number(values.Minutes);
  const errors: Record<string, string> = {};
  if (values.NameZh.trim() === '') errors['NameZh'] = messages.form.required(words.name);
  for (const key of ['NameZh', 'NameEn'] as const)
    if (Array.from(values[key]).length > TEXT_LIMITS.specificationName)
      errors[key] = messages.form.tooLong(words.name, TEXT_LIMITS.specificationName);
  if (!Number.isInteger(minutes) || minutes < MINUTES.min || minutes > MINUTES.max)
    errors['Minutes'] = messages.form.outOfRange(
      words.lifetime,
      String(MINUTES.min),
      String(MINUTES.max),
    );
  return (
    <Form
      label={words.title}
      errors={errors}
      failure={failure}
      isBusy={isBusy}
      isDirty={form.isDirty}
      submit={isNew ? messages.form.create : messages.form.save}
      onSubmit={() =>
        onSave(
          {
            NameZh: values.NameZh.trim(),
            NameEn: values.NameEn.trim(),
            ImageType: Number(values.ImageType) as SessionType,
            IsShared: values.IsShared,
            LifetimeSeconds: minutes * 60,
          },
          form.forget,
        )
      }
    >
      <div className="form-grid">
        <LineField
          label={messages.form.inChinese(words.name)}
          value={values.NameZh}
          max={TEXT_LIMITS.specificationName}
          isRequired
          error={errors['NameZh'] ?? null}
          onChange={(NameZh) => form.change({ NameZh })}
        />
        <LineField
          label={messages.form.inEnglish(words.name)}
          hint={messages.form.englishHint}
          value={values.NameEn}
          max={TEXT_LIMITS.specificationName}
          error={errors['NameEn'] ?? null}
          onChange={(NameEn) => form.change({ NameEn })}
        />
      </div>
      {isNew ? (
        <SelectField
          label={words.imageType}
          value={values.ImageType}
          options={Object.values(SessionType).map((type) => ({
            value: String(type),
            label: messages.usage.types[type],
          }))}
          onChange={(ImageType) => form.change({ ImageType })}
        />
      ) : null}
      <NumberField
        label={words.lifetime}
        unit={words.minutes}
        min={MINUTES.min}
        max={MINUTES.max}
        value={values.Minutes}
        error={errors['Minutes'] ?? null}
        onChange={(Minutes) => form.change({ Minutes })}
      />
      <CheckField
        label={words.shared}
        hint={words.sharedHint}
        isOn={values.IsShared}
        onChange={(IsShared) => form.change({ IsShared })}
      />
    </Form>
  );
}
