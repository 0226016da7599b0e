/** Live figures of an environment from two readings. */

export interface Reading {
  readonly nodes: readonly {
    readonly CpuSeconds: number | null;
    readonly MemoryBytes: number | null;
    readonly MemoryLimitBytes: number;
    readonly Processes: number | null;
    readonly ReceivedBytes: number | null;
    readonly SentBytes: number | null;
  }[];
  readonly receivedAt: number;
}

export interface Figures {
  /** Of one core, percent: 150 means one and a half cores; null when it is not known. */
  readonly cpuPercent: number | null;
  readonly memoryBytes: number | null;
  readonly memoryLimitBytes: number;
  readonly processes: number | null;
  /** Bytes in a second; null when it is not known. */
  readonly receivedPerSecond: number | null;
  readonly sentPerSecond: number | null;
}

/** The sum, or null as soon as one is not known: a part would look like the whole. */
function sum(values: readonly (number | null)[]): number | null {
  if (values.length === 0) return null;
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
}

/** Growth of a counter in a second; null when it is not known or has begun anew. */
function rate(before: number | null, now: number | null, seconds: number): number | null {
  const grown = now === null || before === null ? null : now - before;
  // The counter begins anew when a node is restarted.
  return grown === null || grown < 0 || seconds < 0.5 ? null : grown / seconds;
}

export function figuresOf(before: Reading | null, now: Reading): Figures {
  const seconds = before === null ? 0 : (now.receivedAt - before.receivedAt) / 1000;
  const rateOf = (pick: (node: Reading['nodes'][number]) => number | null): number | null =>
    rate(before === null ? null : sum(before.nodes.map(pick)), sum(now.nodes.map(pick)), seconds);
  const cpu = rateOf((node) => node.CpuSeconds);
  return {
    cpuPercent: cpu === null ? null : Math.round(cpu * 100),
    memoryBytes: sum(now.nodes.map((node) => node.MemoryBytes)),
    memoryLimitBytes: sum(now.nodes.map((node) => node.MemoryLimitBytes)) ?? 0,
    processes: sum(now.nodes.map((node) => node.Processes)),
    receivedPerSecond: rateOf((node) => node.ReceivedBytes),
    sentPerSecond: rateOf((node) => node.SentBytes),
  };
}
