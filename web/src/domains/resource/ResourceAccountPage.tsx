/** The account information of one's own application. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { CredentialsCard } from './CredentialsCard.tsx';
import { resourceAccountQuery, resourceQuery } from './resource.api.ts';
import './resource.css';

function Account({ applyID }: { readonly applyID: number }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const account = useQuery(resourceAccountQuery(applyID));
  if (account.data !== undefined)
    return <CredentialsCard applyID={applyID} account={account.data} />;
  if (isApiError(account.error, 'resource_account_missing'))
    return (
      <div className="card">
        <EmptyState title={words.accountMissing} text={words.accountMissingText}>
          <ButtonLink to={paths.resourceProgress}>{words.backToProgress}</ButtonLink>
        </EmptyState>
      </div>
    );
  return account.error ? (
    <ErrorState error={account.error} onRetry={() => void account.refetch()} />
  ) : (
    <LoadingRegion>
      <Skeleton style={{ height: 320 }} />
    </LoadingRegion>
  );
}

export function ResourceAccountPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const params: { readonly applyID?: string } = useParams({ strict: false });
  const applyID = readID(params.applyID);
  const application = useQuery({
    ...resourceQuery(applyID ?? 0, language),
    enabled: applyID !== null,
  });
  if (applyID === null || isApiError(application.error, 'not_found')) return <NotFoundView />;
  return (
    <div className="wrap resource-page">
      <Link to={paths.resourceProgress} className="text-link row">
        <LeftIcon />
        {words.backToProgress}
      </Link>
      <div className="page-head">
        <div className="resource-head">
          <PageTitle name={words.accountTitle}>{words.accountTitle}</PageTitle>
          {application.data ? (
            <p className="muted">
              {words.accountFor(application.data.Project, application.data.Centre.Name)}
            </p>
          ) : null}
        </div>
      </div>
      <p className="notice">{words.accountRecorded}</p>
      <Account applyID={applyID} />
    </div>
  );
}
