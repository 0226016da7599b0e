/** A lab's page. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { readID } from '../../kernel/paths.ts';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { useUsage } from '../usage/watch.ts';
import { labQuery, labResourcesQuery, labTasksQuery } from './lab.api.ts';
import { LabDetailView } from './LabDetailView.tsx';

export function LabDetailPage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly labID?: string } = useParams({ strict: false });
  const labID = readID(params.labID);
  const isAsked = labID !== null;
  const lab = useQuery({ ...labQuery(labID ?? 0, language), enabled: isAsked });
  const tasks = useQuery({ ...labTasksQuery(labID ?? 0, language), enabled: isAsked });
  const resources = useQuery({ ...labResourcesQuery(labID ?? 0), enabled: isAsked });
  const { usage } = useUsage();
  if (!isAsked || (lab.error instanceof ApiError && lab.error.status === 404))
    return <NotFoundView />;
  if (lab.data === undefined) {
    return (
      <div className="wrap">
        {lab.error ? (
          <ErrorState error={lab.error} onRetry={() => void lab.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 168 }} />
            <Skeleton style={{ height: 32, width: '40%', marginTop: 20 }} />
            <Skeleton style={{ height: 18, width: '70%', marginTop: 12 }} />
          </LoadingRegion>
        )}
      </div>
    );
  }
  return (
    <LabDetailView
      lab={lab.data}
      tasks={tasks.data}
      tasksError={tasks.error}
      onRetry={() => {
        void tasks.refetch();
        void resources.refetch();
      }}
      resources={resources.data}
      usage={usage?.LabID === labID ? usage : null}
    />
  );
}
