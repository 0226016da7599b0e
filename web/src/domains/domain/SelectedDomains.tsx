/** The domains that one wants to see in catalogues, kept on the server. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
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
  /** What is being saved, shown before the server has it. */
  const [wanted, setWanted] = useState<readonly number[] | null>(null);
  const saving = useMutation({
    mutationFn: (ids: number[]) => selectDomains(userID, ids),
    onSuccess: ({ DomainIDList }) => {
      client.setQueryData(query.queryKey, DomainIDList);
      toast('success', words.mineSaved);
    },
    onError: (error) => {
      toast('error', describeError(messages, error));
      void client.invalidateQueries({ queryKey: query.queryKey });
    },
    onSettled: () => setWanted(null),
    meta: { isHandled: true },
  });
  if (domains.data === undefined || domains.data.length === 0 || selected.data === undefined)
    return null;
  return (
    <ChoicesField
      label={words.mine}
      hint={words.mineHint}
      values={wanted ?? selected.data}
      options={domains.data.map(({ ID, Title }) => ({ value: ID, label: Title }))}
      onChange={(ids) => {
        setWanted(ids);
        saving.mutate(ids);
      }}
    />
  );
}
