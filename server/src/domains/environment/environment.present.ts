import { remainingSeconds, type Environment, type Language } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { EnvironmentRow } from './environment.queries.ts';

/** An environment as those see it who run the place: who has it, and not what is in it. */
export function presentEnvironment(
  row: EnvironmentRow,
  now: Date,
  language: Language,
): Environment {
  const status = row.status as Environment['Status'];
  const phase = row.phase as Environment['Phase'];
  const remaining = remainingSeconds(
    {
      Status: status,
      Phase: phase,
      RenewalTime: row.renewalTime,
      Lifetime: row.lifetimeSeconds,
      ServerTime: now.getTime() / 1000,
    },
    0,
  );
  return {
    ID: row.id,
    User: { ID: row.userID, Username: row.username, Nickname: row.nickname },
    Title: inLanguage(language, row.titleZh, row.titleEn),
    Type: row.type as Environment['Type'],
    Status: status,
    Phase: phase,
    Position: row.position,
    IsHeld: row.isHeld,
    Cpus: row.cpus,
    MemoryBytes: row.memoryBytes,
    Nodes: row.nodes.map((node) => node.name),
    Machine: row.machine,
    Remaining: remaining === null ? null : Math.floor(remaining),
    CreatedAt: row.createdAt.toISOString(),
    ReadyAt: row.readyAt?.toISOString() ?? null,
  };
}
