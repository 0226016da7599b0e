/** What an environment uses now: processor, memory, network. Asked for while it shows. */
import type { Usage } from '@hypercube/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { figuresOf } from './figures.ts';
import { containersQuery } from './usage.api.ts';
import './usage.css';

export function UsageFigures({
  usage,
  withProcesses = false,
}: {
  readonly usage: Usage;
  readonly withProcesses?: boolean;
}): ReactNode {
  const messages = useMessages();
  const { data, isError } = useQuery(containersQuery(useQueryClient(), usage.ID));
  // After a failed reading the old figures would only look alive.
  const figures = data === undefined || isError ? null : figuresOf(data.before, data.now);
  const { unknown } = messages.common;
  const words = messages.usage.workspace;
  const memory = figures?.memoryBytes ?? null;
  const limit =
    figures === null || figures.memoryLimitBytes === 0
      ? usage.MemoryBytes
      : figures.memoryLimitBytes;
  const perSecond = (bytes: number | null | undefined): string =>
    bytes == null ? unknown : messages.usage.perSecond(formatBytes(Math.round(bytes)));
  return (
    <>
      <span className="num">
        {words.cpu(figures?.cpuPercent == null ? unknown : `${figures.cpuPercent}%`)}
      </span>
      <span className="num">
        {words.memory(memory === null ? unknown : formatBytes(memory), formatBytes(limit))}
      </span>
      <span className="num">
        {words.network(perSecond(figures?.receivedPerSecond), perSecond(figures?.sentPerSecond))}
      </span>
      {withProcesses ? (
        <span className="num">
          {words.processes(figures?.processes == null ? unknown : String(figures.processes))}
        </span>
      ) : null}
    </>
  );
}
