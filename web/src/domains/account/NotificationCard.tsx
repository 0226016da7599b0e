/** What somebody wants to hear of, and how; kept at once, as every preference. */
import {
  MAIL_CHOICES,
  NOTIFICATION_KINDS,
  type NotificationChoices,
  type NotificationKind,
  type User,
} from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { userQuery } from './account.api.ts';
import { updatePreferences } from './settings.api.ts';

export function NotificationCard({ user }: { readonly user: User }): ReactNode {
  const messages = useMessages();
  const words = messages.account;
  const client = useQueryClient();
  /** Chosen on this page: shown before the server has it, since it can be taken back. */
  const [chosen, setChosen] = useState<Partial<NotificationChoices>>({});
  const saving = useMutation({
    mutationFn: (change: Partial<NotificationChoices>) =>
      updatePreferences(user.ID, { NotificationChoices: change }),
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'notification-choices' },
    onSuccess: (changed) => client.setQueryData(userQuery(user.ID).queryKey, changed),
    onError: () => setChosen({}),
  });
  const choose = (kind: NotificationKind, choice: NotificationChoices[NotificationKind]): void => {
    setChosen((before) => ({ ...before, [kind]: choice }));
    saving.mutate({ [kind]: choice });
  };
  return (
    <section className="card settings-card" aria-labelledby="notification-choices">
      <div>
        <h2 id="notification-choices">{words.notifications}</h2>
        <p className="muted">{words.notificationsLead}</p>
      </div>
      <ul className="setting-rows">
        {NOTIFICATION_KINDS.map((kind) => {
          const choice = chosen[kind] ?? user.NotificationChoices[kind];
          const name = words.notificationKinds[kind];
          return (
            <li key={kind}>
              <b>{name}</b>
              <div className="row row-wrap">
                <label className="choice">
                  <input
                    type="checkbox"
                    aria-label={words.inboxOf(name)}
                    checked={choice.Inbox}
                    onChange={(event) => choose(kind, { ...choice, Inbox: event.target.checked })}
                  />
                  {words.inbox}
                </label>
                {choice.Inbox ? (
                  <Segments
                    label={words.mailOf(name)}
                    value={choice.Mail}
                    options={MAIL_CHOICES.map((value) => ({
                      value,
                      label: words.mailChoices[value],
                    }))}
                    onChange={(Mail) => choose(kind, { ...choice, Mail })}
                  />
                ) : (
                  // A mail tells of what is unread in the inbox.
                  <span className="muted">{words.noMailEither}</span>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
