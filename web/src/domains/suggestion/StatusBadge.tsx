import { SuggestionStatus } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';

/** In which state a suggestion is. */
export function StatusBadge({ status }: { readonly status: SuggestionStatus }): ReactNode {
  const messages = useMessages();
  return (
    <span className="row">
      <span
        className={status === SuggestionStatus.finished ? 'dot dot-good' : 'dot dot-busy'}
        aria-hidden="true"
      />
      {messages.suggestion.statuses[status]}
    </span>
  );
}
