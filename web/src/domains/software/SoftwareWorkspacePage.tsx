/** The workspace of a software: its text beside the desktop, notebook or web IDE that it opens. */
import { SoftwareType, type SoftwareDetail } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../kernel/api.ts';
import { formatBytes } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID, softwarePath } from '../../kernel/paths.ts';
import { tint } from '../../ui/Cover.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { Workspace } from '../workspace/Workspace.tsx';
import { softwareQuery } from './software.api.ts';

const ROUTE_NAMES: Readonly<Record<SoftwareType, string>> = {
  [SoftwareType.desktop]: 'softwareDetailDesktop',
  [SoftwareType.notebook]: 'softwareDetailNotebook',
  [SoftwareType.ide]: 'softwareDetailWebIDE',
  [SoftwareType.cnGrid]: 'softwareDetailCNGrid',
};

export function SoftwareWorkspacePage(): ReactNode {
  const { language, messages } = useLanguage();
  const params: { readonly softwareID?: string } = useParams({
    strict: false,
  });
  const softwareID = readID(params.softwareID);
  const { data, error, refetch } = useQuery({
    ...softwareQuery(softwareID ?? 0, language),
    enabled: softwareID !== null,
  });
  if (softwareID === null || (error instanceof ApiError && error.status === 404))
    return <NotFoundView />;
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 48, borderRadius: 0 }} />
      </LoadingRegion>
    );
  }
  const path = softwarePath(data.Type, data.ID);
  if (path === null) return <NotFoundView />;
  return (
    <Workspace
      // Another software is another workspace.
      key={data.ID}
      title={data.Title}
      back={{ to: paths.software, label: messages.software.backLabel }}
      documentLabel={messages.software.documentRegion}
      document={<SoftwareDocument software={data} />}
      createBody={{ RouteName: ROUTE_NAMES[data.Type], RoutePath: path, SoftwareID: data.ID }}
      matches={(usage) => usage.SoftwareID === data.ID}
    />
  );
}

function SoftwareDocument({ software }: { readonly software: SoftwareDetail }): ReactNode {
  const { messages } = useLanguage();
  const { Specification: specification } = software;
  return (
    <article className="task-document">
      <p className="muted">{messages.software.types[software.Type]}</p>
      <PageTitle name={software.Title}>{software.Title}</PageTitle>
      <p className="software-lead">{software.Description}</p>
      <ul className="row row-wrap tags">
        {[...(software.Domain ? [software.Domain] : []), ...software.Tags].map((tag) => (
          <li className="tag tag-coloured" style={tint(tag.Color)} key={tag.ID}>
            {tag.Title}
          </li>
        ))}
      </ul>
      <ul className="software-nodes muted num">
        {specification.Nodes.map((node) => (
          <li key={node.Name}>
            {messages.lab.node(
              node.Name,
              messages.common.cpus(node.Cpus),
              formatBytes(node.MemoryBytes),
            )}
          </li>
        ))}
        <li>
          {messages.software.lifetime(
            messages.common.minutes(Math.round(specification.LifetimeSeconds / 60)),
          )}
        </li>
      </ul>
      {software.Content.trim() === '' ? null : <Markdown text={software.Content} mediaPath="" />}
    </article>
  );
}
