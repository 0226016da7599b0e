/** The few numbers that matter to whoever runs the hosts. */
import type { AnswerOf, routes } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatBytes, formatCountdown, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { Skeleton } from '../../ui/states.tsx';
import './environment.css';

type Capacity = AnswerOf<typeof routes.getCapacity>;

function Card({
  title,
  value,
  note,
  share,
}: {
  readonly title: string;
  readonly value: string;
  readonly note: string;
  /** Filled part of the bar below, 0 to 1. */
  readonly share?: number;
}): ReactNode {
  return (
    <div className="card capacity-card">
      <div className="muted">{title}</div>
      <div className="capacity-value num">{value}</div>
      {share === undefined ? null : (
        <div className={share > 0.9 ? 'bar bar-amber' : 'bar'} aria-hidden="true">
          <i style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
        </div>
      )}
      <div className="muted">{note}</div>
    </div>
  );
}

export function CapacityCards({
  capacity,
}: {
  readonly capacity: Capacity | undefined;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.environment;
  if (!capacity) return <Skeleton style={{ height: 120, marginBottom: 16 }} />;
  const { Cpus, MemoryBytes, DiskBytes } = capacity;
  const notes = [
    capacity.Paused > 0 ? words.cards.paused(capacity.Paused) : '',
    capacity.Starting > 0 ? words.cards.starting(capacity.Starting) : '',
    capacity.MaxSessions === null ? '' : words.cards.limit(capacity.MaxSessions),
  ].filter((text) => text !== '');
  const { dotSeparator } = messages.common;
  return (
    <>
      <div className="capacity">
        <Card
          title={words.cards.running}
          value={String(capacity.Running)}
          note={notes.join(dotSeparator)}
        />
        <Card
          title={words.cards.queued}
          value={String(capacity.Queued)}
          note={
            capacity.OldestWaitSeconds === null
              ? words.cards.noWait
              : words.cards.wait(formatCountdown(capacity.OldestWaitSeconds))
          }
        />
        <Card
          title={words.cards.cpus}
          value={words.cards.ofCores(String(Cpus.Reserved), String(Cpus.Limit))}
          note={words.cards.hostCores(Cpus.Host)}
          share={Cpus.Limit > 0 ? Cpus.Reserved / Cpus.Limit : 0}
        />
        <Card
          title={words.cards.memory}
          value={`${formatBytes(MemoryBytes.Reserved)} / ${formatBytes(MemoryBytes.Limit)}`}
          note={words.cards.free(formatBytes(MemoryBytes.Free))}
          share={MemoryBytes.Limit > 0 ? MemoryBytes.Reserved / MemoryBytes.Limit : 0}
        />
        <Card
          title={words.cards.disk}
          value={formatBytes(DiskBytes.Free)}
          note={words.cards.ofDisk(formatBytes(DiskBytes.Host))}
          share={DiskBytes.Host > 0 ? 1 - DiskBytes.Free / DiskBytes.Host : 0}
        />
      </div>
      {capacity.Workers.length === 0 ? (
        <p className="notice notice-warn">{words.noWorker}</p>
      ) : (
        <details className="capacity-workers">
          <summary>{words.workers}</summary>
          <ul className="stack">
            {capacity.Workers.map((worker) => (
              <li key={`${worker.Machine} ${worker.SeenAt}`} className="row row-wrap">
                <span
                  className={worker.IsReady ? 'dot dot-good' : 'dot dot-bad'}
                  aria-hidden="true"
                />
                <b>{worker.Machine}</b>
                <span>{worker.IsReady ? words.workerReady : words.workerNotReady}</span>
                <span className="muted">
                  {[worker.Engine, `${words.seen} ${formatMoment(worker.SeenAt, language)}`].join(
                    dotSeparator,
                  )}
                </span>
                {worker.Reason === null ? null : <span className="red">{worker.Reason}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
