import { describe, expect, it } from 'vitest';
import { figuresOf, type Reading } from './figures.ts';

const reading = (
  cpu: (number | null)[],
  receivedAt: number,
  memory: number | null = 100,
): Reading => ({
  nodes: cpu.map((CpuSeconds) => ({
    CpuSeconds,
    MemoryBytes: memory,
    MemoryLimitBytes: 1000,
    Processes: 2,
    ReceivedBytes: CpuSeconds === null ? null : CpuSeconds * 1000,
    SentBytes: 0,
  })),
  receivedAt,
});

describe('live figures', () => {
  it('come from two readings', () => {
    expect(figuresOf(reading([10], 0), reading([12.5], 5000)).cpuPercent).toBe(50);
    expect(figuresOf(reading([10, 20], 0), reading([15, 25], 5000)).cpuPercent).toBe(200);
  });
  it('are unknown, not zero, where something is not known', () => {
    expect(figuresOf(null, reading([10], 0)).cpuPercent).toBeNull();
    expect(figuresOf(reading([10, null], 0), reading([12, null], 5000)).cpuPercent).toBeNull();
    expect(figuresOf(null, reading([1], 0, null)).memoryBytes).toBeNull();
    expect(figuresOf(null, { nodes: [], receivedAt: 0 }).processes).toBeNull();
  });
  it('tell what goes over the network in a second', () => {
    const figures = figuresOf(reading([10], 0), reading([20], 5000));
    expect(figures).toMatchObject({ receivedPerSecond: 2000, sentPerSecond: 0 });
    expect(figuresOf(null, reading([20], 5000)).receivedPerSecond).toBeNull();
  });
  it('do not fall below zero after a restart', () => {
    expect(figuresOf(reading([10], 0), reading([0.2], 5000)).cpuPercent).toBeNull();
  });
  it('add up over the nodes', () => {
    expect(figuresOf(null, reading([1, 2, 3], 0))).toMatchObject({
      memoryBytes: 300,
      memoryLimitBytes: 3000,
      processes: 6,
    });
  });
});
