/** The mail server, and a mail to try it with. */
import {
  MAIL_SECURITIES,
  SETTING_LIMITS,
  SITE_LIMITS,
  type SettingGroups,
} from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckField, LineField, NumberField, SelectField } from '../../ui/form/fields.tsx';
import { SecretField, Section } from './section.tsx';
import { sendTestMail, updateMail } from './setting.api.ts';
import { mailErrors, type MailTexts } from './values.ts';

/** The server's own answer is shown as it is: whoever runs the place searches by it. */
function Trial({ obstacle }: { readonly obstacle: string | null }): ReactNode {
  const messages = useMessages();
  const words = messages.setting.mail;
  const trying = useMutation({ mutationFn: sendTestMail, meta: { isHandled: true } });
  const { data, error } = trying;
  return (
    <div className="setting-trial">
      <Button isBusy={trying.isPending} obstacle={obstacle} onClick={() => trying.mutate()}>
        {words.try}
      </Button>
      <output className="setting-trial-answer">
        {trying.isPending || (data === undefined && error === null) ? null : (
          <div className={data?.IsSent === true ? 'notice' : 'notice notice-bad'}>
            {data === undefined ? (
              <p>{describeError(messages, error)}</p>
            ) : (
              <>
                <p>{data.IsSent ? words.tried(data.To) : words.failed(data.To)}</p>
                <p className="muted">{words.answer}</p>
                <p className="mono setting-answer">{data.Answer}</p>
              </>
            )}
          </div>
        )}
      </output>
    </div>
  );
}

export function MailSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['mail'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.mail;
  const { Port, ...saved } = state.Values;
  return (
    <Section<'mail', MailTexts>
      group="mail"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={{ ...saved, Port: String(Port) }}
      errorsOf={(values) => mailErrors(values, messages)}
      save={(values, Version, secret) =>
        updateMail({
          Version,
          Values: {
            ...values,
            Host: values.Host.trim(),
            SenderAddress: values.SenderAddress.trim(),
            Port: Number(values.Port),
          },
          // Without a name there is nothing that a password would belong to.
          ...(values.User.trim() === ''
            ? { Secret: null }
            : secret === undefined
              ? {}
              : { Secret: secret }),
        })
      }
      after={({ isDirty }) => (
        <Trial obstacle={isDirty ? words.tryObstacle : state.Values.IsOn ? null : words.tryOff} />
      )}
    >
      {({ values, errors, change, secret, setSecret }) => (
        <>
          <CheckField
            label={messages.setting.on}
            isOn={values.IsOn}
            onChange={(IsOn) => change({ IsOn })}
          />
          <div className="form-grid">
            <LineField
              label={words.host}
              max={SITE_LIMITS.host}
              isRequired={values.IsOn}
              value={values.Host}
              error={errors['Host']}
              onChange={(Host) => change({ Host })}
            />
            <NumberField
              label={words.port}
              min={SETTING_LIMITS.port.min}
              max={SETTING_LIMITS.port.max}
              value={values.Port}
              error={errors['Port']}
              onChange={(text) => change({ Port: text })}
            />
          </div>
          <SelectField
            label={words.security}
            value={values.Security}
            options={MAIL_SECURITIES.map((value) => ({ value, label: words.securities[value] }))}
            onChange={(chosen) =>
              change({
                Security: MAIL_SECURITIES.find((value) => value === chosen) ?? values.Security,
              })
            }
          />
          <LineField
            label={words.user}
            hint={words.userHint}
            max={SITE_LIMITS.account}
            value={values.User}
            error={errors['User']}
            onChange={(User) => change({ User })}
          />
          {values.User.trim() === '' ? null : (
            <SecretField
              label={words.password}
              state={state.Secret}
              hasMoved={
                values.Host.trim() !== state.Values.Host || values.User.trim() !== state.Values.User
              }
              value={secret}
              onChange={setSecret}
            />
          )}
          <div className="form-grid">
            <LineField
              label={words.senderName}
              max={SITE_LIMITS.name}
              value={values.SenderName}
              error={errors['SenderName']}
              onChange={(SenderName) => change({ SenderName })}
            />
            <LineField
              label={words.senderAddress}
              max={254}
              isRequired={values.IsOn}
              value={values.SenderAddress}
              error={errors['SenderAddress']}
              onChange={(SenderAddress) => change({ SenderAddress })}
            />
          </div>
        </>
      )}
    </Section>
  );
}
