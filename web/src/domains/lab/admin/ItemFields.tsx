/** The fields that labs and software have in common, and of these what courses have as well. */
import { COVER_KINDS, TEXT_LIMITS } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { AreaField, ChoicesField, LineField, SelectField } from '../../../ui/form/fields.tsx';
import { MarkdownEditor } from '../../../ui/editor/MarkdownEditor.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { domainsQuery } from '../../catalogue/catalogue.api.ts';
import { choosableSpecifications } from '../../specification/specification.api.ts';

/** Values as they stand in the fields. */
export interface TextValues {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly DescriptionZh: string;
  readonly DescriptionEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
  readonly CoverKind: string;
  readonly DomainID: string;
  readonly TagIDList: readonly number[];
}
/** Those of what opens an environment. */
export interface ItemValues extends TextValues {
  readonly Type: string;
  readonly SpecificationID: string;
}

export const EMPTY_TEXTS: TextValues = {
  TitleZh: '',
  TitleEn: '',
  DescriptionZh: '',
  DescriptionEn: '',
  ContentZh: '',
  ContentEn: '',
  CoverKind: COVER_KINDS[0],
  DomainID: '',
  TagIDList: [],
};
export const EMPTY_ITEM: ItemValues = { ...EMPTY_TEXTS, Type: '2', SpecificationID: '' };

/** What the server has of them. */
interface SavedTexts {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly DescriptionZh: string;
  readonly DescriptionEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
  readonly Cover: { readonly Kind: string };
  readonly DomainID: number | null;
  readonly TagIDList: readonly number[];
}

/** The same of what the server has. */
export const textValuesOf = (item: SavedTexts): TextValues => ({
  TitleZh: item.TitleZh,
  TitleEn: item.TitleEn,
  DescriptionZh: item.DescriptionZh,
  DescriptionEn: item.DescriptionEn,
  ContentZh: item.ContentZh,
  ContentEn: item.ContentEn,
  CoverKind: item.Cover.Kind,
  DomainID: item.DomainID === null ? '' : String(item.DomainID),
  TagIDList: item.TagIDList,
});

export const itemValuesOf = (
  item: SavedTexts & { readonly Type: number; readonly SpecificationID: number },
): ItemValues => ({
  ...textValuesOf(item),
  Type: String(item.Type),
  SpecificationID: String(item.SpecificationID),
});

/** The body of a call; the type is that of the caller. */
export const textBodyOf = (values: TextValues) => ({
  TitleZh: values.TitleZh.trim(),
  TitleEn: values.TitleEn.trim(),
  DescriptionZh: values.DescriptionZh.trim(),
  DescriptionEn: values.DescriptionEn.trim(),
  ContentZh: values.ContentZh,
  ContentEn: values.ContentEn,
  CoverKind: COVER_KINDS.find((kind) => kind === values.CoverKind) ?? COVER_KINDS[0],
  TagIDList: [...values.TagIDList],
  ...(values.DomainID === '' ? {} : { DomainID: Number(values.DomainID) }),
});

export const itemBodyOf = (values: ItemValues) => ({
  ...textBodyOf(values),
  SpecificationID: Number(values.SpecificationID),
});

/** What is wrong with the values. */
export function textErrors(values: TextValues, messages: Catalogue): Record<string, string> {
  const words = messages.admin.lab;
  const errors: Record<string, string> = {};
  if (values.TitleZh.trim() === '') errors['TitleZh'] = messages.form.required(words.name);
  const check = (
    key: 'TitleZh' | 'TitleEn' | 'DescriptionZh' | 'DescriptionEn' | 'ContentZh' | 'ContentEn',
    label: string,
    max: number,
  ): void => {
    if (Array.from(values[key]).length > max) errors[key] = messages.form.tooLong(label, max);
  };
  check('TitleZh', words.name, TEXT_LIMITS.title);
  check('TitleEn', words.name, TEXT_LIMITS.title);
  check('DescriptionZh', words.description, TEXT_LIMITS.description);
  check('DescriptionEn', words.description, TEXT_LIMITS.description);
  check('ContentZh', words.content, TEXT_LIMITS.markdown);
  check('ContentEn', words.content, TEXT_LIMITS.markdown);
  return errors;
}

export function itemErrors(values: ItemValues, messages: Catalogue): Record<string, string> {
  const errors = textErrors(values, messages);
  if (values.SpecificationID === '')
    errors['SpecificationID'] = messages.form.required(messages.admin.lab.specification);
  return errors;
}

/** A text in both languages, one at a time. */
export function BilingualMarkdown({
  label,
  zh,
  en,
  mediaPath,
  errors,
  onChange,
  onPicture,
}: {
  readonly label: string;
  readonly zh: string;
  readonly en: string;
  readonly mediaPath: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: { ContentZh?: string; ContentEn?: string }) => void;
  readonly onPicture?: ((file: File) => Promise<string>) | undefined;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const [side, setSide] = useState<'zh' | 'en'>('zh');
  const isChinese = side === 'zh';
  return (
    <div className="stack">
      <Segments
        label={words.writeLanguage}
        value={side}
        options={[
          { value: 'zh', label: words.languages.zh },
          { value: 'en', label: words.languages.en },
        ]}
        onChange={setSide}
      />
      <MarkdownEditor
        key={side}
        label={isChinese ? messages.form.inChinese(label) : messages.form.inEnglish(label)}
        value={isChinese ? zh : en}
        mediaPath={mediaPath}
        error={errors[isChinese ? 'ContentZh' : 'ContentEn'] ?? null}
        onChange={(text) => onChange(isChinese ? { ContentZh: text } : { ContentEn: text })}
        onPicture={onPicture}
      />
    </div>
  );
}

interface TextFieldsProps {
  readonly values: TextValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly mediaPath?: string;
  readonly onPicture?: ((file: File) => Promise<string>) | undefined;
  readonly onChange: (change: Partial<TextValues>) => void;
  /** Fields below the title. */
  readonly children?: ReactNode;
}

export function TextFields({
  values,
  errors,
  mediaPath = '',
  onPicture,
  onChange,
  children,
}: TextFieldsProps): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const domains = useQuery(domainsQuery(language));
  const tags = domains.data?.find(({ ID }) => String(ID) === values.DomainID)?.Tags ?? [];
  return (
    <>
      <div className="form-grid">
        <LineField
          label={messages.form.inChinese(words.name)}
          value={values.TitleZh}
          max={TEXT_LIMITS.title}
          isRequired
          error={errors['TitleZh'] ?? null}
          onChange={(TitleZh) => onChange({ TitleZh })}
        />
        <LineField
          label={messages.form.inEnglish(words.name)}
          hint={messages.form.englishHint}
          value={values.TitleEn}
          max={TEXT_LIMITS.title}
          error={errors['TitleEn'] ?? null}
          onChange={(TitleEn) => onChange({ TitleEn })}
        />
      </div>
      {children}
      <div className="form-grid">
        <SelectField
          label={words.domain}
          value={values.DomainID}
          empty={messages.form.none}
          options={(domains.data ?? []).map(({ ID, Title }) => ({
            value: String(ID),
            label: Title,
          }))}
          onChange={(DomainID) => onChange({ DomainID, TagIDList: [] })}
        />
        <SelectField
          label={words.cover}
          value={values.CoverKind}
          options={COVER_KINDS.map((kind) => ({ value: kind, label: words.covers[kind] }))}
          onChange={(CoverKind) => onChange({ CoverKind })}
        />
      </div>
      <ChoicesField
        label={words.tags}
        hint={tags.length === 0 ? words.tagsHint : undefined}
        values={values.TagIDList}
        options={tags.map(({ ID, Title }) => ({ value: ID, label: Title }))}
        onChange={(TagIDList) => onChange({ TagIDList })}
      />
      <div className="form-grid">
        <AreaField
          label={messages.form.inChinese(words.description)}
          value={values.DescriptionZh}
          max={TEXT_LIMITS.description}
          error={errors['DescriptionZh'] ?? null}
          onChange={(DescriptionZh) => onChange({ DescriptionZh })}
        />
        <AreaField
          label={messages.form.inEnglish(words.description)}
          value={values.DescriptionEn}
          max={TEXT_LIMITS.description}
          error={errors['DescriptionEn'] ?? null}
          onChange={(DescriptionEn) => onChange({ DescriptionEn })}
        />
      </div>
      <BilingualMarkdown
        label={words.content}
        zh={values.ContentZh}
        en={values.ContentEn}
        mediaPath={mediaPath}
        errors={errors}
        onPicture={onPicture}
        onChange={onChange}
      />
    </>
  );
}

export function ItemFields({
  values,
  types,
  onChange,
  ...rest
}: Omit<TextFieldsProps, 'values' | 'onChange' | 'children'> & {
  readonly values: ItemValues;
  readonly types: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (change: Partial<ItemValues>) => void;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const specifications = useQuery(choosableSpecifications(Number(values.Type), language));
  const choices = specifications.data ?? [];
  return (
    <TextFields values={values} onChange={onChange} {...rest}>
      <div className="form-grid">
        <SelectField
          label={words.type}
          value={values.Type}
          options={types}
          // A specification is of one type; another type needs another one.
          onChange={(Type) => onChange({ Type, SpecificationID: '' })}
        />
        <SelectField
          label={words.specification}
          hint={
            specifications.isSuccess && choices.length === 0
              ? words.noSpecification
              : words.specificationHint
          }
          value={values.SpecificationID}
          empty={messages.form.choose}
          options={choices.map(({ ID, Name }) => ({ value: String(ID), label: Name }))}
          error={rest.errors['SpecificationID'] ?? null}
          onChange={(SpecificationID) => onChange({ SpecificationID })}
        />
      </div>
    </TextFields>
  );
}
