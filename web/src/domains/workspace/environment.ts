/** The environment of a workspace: what it shows, and what can be done. */
import type { BodyInputOf, Usage, routes } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useUsageActions, type UsageAction } from '../usage/actions.ts';
import { USAGE_KEY, acceptUsage, createUsage, type UsageState } from '../usage/usage.api.ts';
import { useUsage } from '../usage/watch.ts';
import { stageOf } from './stage.ts';

/** What a page opens: the body of the call, without the answer to “replace the existing one”. */
export type CreateBody = Omit<BodyInputOf<typeof routes.createUsage>, 'Replace'>;

interface EnvironmentOptions {
  readonly createBody: CreateBody;
  readonly matches: (usage: Usage) => boolean;
  /** Entering the page asks for an environment; otherwise the user does. */
  readonly startsItself: boolean;
}

export function useEnvironment({ createBody, matches, startsItself }: EnvironmentOptions) {
  const client = useQueryClient();
  const { state, usage, error } = useUsage();
  const actions = useUsageActions('page');
  const [adoptedID, setAdoptedID] = useState<number | null>(null);
  const [isReading, setReading] = useState(false);
  const [endedBefore] = useState(
    () => client.getQueryData<UsageState>(USAGE_KEY)?.ended?.ID ?? null,
  );

  const create = useMutation({
    mutationFn: async ({ replace }: { replace: boolean }) => {
      await client.cancelQueries({ queryKey: USAGE_KEY });
      return createUsage({ ...createBody, ...(replace ? { Replace: true } : {}) });
    },
    onSuccess: (made) => {
      setReading(false);
      acceptUsage(client, { usage: made });
    },
    onError: (failure) => {
      // The answer names the existing one, but only the server's present state is sure.
      if (isApiError(failure, 'usage_exists'))
        void client.invalidateQueries({ queryKey: USAGE_KEY });
    },
    meta: { isHandled: true },
  });

  const stage = stageOf({
    usage,
    ended: state?.ended ?? null,
    endedBefore,
    matches,
    adoptedID,
    isRequesting: create.isPending,
    requestError: create.error,
  });

  // Entering the page asks for an environment, once; after it has ended the user asks.
  const hasEntered = useRef(false);
  const { mutate } = create;
  useEffect(() => {
    if (stage.kind === 'unknown' || hasEntered.current) return;
    hasEntered.current = true;
    if (stage.kind === 'none' && startsItself) mutate({ replace: false });
  }, [stage.kind, startsItself, mutate]);

  return {
    stage,
    state,
    error,
    isReading,
    isCreating: create.isPending,
    busyAction: actions.isPending ? actions.variables.action : null,
    start: () => create.mutate({ replace: false }),
    replace: () => create.mutate({ replace: true }),
    adopt: (id: number) => setAdoptedID(id),
    read: () => setReading(true),
    stopReading: () => setReading(false),
    run: (action: UsageAction, of: Usage) => {
      if (!actions.isPending) actions.mutate({ action, usageID: of.ID });
    },
  };
}
export type Environment = ReturnType<typeof useEnvironment>;
