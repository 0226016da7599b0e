import type { ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../Button.tsx';

interface DraftActionsProps {
  /** What the last try to save was refused with. */
  readonly failure: unknown;
  /** Begins again with what the server has, where somebody else was faster. */
  readonly onReload: () => void;
  /** Puts the fields back; undefined while there is nothing to put back. */
  readonly onDiscard?: (() => void) | undefined;
  /** Refusals beside `changed_meanwhile` that mean the same. */
  readonly isOld?: boolean;
}

/** What a form of something that others change as well offers beside saving. */
export function DraftActions({
  failure,
  onReload,
  onDiscard,
  isOld = false,
}: DraftActionsProps): ReactNode {
  const messages = useMessages();
  if (isOld || isApiError(failure, 'changed_meanwhile'))
    return <Button onClick={onReload}>{messages.form.reload}</Button>;
  return onDiscard ? (
    <Button look="quiet" onClick={onDiscard}>
      {messages.form.discard}
    </Button>
  ) : null;
}
