import type { ResourceApplyStatus, ResourceState } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { stateOf } from './resource.ts';

const DOTS: Readonly<Record<ResourceState, string>> = {
  pending: 'dot dot-warn',
  approved: 'dot dot-good',
  rejected: 'dot dot-bad',
};

/** In which state an application is. @param words those of the applicant's side, or of staff */
export function StateBadge({
  status,
  words,
}: {
  readonly status: ResourceApplyStatus;
  readonly words: Readonly<Record<ResourceState, string>>;
}): ReactNode {
  const state = stateOf(status);
  return (
    <span className="row resource-state">
      <span className={DOTS[state]} aria-hidden="true" />
      {words[state]}
    </span>
  );
}
