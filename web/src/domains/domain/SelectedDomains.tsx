/** The domains that one wants to see in catalogues, kept on the server. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { ChoicesField } from '../../ui/form/fields.tsx';
import { domainsQuery } from '../catalogue/catalogue.api.ts';
import { selectDomains, selectedDomainsQuery } from './domain.api.ts';

/** A change is saved at once: it can be taken back as easily. */
export function SelectedDomains({ userID }: { readonly userID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.domain;
  const client = useQueryClient();
  const domains = useQuery(domainsQuery(language));
  const query = selectedDomainsQuery(userID);
  const selected = useQuery(query);
  const saving = useMutation({
    mutationFn: (ids: number[]) => selectDomains(userID, ids),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: query.queryKey });
      client.setQueryData(query.queryKey, ids);
    },
    onSuccess: ({ DomainIDList }) => {
      client.setQueryData(query.queryKey, DomainIDList);
      toast('success', words.mineSaved);
    },
    onError: (error) => {
      toast('error', describeError(messages, error));
      void client.invalidateQueries({ queryKey: query.queryKey });
    },
    meta: { isHandled: true },
  });
  if (domains.data === undefined || domains.data.length === 0 || selected.data === undefined)
    return null;
  return (
    <ChoicesField
      label={words.mine}
      hint={words.mineHint}
      values={selected.data}
      options={domains.data.map(({ ID, Title }) => ({ value: ID, label: Title }))}
      onChange={(ids) => saving.mutate(ids)}
    />
  );
}
