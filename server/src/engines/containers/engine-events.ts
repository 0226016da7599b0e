import { labels } from './labels.ts';

/** A death as the engine's stream tells of it. */
export interface ParsedEvent {
  action: 'die' | 'oom';
  usageID: number;
  node: string;
  containerID: string;
  exitCode: number | null;
  timeNano: number;
}

/** Reads one line of the engine's stream; null for what is no death of a usage's node. */
export function parseEvent(line: string): ParsedEvent | null {
  if (line.trim() === '') return null;
  const event = JSON.parse(line) as {
    Action?: string;
    status?: string;
    id?: string;
    timeNano?: number;
    Actor?: { ID?: string; Attributes?: Record<string, string> };
  };
  const action = event.Action ?? event.status;
  const attributes = event.Actor?.Attributes ?? {};
  const usageID = Number(attributes[labels.usage]);
  if ((action !== 'die' && action !== 'died' && action !== 'oom') || !usageID) return null;
  const code = attributes['exitCode'] ?? attributes['containerExitCode'];
  return {
    action: action === 'oom' ? 'oom' : 'die',
    usageID,
    node: attributes[labels.node] ?? '',
    containerID: event.Actor?.ID ?? event.id ?? '',
    exitCode: code === undefined ? null : Number(code),
    timeNano: event.timeNano ?? 0,
  };
}
