import {
  PROXY_BASE,
  remainingSeconds,
  type ErrorCode,
  type ImageBuild,
  type Language,
  type Usage,
  type UsageCause,
  type UsageEvent,
  type UsagePhase,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { UsageRow } from './usage.queries.ts';

/** First part of a session's address, by session type. */
const PROXY_KINDS = { 1: 'desktop', 2: 'notebook', 3: 'ide' } as const;
export type ProxyKind = (typeof PROXY_KINDS)[keyof typeof PROXY_KINDS] | 'terminal';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

const pathFor = (kind: ProxyKind, row: Pick<UsageRow, 'host' | 'ip'>): string =>
  `${PROXY_BASE}/${kind}/${encode(row.host)}/${encode(row.ip)}/`;

export const proxyKindOf = (row: Pick<UsageRow, 'type'>): ProxyKind =>
  PROXY_KINDS[row.type as keyof typeof PROXY_KINDS];

/** `/proxy/notebook/<host>/<ip>/` of a usage (decision 9). */
export const proxyPathOf = (row: Pick<UsageRow, 'type' | 'host' | 'ip'>): string =>
  pathFor(proxyKindOf(row), row);

/** `/proxy/terminal/<host>/<ip>/`: every kind of session has terminals. */
const terminalPathOf = (row: Pick<UsageRow, 'host' | 'ip'>): string => pathFor('terminal', row);

const reasonOf = (row: UsageRow): Usage['Reason'] =>
  row.reasonCode === null
    ? null
    : { Code: row.reasonCode as ErrorCode, Params: row.reasonParams ?? {} };

export interface PresentContext {
  readonly now: Date;
  readonly language: Language;
  readonly position: number | null;
  readonly build: ImageBuild | null;
  readonly quotaBytes: number;
}

/** A usage as its owner sees it; every answer that carries one is made here. */
export function presentUsage(
  row: UsageRow,
  { now, language, position, build, quotaBytes }: PresentContext,
): Usage {
  const times: readonly (readonly [UsagePhase, Date | null])[] = [
    ['queued', row.createdAt],
    ['creating', row.creatingAt],
    ['starting', row.startingAt],
    ['waiting', row.waitingAt],
    ['ready', row.readyAt],
    ['failed', row.failedAt],
  ];
  const countdown = {
    Status: row.status as Usage['Status'],
    Phase: row.phase as UsagePhase,
    RenewalTime: row.renewalTime,
    Lifetime: row.lifetimeSeconds,
    ServerTime: now.getTime() / 1000,
  };
  const remaining = remainingSeconds(countdown, 0);
  return {
    ...countdown,
    ID: row.id,
    Position: position,
    Build: build,
    Reason: reasonOf(row),
    Remaining: remaining === null ? null : Math.floor(remaining),
    Version: row.version,
    Type: row.type as Usage['Type'],
    RouteName: row.routeName,
    RoutePath: row.routePath,
    Host: row.host,
    IP: row.ip,
    ProxyPath: row.phase === 'ready' ? proxyPathOf(row) : null,
    TerminalPath: row.phase === 'ready' ? terminalPathOf(row) : null,
    Nodes: row.nodes.map((node) => node.name),
    Title: inLanguage(language, row.titleZh, row.titleEn),
    LabID: row.labID,
    TaskID: row.taskID,
    SoftwareID: row.softwareID,
    ComputerID: row.computerID,
    SpecificationID: row.specificationID,
    Cpus: row.cpus,
    MemoryBytes: row.memoryBytes,
    Storage:
      row.storageBytes === null ? null : { UsedBytes: row.storageBytes, QuotaBytes: quotaBytes },
    LostNode:
      row.lostNode === null || row.lostNodeAt === null
        ? null
        : {
            Name: row.lostNode,
            At: row.lostNodeAt.toISOString(),
            IsBack: row.isLostNodeBack,
          },
    IsHeld: row.isHeld,
    PhaseTimes: Object.fromEntries(
      times.flatMap(([phase, time]) => (time ? [[phase, time.toISOString()]] : [])),
    ),
    CreatedAt: row.createdAt.toISOString(),
  };
}

/** How a usage ended, for the page that showed it. */
export const presentEnd = (
  row: UsageRow,
  language: Language,
): NonNullable<UsageEvent['Ended']> => ({
  ID: row.id,
  Cause: row.cause as UsageCause,
  Reason: reasonOf(row),
  Title: inLanguage(language, row.titleZh, row.titleEn),
});

export const presentHistory = (row: UsageRow, language: Language) => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Type: row.type as Usage['Type'],
  Cause: row.cause as UsageCause,
  Reason: reasonOf(row),
  CreatedAt: row.createdAt.toISOString(),
  ReadyAt: row.readyAt?.toISOString() ?? null,
  EndedAt: (row.endedAt ?? row.createdAt).toISOString(),
  RoutePath: row.routePath,
});
