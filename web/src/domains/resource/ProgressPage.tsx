/** One's own applications: how each stands, what happened to it, and what can be done with it. */
import { ResourceApplyStatus, type ResourceApplication } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import {
  RESOURCE_KEY,
  RESOURCE_PAGE_SIZE,
  deleteResource,
  resourcesQuery,
  type ResourceSearch,
} from './resource.api.ts';
import { stateOf } from './resource.ts';
import { ResourceFacts, ResourceHistory } from './ResourceFacts.tsx';
import { StateBadge } from './StateBadge.tsx';
import './resource.css';

const STATUSES = Object.values(ResourceApplyStatus);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readSearch = (given: Readonly<Record<string, unknown>>): ResourceSearch => ({
  page: readID(text(given['page'])) ?? 1,
  status: STATUSES.find((status) => stateOf(status) === given['status']),
});

const writeSearch = (search: ResourceSearch): Record<string, string> => ({
  ...(search.status === undefined ? {} : { status: stateOf(search.status) }),
  ...(search.page > 1 ? { page: String(search.page) } : {}),
});

function Application({ application }: { readonly application: ResourceApplication }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.resource;
  const client = useQueryClient();
  const [isWithdrawing, setWithdrawing] = useState(false);
  const withdrawing = useMutation({
    mutationFn: () => deleteResource(application.ID),
    onSuccess: () => toast('success', words.withdrawn),
    // Approved meanwhile: the error is told, and the list shows it.
    onSettled: () => {
      setWithdrawing(false);
      void client.invalidateQueries({ queryKey: RESOURCE_KEY });
    },
  });
  const { ID, Project, Status, Reason } = application;
  const isApproved = Status === ResourceApplyStatus.approved;
  const headingID = `resource-${ID}`;
  return (
    <li>
      <section className="card resource-item" aria-labelledby={headingID}>
        <div className="row row-wrap row-apart">
          <div>
            <h2 id={headingID}>{Project}</h2>
            <StateBadge status={Status} words={words.statuses} />
          </div>
          <div className="row row-wrap">
            {isApproved ? (
              <ButtonLink
                look="primary"
                to={paths.resourceAccount(ID)}
                aria-label={words.showAccountNamed(Project)}
              >
                {words.showAccount}
              </ButtonLink>
            ) : (
              <>
                <ButtonLink
                  to={paths.resourceEdit(ID, stateOf(Status))}
                  aria-label={words.editNamed(Project)}
                >
                  {words.edit}
                </ButtonLink>
                <Button
                  look="danger"
                  aria-label={words.withdrawNamed(Project)}
                  onClick={() => setWithdrawing(true)}
                >
                  {words.withdraw}
                </Button>
              </>
            )}
          </div>
        </div>
        {Reason === null ? null : (
          <div className="notice notice-bad resource-notice">
            <b>{words.reason}</b>
            <p>{Reason}</p>
          </div>
        )}
        <ResourceFacts application={application} />
        <details>
          <summary>{words.history}</summary>
          <ResourceHistory history={application.History} />
        </details>
        {isWithdrawing ? (
          <ConfirmDialog
            title={words.withdrawTitle(Project)}
            text={words.withdrawText}
            confirm={words.withdraw}
            isBusy={withdrawing.isPending}
            onConfirm={() => withdrawing.mutate()}
            onClose={() => setWithdrawing(false)}
          />
        ) : null}
      </section>
    </li>
  );
}

export function ProgressPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const navigate = useNavigate();
  const search = readSearch(useSearch({ strict: false }));
  const list = useQuery(resourcesQuery(search, language));
  const go = (change: Partial<ResourceSearch>): void =>
    void navigate({
      to: paths.resourceProgress,
      search: writeSearch({ ...search, page: 1, ...change }),
    });
  const apply = (
    <ButtonLink look="primary" to={paths.resourceIssue}>
      {words.apply}
    </ButtonLink>
  );
  return (
    <div className="wrap">
      <Link to={paths.resources} className="text-link row">
        <LeftIcon />
        {words.title}
      </Link>
      <div className="page-head">
        <div>
          <PageTitle name={words.progressTitle}>{words.progressTitle}</PageTitle>
          <p className="muted">{words.progressLead}</p>
        </div>
        {apply}
      </div>
      <div className="row row-wrap resource-filters">
        <Segments
          label={words.status}
          value={search.status === undefined ? '' : String(search.status)}
          options={[
            { value: '', label: words.anyStatus },
            ...STATUSES.map((status) => ({
              value: String(status),
              label: words.statuses[stateOf(status)],
            })),
          ]}
          onChange={(value) => go({ status: STATUSES.find((status) => String(status) === value) })}
        />
      </div>
      {list.data === undefined ? (
        list.error ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 320 }} />
          </LoadingRegion>
        )
      ) : list.data.List.length === 0 ? (
        <div className="card">
          {search.status === undefined ? (
            <EmptyState title={words.noneTitle} text={words.noneText}>
              {apply}
            </EmptyState>
          ) : (
            <EmptyState title={words.noneMatch} />
          )}
        </div>
      ) : (
        <>
          <ul className="resource-list" aria-label={words.mine}>
            {list.data.List.map((application) => (
              <Application key={application.ID} application={application} />
            ))}
          </ul>
          <Pagination
            page={search.page}
            pageSize={RESOURCE_PAGE_SIZE}
            total={list.data.Total}
            to={paths.resourceProgress}
            searchFor={(page) => writeSearch({ ...search, page })}
          />
        </>
      )}
    </div>
  );
}
