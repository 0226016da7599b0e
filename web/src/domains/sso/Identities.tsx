/** Which other sites open one's own account. */
import type { LinkedIdentity, SsoProvider } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatDay } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useProviderName } from './names.ts';
import { beginSignOn, deleteIdentity, identitiesQuery, providersQuery } from './sso.api.ts';

/** Nothing where no provider is configured and none was linked. */
export function Identities({ userID }: { readonly userID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.sso;
  const client = useQueryClient();
  const providerName = useProviderName();
  const providers = useQuery(providersQuery);
  const { data, error, refetch } = useQuery(identitiesQuery(userID));
  const [leaving, setLeaving] = useState<LinkedIdentity | null>(null);
  const unlink = useMutation({
    mutationFn: (identity: LinkedIdentity) => deleteIdentity(userID, identity.ID),
    onSuccess: () => toast('success', words.unlinked),
    onError: (failure) => toast('error', describeError(messages, failure)),
    onSettled: async () => {
      setLeaving(null);
      await client.invalidateQueries({ queryKey: identitiesQuery(userID).queryKey });
    },
    meta: { isHandled: true },
  });
  // By this button alone and never by an address: a page elsewhere could lead somebody to one, and
  // have its own identity added to their account.
  const link = useMutation({
    mutationFn: (provider: SsoProvider) =>
      beginSignOn(provider, { Redirect: paths.settings, IsLinking: true }),
    onSuccess: ({ Address }) => window.location.assign(Address),
  });
  const linked = data?.List ?? [];
  const configured = providers.data?.List.map(({ Provider }) => Provider) ?? [];
  const shown = [...new Set([...configured, ...linked.map(({ Provider }) => Provider)])];
  if (shown.length === 0 && !error) return null;
  return (
    <section className="card settings-card" aria-labelledby="identities">
      <div>
        <h2 id="identities">{words.identities}</h2>
        <p className="muted">{words.identitiesLead}</p>
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="setting-rows">
          {shown.map((provider) => {
            const name = providerName(provider);
            const identity = linked.find(({ Provider }) => Provider === provider);
            return (
              <li key={provider}>
                <div>
                  <b>{name}</b>
                  <div className="muted">
                    {identity === undefined
                      ? words.notLinked
                      : words.linkedAs(identity.Name, formatDay(identity.CreatedAt, language))}
                  </div>
                </div>
                {identity === undefined ? (
                  <Button
                    aria-label={words.linkNamed(name)}
                    isBusy={link.isPending && link.variables === provider}
                    onClick={() => link.mutate(provider)}
                  >
                    {words.link}
                  </Button>
                ) : (
                  <Button
                    look="danger"
                    aria-label={words.unlinkNamed(name)}
                    onClick={() => setLeaving(identity)}
                  >
                    {words.unlink}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {leaving === null ? null : (
        <ConfirmDialog
          title={words.unlinkTitle}
          text={words.unlinkText(providerName(leaving.Provider))}
          confirm={words.unlink}
          isBusy={unlink.isPending}
          onConfirm={() => unlink.mutate(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  );
}
