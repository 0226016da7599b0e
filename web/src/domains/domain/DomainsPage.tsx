/** Domains: the first level of what catalogues are filtered by. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { managedDomainsQuery } from './domain.api.ts';
import { EditDialog, TagList } from './TagList.tsx';

export function DomainsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.domain;
  const { data, error, refetch } = useQuery(managedDomainsQuery(language));
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <Button look="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 320 }} />
          </LoadingRegion>
        )
      ) : data.length === 0 ? (
        <EmptyState title={words.title} text={words.empty} />
      ) : (
        <TagList
          domainID={null}
          label={words.label}
          tags={data}
          extra={(domain) => (
            <ButtonLink
              isSmall
              look="quiet"
              to={paths.admin.domain(domain.ID)}
              aria-label={words.tagsNamed(domain.Tags.length, domain.Title)}
            >
              {words.tagCount(domain.Tags.length)}
            </ButtonLink>
          )}
        />
      )}
      {isCreating ? (
        <EditDialog domainID={null} tag={null} onClose={() => setCreating(false)} />
      ) : null}
    </>
  );
}
