/** Limits of environments and files, and how long things are kept. */
import { SETTING_LIMITS, type SettingGroups } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { NumberField } from '../../ui/form/fields.tsx';
import { Section } from './section.tsx';
import { updateLimits, updateRetention } from './setting.api.ts';
import { LIMIT_ENTRIES, limitOf, limitTexts, wholeOf } from './values.ts';

export function LimitsSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['limits'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.limits;
  const saved = limitTexts(state.Values);
  return (
    <Section
      group="limits"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={saved}
      errorsOf={(values) =>
        Object.fromEntries(
          LIMIT_ENTRIES.flatMap((entry) =>
            limitOf(entry, values[entry.key]) === undefined
              ? [
                  [
                    entry.key,
                    messages.form.outOfRange(
                      words[entry.label],
                      String(entry.limits.min / entry.unit),
                      String(entry.limits.max / entry.unit),
                    ),
                  ],
                ]
              : [],
          ),
        )
      }
      save={(values, Version) => {
        // Only those: the others go on following the configuration.
        const changed = LIMIT_ENTRIES.filter(({ key }) => values[key] !== saved[key]);
        const Values = Object.fromEntries(
          changed.map((entry) => [entry.key, limitOf(entry, values[entry.key])]),
        );
        return updateLimits({ Version, Values });
      }}
    >
      {({ values, errors, change }) => (
        <div className="form-grid">
          {LIMIT_ENTRIES.map((entry) => {
            const usual = state.Defaults[entry.key];
            const usualText = messages.setting.default(
              usual === null ? words.unlimited : String(usual / entry.unit),
            );
            return (
              <NumberField
                key={entry.key}
                label={words[entry.label]}
                hint={[entry.hint === undefined ? '' : words[entry.hint], usualText]
                  .filter((text) => text !== '')
                  .join(messages.common.dotSeparator)}
                min={entry.limits.min / entry.unit}
                max={entry.limits.max / entry.unit}
                value={values[entry.key]}
                error={errors[entry.key] ?? null}
                onChange={(text) => change({ [entry.key]: text })}
              />
            );
          })}
        </div>
      )}
    </Section>
  );
}

const KEPT = [
  { key: 'TrackDays', label: 'trackDays', hint: 'trackDaysHint', limits: SETTING_LIMITS.trackDays },
  { key: 'MailDays', label: 'mailDays', hint: 'mailDaysHint', limits: SETTING_LIMITS.mailDays },
] as const;

export function RetentionSection({
  state,
  isReadOnly,
}: {
  readonly state: SettingGroups['retention'];
  readonly isReadOnly: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.setting.retention;
  return (
    <Section
      group="retention"
      title={words.title}
      lead={words.lead}
      state={state}
      isReadOnly={isReadOnly}
      texts={{
        TrackDays: String(state.Values.TrackDays),
        MailDays: String(state.Values.MailDays),
      }}
      errorsOf={(values) =>
        Object.fromEntries(
          KEPT.flatMap(({ key, label, limits }) =>
            wholeOf(values[key], limits) === undefined
              ? [
                  [
                    key,
                    messages.form.outOfRange(words[label], String(limits.min), String(limits.max)),
                  ],
                ]
              : [],
          ),
        )
      }
      save={({ TrackDays, MailDays }, Version) =>
        updateRetention({
          Version,
          Values: { TrackDays: Number(TrackDays), MailDays: Number(MailDays) },
        })
      }
    >
      {({ values, errors, change }) => (
        <div className="form-grid">
          {KEPT.map(({ key, label, hint, limits }) => (
            <NumberField
              key={key}
              label={words[label]}
              hint={[words[hint], messages.setting.default(String(state.Defaults[key]))].join(
                messages.common.dotSeparator,
              )}
              min={limits.min}
              max={limits.max}
              value={values[key]}
              error={errors[key] ?? null}
              onChange={(text) => change({ [key]: text })}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
