/** The tags of a domain: the second level of what catalogues are filtered by. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { managedDomainsQuery } from './domain.api.ts';
import { EditDialog, TagList } from './TagList.tsx';

export function DomainPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.domain;
  const params: { readonly domainID?: string } = useParams({ strict: false });
  const domainID = readID(params.domainID);
  const { data, error, refetch } = useQuery(managedDomainsQuery(language));
  const [isCreating, setCreating] = useState(false);
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 320 }} />
      </LoadingRegion>
    );
  const domain = data.find(({ ID }) => ID === domainID);
  if (domain === undefined) return <NotFoundView />;
  const title = words.tagsOf(domain.Title);
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={title}>{title}</PageTitle>
          <p className="muted">{words.tagsLead}</p>
        </div>
        <div className="row">
          <ButtonLink to={paths.admin.domains}>{words.back}</ButtonLink>
          <Button look="primary" onClick={() => setCreating(true)}>
            {words.createTag}
          </Button>
        </div>
      </div>
      {domain.Tags.length === 0 ? (
        <EmptyState title={title} text={words.emptyTags} />
      ) : (
        <TagList domainID={domain.ID} label={words.tagsLabel} tags={domain.Tags} />
      )}
      {isCreating ? (
        <EditDialog domainID={domain.ID} tag={null} onClose={() => setCreating(false)} />
      ) : null}
    </>
  );
}
