/** What the pages of one application have in common for staff: it is loaded, and it is in its state. */
import type { ManagedResource, ResourceState } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { readID } from '../../../kernel/paths.ts';
import { LeftIcon } from '../../../ui/icons.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import { managedResourceQuery } from '../resource.api.ts';
import { stateOf } from '../resource.ts';

/**
 * Loads the application that the address names. The state in an address is for the layout: where
 * the server has another one, the page goes on to that.
 */
export function ManagedApplication({
  addressOf,
  children,
}: {
  readonly addressOf: (applyID: number, state: ResourceState) => string;
  readonly children: (application: ManagedResource) => ReactNode;
}): ReactNode {
  const { language } = useLanguage();
  const params: { readonly applyID?: string; readonly applyStatus?: string } = useParams({
    strict: false,
  });
  const applyID = readID(params.applyID);
  const answer = useQuery({
    ...managedResourceQuery(applyID ?? 0, language),
    enabled: applyID !== null,
  });
  if (applyID === null || isApiError(answer.error, 'not_found')) return <NotFoundView />;
  const application = answer.data;
  if (application === undefined)
    return answer.error ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 320 }} />
      </LoadingRegion>
    );
  const state = stateOf(application.Status);
  if (params.applyStatus !== state)
    return <Navigate to={addressOf(applyID, state)} replace ignoreBlocker />;
  return children(application);
}

/** The way back. */
export const BackLink = ({
  to,
  children,
}: {
  readonly to: string;
  readonly children: string;
}): ReactNode => (
  <Link to={to} className="text-link row resource-head">
    <LeftIcon />
    {children}
  </Link>
);
