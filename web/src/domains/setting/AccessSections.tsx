/** How people come in: registration, single sign-on, human check. */
import {
  CAPTCHA_PROVIDERS,
  IDENTITIES,
  REGISTRATION_MODES,
  SITE_LIMITS,
  isSafeAddress,
  type SettingGroups,
  type SsoProvider,
} from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import {
  AreaField,
  CheckField,
  ChoicesField,
  LineField,
  SelectField,
} from '../../ui/form/fields.tsx';
import { useToldError } from '../../ui/form/told.ts';
import { SecretField, Section } from './section.tsx';
import { updateCaptcha, updateRegistration, updateSignOn } from './setting.api.ts';
import {
  domainsOf,
  lineError,
  registrationErrors,
  registrationTexts,
  type FieldErrors,
} from './values.ts';

/** What is wrong with a field that has no place for it of its own. */
function Told({ error }: { readonly error: string | undefined }): ReactNode {
  const told = useToldError(error ?? null);
  return told ? <p className="field-error">{told}</p> : null;
}

const withoutNull = (errors: Readonly<Record<string, string | null>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([field, text]) => (text === null ? [] : [[field, text]])),
  );

export function RegistrationSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['registration'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.registration;
  return (
    <Section
      group="registration"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={registrationTexts(state.Values)}
      errorsOf={(values) => registrationErrors(values, messages)}
      save={(values, Version) =>
        updateRegistration({
          Version,
          Values: { ...values, Domains: domainsOf(values.Domains) },
        })
      }
    >
      {({ values, errors, change }) => (
        <>
          <SelectField
            label={words.mode}
            value={values.Mode}
            options={REGISTRATION_MODES.map((value) => ({ value, label: words.modes[value] }))}
            onChange={(chosen) =>
              change({ Mode: REGISTRATION_MODES.find((mode) => mode === chosen) ?? values.Mode })
            }
          />
          {values.Mode === 'byDomain' ? (
            <AreaField
              label={words.domains}
              hint={words.domainsHint}
              max={SITE_LIMITS.emailDomains * SITE_LIMITS.host}
              rows={4}
              isRequired
              value={values.Domains}
              error={errors['Domains']}
              onChange={(Domains) => change({ Domains })}
            />
          ) : null}
          {values.Mode === 'closed' ? null : (
            <div className="stack">
              <ChoicesField
                label={words.identities}
                values={values.Identities}
                options={IDENTITIES.map((value) => ({
                  value,
                  label: messages.common.userTypes[value],
                }))}
                onChange={(chosen) =>
                  change({ Identities: IDENTITIES.filter((one) => chosen.includes(one)) })
                }
              />
              <Told error={errors['Identities']} />
            </div>
          )}
        </>
      )}
    </Section>
  );
}

export function SignOnSection({
  provider,
  state,
  isReadOnly,
}: {
  readonly provider: SsoProvider;
  readonly state: SettingGroups[SsoProvider];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.signOn;
  const { form } = messages;
  const saved = state.Values;
  return (
    <Section
      group={provider}
      title={words.title(messages.sso.providers[provider])}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={saved}
      errorsOf={({ IsOn, Issuer, ClientID, NameZh, NameEn }) =>
        withoutNull({
          Issuer:
            Issuer.trim() !== ''
              ? isSafeAddress(Issuer.trim())
                ? null
                : form.invalid(words.issuer)
              : IsOn && !state.Defaults.IsOn
                ? words.issuerMissing
                : null,
          ClientID: lineError(messages, words.clientID, ClientID, SITE_LIMITS.key, IsOn),
          NameZh: lineError(messages, form.inChinese(words.name), NameZh, SITE_LIMITS.providerName),
          NameEn: lineError(messages, form.inEnglish(words.name), NameEn, SITE_LIMITS.providerName),
        })
      }
      save={(values, Version, secret) =>
        updateSignOn(provider, {
          Version,
          Values: { ...values, Issuer: values.Issuer.trim() },
          ...(secret === undefined ? {} : { Secret: secret }),
        })
      }
    >
      {({ values, errors, change, secret, setSecret }) => (
        <>
          <CheckField
            label={messages.setting.on}
            isOn={values.IsOn}
            onChange={(IsOn) => change({ IsOn })}
          />
          <LineField
            label={words.issuer}
            hint={words.issuerHint}
            max={SITE_LIMITS.address}
            value={values.Issuer}
            error={errors['Issuer']}
            onChange={(Issuer) => change({ Issuer })}
          />
          <LineField
            label={words.clientID}
            hint={words.callback(`${window.location.origin}/login/${provider}`)}
            max={SITE_LIMITS.key}
            isRequired={values.IsOn}
            value={values.ClientID}
            error={errors['ClientID']}
            onChange={(ClientID) => change({ ClientID })}
          />
          <SecretField
            label={words.secret}
            state={state.Secret}
            hasMoved={
              values.Issuer.trim() !== saved.Issuer || values.ClientID.trim() !== saved.ClientID
            }
            value={secret}
            onChange={setSecret}
          />
          <div className="form-grid">
            <LineField
              label={form.inChinese(words.name)}
              hint={words.nameHint}
              max={SITE_LIMITS.providerName}
              value={values.NameZh}
              error={errors['NameZh']}
              onChange={(NameZh) => change({ NameZh })}
            />
            <LineField
              label={form.inEnglish(words.name)}
              max={SITE_LIMITS.providerName}
              value={values.NameEn}
              error={errors['NameEn']}
              onChange={(NameEn) => change({ NameEn })}
            />
          </div>
        </>
      )}
    </Section>
  );
}

export function CaptchaSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['captcha'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.captcha;
  const saved = state.Values;
  return (
    <Section
      group="captcha"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={saved}
      errorsOf={({ Provider, AppKey, AccessKeyID }) =>
        withoutNull({
          AppKey: lineError(messages, words.appKey, AppKey, SITE_LIMITS.key, Provider === 'aliyun'),
          AccessKeyID: lineError(
            messages,
            words.accessKeyID,
            AccessKeyID,
            SITE_LIMITS.key,
            Provider === 'aliyun',
          ),
        })
      }
      save={(Values, Version, secret) =>
        updateCaptcha({ Version, Values, ...(secret === undefined ? {} : { Secret: secret }) })
      }
    >
      {({ values, errors, change, secret, setSecret }) => (
        <>
          <SelectField
            label={words.provider}
            hint={values.Provider === 'off' ? words.off : null}
            value={values.Provider}
            options={CAPTCHA_PROVIDERS.map((value) => ({ value, label: words.providers[value] }))}
            onChange={(chosen) =>
              change({
                Provider: CAPTCHA_PROVIDERS.find((name) => name === chosen) ?? values.Provider,
              })
            }
          />
          {values.Provider === 'aliyun' ? (
            <>
              <LineField
                label={words.appKey}
                max={SITE_LIMITS.key}
                isRequired
                value={values.AppKey}
                error={errors['AppKey']}
                onChange={(AppKey) => change({ AppKey })}
              />
              <LineField
                label={words.accessKeyID}
                max={SITE_LIMITS.key}
                isRequired
                value={values.AccessKeyID}
                error={errors['AccessKeyID']}
                onChange={(AccessKeyID) => change({ AccessKeyID })}
              />
              <SecretField
                label={words.secret}
                state={state.Secret}
                hasMoved={values.AccessKeyID.trim() !== saved.AccessKeyID}
                value={secret}
                onChange={setSecret}
              />
            </>
          ) : null}
        </>
      )}
    </Section>
  );
}
