/** Names, words, supporters and footer of the site. */
import { API_BASE, SITE_LIMITS, type SettingGroups } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { AreaField, FileField, LineField } from '../../ui/form/fields.tsx';
import { ErrorsTold } from '../../ui/form/told.ts';
import { Order } from '../../ui/Order.tsx';
import { Section, type SectionState } from './section.tsx';
import { updateSite, uploadLogo } from './setting.api.ts';
import {
  nextKey,
  siteErrors,
  siteOf,
  siteTexts,
  type LinkRow,
  type Numbered,
  type SiteTexts,
  type SupporterRow,
} from './values.ts';

/** A list whose rows are edited in place, moved, added and taken away. */
function Rows<T extends Numbered>({
  label,
  empty,
  add,
  rows,
  most,
  nameOf,
  make,
  onChange,
  children,
}: {
  readonly label: string;
  readonly empty: string;
  readonly add: string;
  readonly rows: readonly T[];
  readonly most: number;
  readonly nameOf: (row: T) => string;
  readonly make: (Key: number) => T;
  readonly onChange: (rows: readonly T[]) => void;
  readonly children: (row: T, change: (change: Partial<T>) => void) => ReactNode;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.site;
  const named = (row: T): string =>
    nameOf(row).trim() === '' ? words.unnamed(rows.indexOf(row) + 1) : nameOf(row);
  return (
    <fieldset className="field setting-rows-field">
      <legend className="field-label">{label}</legend>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <Order
          label={label}
          items={rows}
          keyOf={({ Key }) => Key}
          nameOf={named}
          onOrder={onChange}
          render={(row) => (
            <div className="setting-row">
              {children(row, (change) =>
                onChange(rows.map((other) => (other === row ? { ...row, ...change } : other))),
              )}
              <Button
                look="danger"
                isSmall
                aria-label={words.remove(named(row))}
                onClick={() => onChange(rows.filter((other) => other !== row))}
              >
                {messages.form.delete}
              </Button>
            </div>
          )}
        />
      )}
      {rows.length < most ? (
        <Button isSmall onClick={() => onChange([...rows, make(nextKey(rows))])}>
          {add}
        </Button>
      ) : null}
    </fieldset>
  );
}

/** The picture of a supporter: sent at once, shown to others with the next saving. */
function LogoField({
  name,
  onChange,
}: {
  readonly name: string | null;
  readonly onChange: (name: string | null) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.site;
  const sending = useMutation({
    mutationFn: uploadLogo,
    onSuccess: ({ Name }) => onChange(Name),
    meta: { isHandled: true },
  });
  return (
    <div className="setting-logo">
      {name === null ? null : (
        <img className="setting-logo-picture" src={`${API_BASE}/site/logo/${name}`} alt="" />
      )}
      <ErrorsTold value>
        <FileField
          label={words.logo}
          file={null}
          choose={words.chooseLogo}
          hint={words.logoHint(formatBytes(SITE_LIMITS.logo))}
          error={sending.error === null ? null : describeError(messages, sending.error)}
          onChange={(file) => {
            if (file !== null) sending.mutate(file);
          }}
        />
      </ErrorsTold>
      {name === null ? null : (
        <Button look="quiet" isSmall onClick={() => onChange(null)}>
          {words.removeLogo}
        </Button>
      )}
    </div>
  );
}

function Supporters({ values, errors, change }: SectionState<SiteTexts>): ReactNode {
  const messages = useMessages();
  const words = messages.setting.site;
  return (
    <Rows<SupporterRow>
      label={words.supporters}
      empty={words.noSupporters}
      add={words.addSupporter}
      rows={values.Supporters}
      most={SITE_LIMITS.supporters}
      nameOf={({ NameZh }) => NameZh}
      make={(Key) => ({ Key, NameZh: '', NameEn: '', URL: '', Logo: null })}
      onChange={(Supporters) => change({ Supporters })}
    >
      {(row, set) => (
        <>
          <LineField
            label={messages.form.inChinese(words.supporterName)}
            max={SITE_LIMITS.supporterName}
            isRequired
            value={row.NameZh}
            error={errors[`Supporters.${row.Key}.NameZh`]}
            onChange={(NameZh) => set({ NameZh })}
          />
          <LineField
            label={messages.form.inEnglish(words.supporterName)}
            hint={messages.form.englishHint}
            max={SITE_LIMITS.supporterName}
            value={row.NameEn}
            error={errors[`Supporters.${row.Key}.NameEn`]}
            onChange={(NameEn) => set({ NameEn })}
          />
          <LineField
            label={words.supporterAddress}
            max={SITE_LIMITS.address}
            value={row.URL}
            error={errors[`Supporters.${row.Key}.URL`]}
            onChange={(URL) => set({ URL })}
          />
          <LogoField name={row.Logo} onChange={(Logo) => set({ Logo })} />
        </>
      )}
    </Rows>
  );
}

function Links({ values, errors, change }: SectionState<SiteTexts>): ReactNode {
  const messages = useMessages();
  const words = messages.setting.site;
  return (
    <Rows<LinkRow>
      label={words.links}
      empty={words.noLinks}
      add={words.addLink}
      rows={values.Links}
      most={SITE_LIMITS.links}
      nameOf={({ TitleZh }) => TitleZh}
      make={(Key) => ({ Key, TitleZh: '', TitleEn: '', URL: '' })}
      onChange={(next) => change({ Links: next })}
    >
      {(row, set) => (
        <>
          <LineField
            label={messages.form.inChinese(words.linkTitle)}
            max={SITE_LIMITS.linkTitle}
            isRequired
            value={row.TitleZh}
            error={errors[`Links.${row.Key}.TitleZh`]}
            onChange={(TitleZh) => set({ TitleZh })}
          />
          <LineField
            label={messages.form.inEnglish(words.linkTitle)}
            hint={messages.form.englishHint}
            max={SITE_LIMITS.linkTitle}
            value={row.TitleEn}
            error={errors[`Links.${row.Key}.TitleEn`]}
            onChange={(TitleEn) => set({ TitleEn })}
          />
          <LineField
            label={words.linkAddress}
            max={SITE_LIMITS.address}
            isRequired
            value={row.URL}
            error={errors[`Links.${row.Key}.URL`]}
            onChange={(URL) => set({ URL })}
          />
        </>
      )}
    </Rows>
  );
}

export function SiteSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['site'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.site;
  const { inChinese, inEnglish } = messages.form;
  return (
    <Section
      group="site"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={siteTexts(state.Values)}
      errorsOf={(values) => siteErrors(values, messages)}
      save={(values, Version) => updateSite({ Version, Values: siteOf(values) })}
    >
      {(section) => {
        const { values, errors, change } = section;
        return (
          <>
            <div className="form-grid">
              <LineField
                label={inChinese(words.name)}
                hint={words.nameHint}
                max={SITE_LIMITS.name}
                isRequired
                value={values.NameZh}
                error={errors['NameZh']}
                onChange={(NameZh) => change({ NameZh })}
              />
              <LineField
                label={inEnglish(words.name)}
                max={SITE_LIMITS.name}
                isRequired
                value={values.NameEn}
                error={errors['NameEn']}
                onChange={(NameEn) => change({ NameEn })}
              />
            </div>
            <div className="form-grid">
              <LineField
                label={inChinese(words.tagline)}
                max={SITE_LIMITS.tagline}
                value={values.TaglineZh}
                error={errors['TaglineZh']}
                onChange={(TaglineZh) => change({ TaglineZh })}
              />
              <LineField
                label={inEnglish(words.tagline)}
                hint={messages.form.englishHint}
                max={SITE_LIMITS.tagline}
                value={values.TaglineEn}
                error={errors['TaglineEn']}
                onChange={(TaglineEn) => change({ TaglineEn })}
              />
            </div>
            <div className="form-grid">
              <AreaField
                label={inChinese(words.intro)}
                max={SITE_LIMITS.intro}
                value={values.IntroZh}
                error={errors['IntroZh']}
                onChange={(IntroZh) => change({ IntroZh })}
              />
              <AreaField
                label={inEnglish(words.intro)}
                hint={messages.form.englishHint}
                max={SITE_LIMITS.intro}
                value={values.IntroEn}
                error={errors['IntroEn']}
                onChange={(IntroEn) => change({ IntroEn })}
              />
            </div>
            <Supporters {...section} />
            <div className="form-grid">
              <LineField
                label={inChinese(words.footer)}
                max={SITE_LIMITS.footer}
                value={values.FooterZh}
                error={errors['FooterZh']}
                onChange={(FooterZh) => change({ FooterZh })}
              />
              <LineField
                label={inEnglish(words.footer)}
                hint={messages.form.englishHint}
                max={SITE_LIMITS.footer}
                value={values.FooterEn}
                error={errors['FooterEn']}
                onChange={(FooterEn) => change({ FooterEn })}
              />
            </div>
            <Links {...section} />
            <LineField
              label={words.record}
              hint={words.recordHint}
              max={SITE_LIMITS.record}
              value={values.Record}
              error={errors['Record']}
              onChange={(Record) => change({ Record })}
            />
          </>
        );
      }}
    </Section>
  );
}
