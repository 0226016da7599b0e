/** The steps of a start with their times, as the server noted them. */
import { USAGE_PHASES, type Usage, type UsagePhase } from '@hypercube/contract';

export interface PhaseStep {
  readonly phase: UsagePhase;
  readonly state: 'done' | 'now' | 'todo' | 'failed';
  /** When it began, milliseconds of the server's clock; null when it has not. */
  readonly beganMs: number | null;
  /** How long it took; null while it lasts or has not begun. */
  readonly tookMs: number | null;
}

const STEPS = USAGE_PHASES.filter((phase) => phase !== 'failed');

/** Steps in order. A phase that was skipped (no queue) is left out. */
export function phaseSteps(usage: Pick<Usage, 'Phase' | 'PhaseTimes'>): PhaseStep[] {
  const begins = (phase: UsagePhase): number | null => {
    const at = usage.PhaseTimes[phase];
    return at === undefined ? null : Date.parse(at);
  };
  const began = STEPS.filter((phase) => begins(phase) !== null);
  const last = usage.Phase === 'failed' ? began.at(-1) : usage.Phase;
  const reached = STEPS.indexOf(last ?? 'queued');
  return STEPS.flatMap((phase, index): PhaseStep[] => {
    const beganMs = begins(phase);
    if (beganMs === null && index < reached) return [];
    if (index > reached) return [{ phase, state: 'todo', beganMs: null, tookMs: null }];
    const next =
      STEPS.slice(index + 1)
        .map(begins)
        .find((at) => at !== null) ?? null;
    const end =
      index < reached || phase === 'ready'
        ? next
        : usage.Phase === 'failed'
          ? begins('failed')
          : null;
    const state =
      index < reached || phase === 'ready' ? 'done' : usage.Phase === 'failed' ? 'failed' : 'now';
    return [
      {
        phase,
        state,
        beganMs,
        tookMs: beganMs !== null && end !== null ? Math.max(0, end - beganMs) : null,
      },
    ];
  });
}
