/** What the pages of one lab have in common: its title, its state, and the tabs. */
import type { ManagedLab } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import '../../../ui/tabs.css';
import { MANAGED_LABS_KEY, managedLabQuery, publishLab } from './lab-admin.api.ts';
import './lab-admin.css';

const TABS = ['info', 'task', 'resource'] as const;
type Tab = (typeof TABS)[number];

export function LabFrame({
  tab,
  children,
}: {
  readonly tab: Tab;
  readonly children: (lab: ManagedLab) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const params: { readonly labID?: string } = useParams({ strict: false });
  const labID = readID(params.labID);
  const { data, error, refetch } = useQuery({
    ...managedLabQuery(labID ?? 0, language),
    enabled: labID !== null,
  });
  const publishing = useMutation({
    mutationFn: (lab: ManagedLab) => publishLab(lab.ID, !lab.IsPublished),
    onSuccess: (lab) => {
      toast('success', lab.IsPublished ? words.publishedNow : words.unpublishedNow);
      void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
      void client.invalidateQueries({ queryKey: ['lab'] });
    },
  });
  if (labID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400 }} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={data.Title}>{data.Title}</PageTitle>
          <p className="muted">
            {[
              messages.usage.types[data.Type],
              data.IsPublished ? words.published : words.draft,
              data.IsBuiltIn ? words.builtIn : (data.Owner ?? ''),
            ]
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </p>
        </div>
        <div className="row">
          <ButtonLink to={paths.lab(data.ID)}>{words.view}</ButtonLink>
          <Button
            look={data.IsPublished ? 'plain' : 'primary'}
            isBusy={publishing.isPending}
            onClick={() => publishing.mutate(data)}
          >
            {data.IsPublished ? words.unpublish : words.publish}
          </Button>
        </div>
      </div>
      <nav className="tabs" aria-label={data.Title}>
        {TABS.map((name) => (
          <Link
            key={name}
            to={paths.admin.lab(data.ID, name)}
            activeProps={{}}
            aria-current={name === tab ? 'page' : undefined}
          >
            {words.tabs[name]}
          </Link>
        ))}
      </nav>
      {children(data)}
    </>
  );
}
