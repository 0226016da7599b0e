/** What the environment's owner must know beside the time: a full folder, a node that was lost. */
import type { Usage } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';

export function NoticeBands({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages();
  const words = messages.usage.notices;
  const { Storage, LostNode } = usage;
  const isFull = Storage !== null && Storage.UsedBytes > Storage.QuotaBytes;
  return (
    <>
      {isFull ? (
        <div className="warn-band" role="alert">
          <p>
            <b>{words.storageFull}</b>
            {words.storageText(formatBytes(Storage.UsedBytes), formatBytes(Storage.QuotaBytes))}
          </p>
        </div>
      ) : null}
      {LostNode === null ? null : (
        <div className="warn-band" role="alert">
          <p>
            <b>{words.nodeLost(LostNode.Name)}</b>
            {LostNode.IsBack ? words.nodeBack : words.nodeDown}
          </p>
        </div>
      )}
    </>
  );
}
