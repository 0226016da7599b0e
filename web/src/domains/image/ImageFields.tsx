/** The texts of an image, for a commit and for a change. */
import { TEXT_LIMITS } from '@hypercube/contract';
import type { ReactNode } from 'react';
import type { Catalogue } from '@hypercube/messages';
import { useMessages } from '../../kernel/language.tsx';
import { AreaField, CheckField, LineField } from '../../ui/form/fields.tsx';

export interface ImageValues {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly DescriptionZh: string;
  readonly DescriptionEn: string;
  readonly IsPublic: boolean;
}

export const EMPTY_IMAGE: ImageValues = {
  TitleZh: '',
  TitleEn: '',
  DescriptionZh: '',
  DescriptionEn: '',
  IsPublic: false,
};

/** What is wrong with the texts. */
export function imageErrors(values: ImageValues, messages: Catalogue): Record<string, string> {
  const words = messages.admin.image;
  const errors: Record<string, string> = {};
  if (values.TitleZh.trim() === '') errors['TitleZh'] = messages.form.required(words.name);
  const check = (key: keyof Omit<ImageValues, 'IsPublic'>, label: string, max: number): void => {
    if (Array.from(values[key]).length > max) errors[key] = messages.form.tooLong(label, max);
  };
  check('TitleZh', words.name, TEXT_LIMITS.imageTitle);
  check('TitleEn', words.name, TEXT_LIMITS.imageTitle);
  check('DescriptionZh', words.description, TEXT_LIMITS.imageDescription);
  check('DescriptionEn', words.description, TEXT_LIMITS.imageDescription);
  return errors;
}

export function ImageFields({
  values,
  errors,
  onChange,
}: {
  readonly values: ImageValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ImageValues>) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.admin.image;
  return (
    <>
      <LineField
        label={messages.form.inChinese(words.name)}
        value={values.TitleZh}
        max={TEXT_LIMITS.imageTitle}
        isRequired
        error={errors['TitleZh'] ?? null}
        onChange={(TitleZh) => onChange({ TitleZh })}
      />
      <LineField
        label={messages.form.inEnglish(words.name)}
        hint={messages.form.englishHint}
        value={values.TitleEn}
        max={TEXT_LIMITS.imageTitle}
        error={errors['TitleEn'] ?? null}
        onChange={(TitleEn) => onChange({ TitleEn })}
      />
      <AreaField
        label={messages.form.inChinese(words.description)}
        value={values.DescriptionZh}
        max={TEXT_LIMITS.imageDescription}
        error={errors['DescriptionZh'] ?? null}
        onChange={(DescriptionZh) => onChange({ DescriptionZh })}
      />
      <AreaField
        label={messages.form.inEnglish(words.description)}
        value={values.DescriptionEn}
        max={TEXT_LIMITS.imageDescription}
        error={errors['DescriptionEn'] ?? null}
        onChange={(DescriptionEn) => onChange({ DescriptionEn })}
      />
      <CheckField
        label={words.public}
        hint={words.publicHint}
        isOn={values.IsPublic}
        onChange={(IsPublic) => onChange({ IsPublic })}
      />
    </>
  );
}
