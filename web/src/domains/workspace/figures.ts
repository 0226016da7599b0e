/** Live figures of an environment from two readings. */

export interface Reading {
  readonly nodes: readonly {
    readonly CpuSeconds: number | null;
    readonly MemoryBytes: number | null;
    readonly MemoryLimitBytes: number;
    readonly Processes: number | null;
  }[];
  readonly receivedAt: number;
}

export interface Figures {
  /** Of one core, percent: 150 means one and a half cores; null when it is not known. */
  readonly cpuPercent: number | null;
  readonly memoryBytes: number | null;
  readonly memoryLimitBytes: number;
  readonly processes: number | null;
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

export function figuresOf(before: Reading | null, now: Reading): Figures {
  const cpuNow = sum(now.nodes.map((node) => node.CpuSeconds));
  const cpuBefore = before === null ? null : sum(before.nodes.map((node) => node.CpuSeconds));
  const seconds = before === null ? 0 : (now.receivedAt - before.receivedAt) / 1000;
  const used = cpuNow === null || cpuBefore === null ? null : cpuNow - cpuBefore;
  return {
    // The counter begins anew when a node is restarted.
    cpuPercent:
      used === null || used < 0 || seconds < 0.5 ? null : Math.round((used / seconds) * 100),
    memoryBytes: sum(now.nodes.map((node) => node.MemoryBytes)),
    memoryLimitBytes: sum(now.nodes.map((node) => node.MemoryLimitBytes)) ?? 0,
    processes: sum(now.nodes.map((node) => node.Processes)),
  };
}
