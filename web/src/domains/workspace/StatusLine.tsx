/** The line below the machine: what it has and what it uses. */
import type { Usage } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { UsageFigures } from '../usage/UsageFigures.tsx';

export function StatusLine({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages();
  return (
    <section className="status-line" aria-label={messages.usage.workspace.status}>
      <span>
        {[
          messages.usage.types[usage.Type],
          messages.usage.size(messages.common.cpus(usage.Cpus), formatBytes(usage.MemoryBytes)),
        ].join(messages.common.dotSeparator)}
      </span>
      <UsageFigures usage={usage} withProcesses />
    </section>
  );
}
