/** What people say of themselves. */
import {
  ACCOUNT_LIMITS,
  Gender,
  TEXT_LIMITS,
  accountFields,
  type BodyInputOf,
  type User,
  type routes,
} from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Catalogue } from '@hypercube/messages';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { OrganisationField } from '../registration/OrganisationField.tsx';
import { showUser, updateUser } from './settings.api.ts';

/** As they stand in the fields: nothing is an empty text. */
const valuesOf = (user: User) => ({
  Nickname: user.Nickname,
  RealName: user.RealName ?? '',
  Phone: user.Phone ?? '',
  Gender: user.Gender === null ? '' : String(user.Gender),
  Organisation: user.Organisation ?? '',
  StudentNumber: user.StudentNumber ?? '',
});
export type ProfileValues = ReturnType<typeof valuesOf>;
type Field = keyof ProfileValues;
const FIELDS = [
  'Nickname',
  'RealName',
  'Phone',
  'Gender',
  'Organisation',
  'StudentNumber',
] as const satisfies readonly Field[];
const OPTIONAL: ReadonlySet<Field> = new Set(['RealName', 'StudentNumber']);

/** What changed, as it is sent: what stays is left out, and an optional field can be emptied. */
export function changesOf(
  values: ProfileValues,
  saved: ProfileValues,
): BodyInputOf<typeof routes.updateUser> {
  const changed = FIELDS.filter((field) => values[field].trim() !== saved[field]);
  return Object.fromEntries(
    changed.map((field) => {
      const text = values[field].trim();
      if (field === 'Gender') return [field, Number(text)];
      return [field, text === '' && OPTIONAL.has(field) ? null : text];
    }),
  );
}

/**
 * What is wrong, by field. What was there before the rules, or before the account was complete,
 * is not held against somebody who changes something else.
 */
export function profileErrors(
  values: ProfileValues,
  saved: ProfileValues,
  messages: Catalogue,
): Record<string, string> {
  const words = messages.account;
  const labels: Record<Field, string> = {
    Nickname: words.nickname,
    RealName: words.realName,
    Phone: words.phone,
    Gender: words.gender,
    Organisation: words.organisation,
    StudentNumber: words.studentNumber,
  };
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(changesOf(values, saved))) {
    const field = name as Field;
    if (value === null || accountFields[field].safeParse(value).success) continue;
    if (field === 'Nickname')
      found[field] = words.nicknameLength(ACCOUNT_LIMITS.nicknameMin, ACCOUNT_LIMITS.nicknameMax);
    else if (values[field].trim() === '') found[field] = messages.form.required(labels[field]);
    else found[field] = messages.form.invalid(labels[field]);
  }
  return found;
}

export function ProfileForm({ user }: { readonly user: User }): ReactNode {
  const messages = useMessages();
  const words = messages.account;
  const client = useQueryClient();
  const saved = valuesOf(user);
  const form = useDraft<ProfileValues>(`profile-${user.ID}`, saved);
  const values = form.values ?? saved;
  const saving = useMutation({
    mutationFn: () => updateUser(user.ID, changesOf(values, saved)),
    onSuccess: (changed) => {
      showUser(client, changed);
      form.forget();
      toast('success', messages.form.saved);
    },
    meta: { isHandled: true },
  });
  const errors = profileErrors(values, saved, messages);
  const field = (name: Field, max: number) => ({
    value: values[name],
    max,
    error: errors[name] ?? null,
    onChange: (text: string) => form.change({ [name]: text }),
  });
  return (
    <section className="card settings-card" aria-labelledby="profile">
      <div>
        <h2 id="profile">{words.profile}</h2>
        <p className="muted">{words.profileLead}</p>
      </div>
      <dl className="profile">
        <div>
          <dt>{words.usernameLabel}</dt>
          <dd>{user.Username}</dd>
        </div>
        <div>
          <dt>{words.identity}</dt>
          <dd>{words.types[user.Type]}</dd>
        </div>
      </dl>
      <Form
        label={words.profile}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={form.isDirty}
        submit={messages.form.save}
        onSubmit={() => {
          if (Object.keys(changesOf(values, saved)).length === 0) form.forget();
          else saving.mutate();
        }}
        extra={
          form.isDirty ? (
            <Button look="quiet" onClick={form.forget}>
              {messages.form.discard}
            </Button>
          ) : null
        }
      >
        <LineField
          label={words.nickname}
          isRequired
          {...field('Nickname', ACCOUNT_LIMITS.nicknameMax)}
        />
        <LineField
          label={words.realName}
          hint={words.optional}
          {...field('RealName', TEXT_LIMITS.realName)}
        />
        <LineField label={words.phone} hint={words.phoneRule} {...field('Phone', 16)} />
        <SelectField
          label={words.gender}
          value={values.Gender}
          empty={messages.form.choose}
          options={Object.values(Gender).map((gender) => ({
            value: String(gender),
            label: words.genders[gender],
          }))}
          error={errors['Gender'] ?? null}
          onChange={(text) => form.change({ Gender: text })}
        />
        <OrganisationField
          value={values.Organisation}
          error={errors['Organisation'] ?? null}
          onChange={(Organisation) => form.change({ Organisation })}
        />
        <LineField
          label={words.studentNumber}
          hint={words.optional}
          {...field('StudentNumber', ACCOUNT_LIMITS.studentNumberMax)}
        />
      </Form>
    </section>
  );
}
