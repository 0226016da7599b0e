/** What people say of themselves. */
import {
  ACCOUNT_LIMITS,
  Gender,
  TEXT_LIMITS,
  TeacherApplyStatus,
  type User,
} from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { OrganisationField } from '../registration/OrganisationField.tsx';
import { changesOf, profileErrors, valuesOf, type Field, type ProfileValues } from './profile.ts';
import { showUser, updateUser } from './settings.api.ts';

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
  // A type alone would promise what the account may not do yet.
  const state =
    user.Status === TeacherApplyStatus.waiting
      ? words.teacherStates.waiting
      : user.Status === TeacherApplyStatus.disapproved
        ? words.teacherStates.disapproved
        : undefined;
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
          <dd>
            {messages.common.userTypes[user.Type]}
            {state === undefined ? null : <div className="muted">{state}</div>}
          </dd>
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
