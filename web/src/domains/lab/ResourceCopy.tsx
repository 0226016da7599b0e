/** Copies the starter files into the user's data, asking before anything is overwritten. */
import type { COPY_CONFLICT_ACTIONS } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CopyIcon } from '../../ui/icons.tsx';
import { copyResources } from './lab.api.ts';

type OnConflict = (typeof COPY_CONFLICT_ACTIONS)[number];

export interface CopyProps {
  readonly labID: number;
  /** All files when absent. */
  readonly resourceIDs?: readonly number[];
  readonly label?: string;
  readonly look?: 'plain' | 'primary' | 'quiet';
  readonly isSmall?: boolean;
  readonly onDone?: () => void;
}

export function ResourceCopy({
  labID,
  resourceIDs,
  label,
  look,
  isSmall,
  onDone,
}: CopyProps): ReactNode {
  const messages = useMessages();
  const [conflict, setConflict] = useState<readonly string[] | null>(null);
  const copy = useMutation({
    mutationFn: (onConflict: OnConflict | null) =>
      copyResources(labID, {
        ...(resourceIDs === undefined ? {} : { ResourceIDList: [...resourceIDs] }),
        ...(onConflict === null ? {} : { OnConflict: onConflict }),
      }),
    onSuccess: (result) => {
      setConflict(null);
      const parts = [messages.lab.copiedTo(result.Folder, result.Copied.length)];
      if (result.Renamed.length > 0) {
        const pairs = result.Renamed.map((pair) => messages.lab.renamedPair(pair.From, pair.To));
        parts.push(messages.lab.copiedRenamed(pairs.join(messages.common.listSeparator)));
      }
      if (result.Kept.length > 0) {
        parts.push(messages.lab.copiedKept(result.Kept.join(messages.common.listSeparator)));
      }
      toast('success', parts.join(messages.common.clauseSeparator));
      onDone?.();
    },
    onError: (error) => {
      if (!isApiError(error, 'copy_conflict')) return;
      const names = error.params['Names'];
      setConflict(Array.isArray(names) ? names.map(String) : []);
    },
    meta: { handledCodes: ['copy_conflict'] },
  });
  return (
    <>
      <Button
        look={look}
        isSmall={isSmall}
        isBusy={copy.isPending && conflict === null}
        onClick={() => copy.mutate(null)}
      >
        {copy.isPending ? null : <CopyIcon />}
        {copy.isPending ? messages.lab.copying : (label ?? messages.lab.copyAll)}
      </Button>
      {conflict === null ? null : (
        <Dialog title={messages.lab.conflictTitle} onClose={() => setConflict(null)}>
          <p>{messages.lab.conflictText}</p>
          <ul className="conflict-names mono">
            {conflict.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <div className="stack">
            <Button look="primary" isBusy={copy.isPending} onClick={() => copy.mutate('keep')}>
              {messages.lab.conflictKeep}
            </Button>
            <Button isBusy={copy.isPending} onClick={() => copy.mutate('rename')}>
              {messages.lab.conflictRename}
            </Button>
            <Button look="danger" isBusy={copy.isPending} onClick={() => copy.mutate('replace')}>
              {messages.lab.conflictReplace}
            </Button>
            <p className="field-hint">{messages.lab.conflictReplaceHint}</p>
          </div>
        </Dialog>
      )}
    </>
  );
}
