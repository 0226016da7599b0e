/** What the environment's side of a workspace shows. */
import type { Usage } from '@hypercube/contract';
import { moodOf } from '../usage/countdown.ts';
import type { EndedUsage } from '../usage/usage.api.ts';

export type Stage =
  /** Not known yet. */
  | { readonly kind: 'unknown' }
  /** There is none, and none was asked for. */
  | { readonly kind: 'none' }
  /** The request to start one is under way, or has failed. */
  | { readonly kind: 'requesting' }
  | { readonly kind: 'request-failed'; readonly error: unknown }
  /** The user has one for another page and must choose. */
  | { readonly kind: 'other'; readonly usage: Usage }
  | { readonly kind: 'starting'; readonly usage: Usage }
  | { readonly kind: 'failed'; readonly usage: Usage }
  | { readonly kind: 'paused'; readonly usage: Usage }
  | { readonly kind: 'running'; readonly usage: Usage }
  | { readonly kind: 'ended'; readonly ended: EndedUsage };

export interface StageInput {
  readonly usage: Usage | null | undefined;
  readonly ended: EndedUsage | null;
  /** The end that was already known when the page was opened; it is not of this visit. */
  readonly endedBefore: number | null;
  /** Whether an environment is of this page. */
  readonly matches: (usage: Usage) => boolean;
  /** An environment of another page that the user chose to use here. */
  readonly adoptedID: number | null;
  readonly isRequesting: boolean;
  readonly requestError: unknown;
}

export function stageOf(input: StageInput): Stage {
  const { usage } = input;
  if (input.isRequesting) return { kind: 'requesting' };
  if (usage === undefined) return { kind: 'unknown' };
  if (usage === null) {
    if (input.requestError != null) return { kind: 'request-failed', error: input.requestError };
    if (input.ended !== null && input.ended.ID !== input.endedBefore)
      return { kind: 'ended', ended: input.ended };
    return { kind: 'none' };
  }
  if (!input.matches(usage) && usage.ID !== input.adoptedID) return { kind: 'other', usage };
  const mood = moodOf(usage);
  switch (mood) {
    case 'queued':
    case 'starting':
      return { kind: 'starting', usage };
    case 'failed':
      return { kind: 'failed', usage };
    case 'paused':
    case 'held':
      return { kind: 'paused', usage };
    case 'running':
      return { kind: 'running', usage };
  }
}

/** Whether there is a machine behind the page that can be shown, also under an overlay. */
export const hasMachine = (stage: Stage): stage is Extract<Stage, { kind: 'running' | 'paused' }> =>
  stage.kind === 'running' || stage.kind === 'paused';
