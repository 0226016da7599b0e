/** A specification opened for real, with its nodes beside it. */
import type { Specification, Usage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatBytes } from '../../kernel/format.ts';
import { useLanguage, useMessages } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { Workspace } from '../workspace/Workspace.tsx';
import { specificationQuery } from './specification.api.ts';

/** What one can try at once, for as many nodes as there are. */
function exampleOf(specification: Specification): string {
  const names = specification.Nodes.map((node) => node.Name);
  const lines = names.slice(1).map((name) => `ssh ${name} hostname`);
  return ['```bash', ...lines, `mpirun -n ${Math.max(2, names.length)} hostname`, '```'].join('\n');
}

function NodeList({ specification }: { readonly specification: Specification }): ReactNode {
  const messages = useMessages();
  const words = messages.admin.specification;
  const rows = specification.Nodes.map(
    (node) =>
      `| \`${node.Name}\` | ${messages.common.cpus(node.Cpus)} | ${formatBytes(node.MemoryBytes)} | ${node.Image.replaceAll('|', '\\|')} |`,
  );
  const head = [words.nodeName, words.nodeCpus, words.nodeMemory, words.nodeImage];
  const text = [
    words.previewText,
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
    words.previewTry,
    '',
    exampleOf(specification),
  ].join('\n');
  return (
    <div className="task-document">
      <PageTitle name={specification.Name}>{specification.Name}</PageTitle>
      <Markdown text={text} mediaPath="" />
    </div>
  );
}

export function PreviewPage(): ReactNode {
  const { language, messages } = useLanguage();
  const params: { readonly specificationID?: string } = useParams({ strict: false });
  const specificationID = readID(params.specificationID);
  const { data, error, refetch } = useQuery({
    ...specificationQuery(specificationID ?? 0, language),
    enabled: specificationID !== null,
  });
  if (specificationID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  if (data.Nodes.length === 0) return <NotFoundView />;
  const path = paths.admin.specificationPreview(data.ID);
  return (
    <Workspace
      key={data.ID}
      title={data.Name}
      back={{
        to: paths.admin.specification(data.ID),
        label: messages.admin.back(messages.admin.specification.title),
      }}
      documentLabel={messages.admin.specification.nodes}
      document={<NodeList specification={data} />}
      createBody={{
        RouteName: 'adminSpecificationPreview',
        RoutePath: path,
        SpecificationID: data.ID,
      }}
      matches={(usage: Usage) => usage.RoutePath === path}
    />
  );
}
