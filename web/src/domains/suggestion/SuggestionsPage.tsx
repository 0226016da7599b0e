/** Suggestions that are public, and one's own. */
import { SuggestionStatus, TEXT_LIMITS, type Suggestion } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { may, useLogin } from '../../kernel/login.ts';
import { paths, readID } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { SUGGESTION_PAGE_SIZE, suggestionsQuery, type SuggestionSearch } from './suggestion.api.ts';
import { SuggestionForm } from './SuggestionForm.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import './suggestion.css';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readSearch = (given: Readonly<Record<string, unknown>>): SuggestionSearch => ({
  page: readID(text(given['page'])) ?? 1,
  keyword: text(given['keyword']).trim().slice(0, TEXT_LIMITS.keyword),
  own: given['own'] === 'true',
  status: Object.values(SuggestionStatus).find((status) => String(status) === given['status']),
});

const writeSearch = (search: SuggestionSearch): Record<string, string> => ({
  ...(search.keyword === '' ? {} : { keyword: search.keyword }),
  ...(search.own ? { own: 'true' } : {}),
  ...(search.status === undefined ? {} : { status: String(search.status) }),
  ...(search.page > 1 ? { page: String(search.page) } : {}),
});

function Item({ row }: { readonly row: Suggestion }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.suggestion;
  return (
    <li className="suggestion-row">
      <div className="row row-wrap">
        <Link to={paths.suggestion(row.ID)} className="suggestion-title">
          {row.Title}
        </Link>
        <StatusBadge status={row.Status} />
      </div>
      <p className="suggestion-preview">{row.Content}</p>
      <div className="row row-wrap muted">
        <span>{words.by(row.Author?.Nickname ?? words.formerUser)}</span>
        <span className="num">{formatMoment(row.UpdatedAt, language)}</span>
        <span className="num">{words.replies(row.Replies)}</span>
        {row.IsPublic ? null : <span>{words.isPrivate}</span>}
      </div>
    </li>
  );
}

export function SuggestionsPage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.suggestion;
  const { session } = useLogin();
  const navigate = useNavigate();
  const search = readSearch(useSearch({ strict: false }));
  const list = useQuery(suggestionsQuery(search));
  const [isWriting, setWriting] = useState(false);
  const [keyword, setKeyword] = useState(search.keyword);
  const go = (change: Partial<SuggestionSearch>): void =>
    void navigate({
      to: paths.suggestions,
      search: writeSearch({ ...search, page: 1, ...change }),
    });
  const mayWrite = session != null && may(session, ['suggestion.create']);
  const write = mayWrite ? (
    <Button look="primary" onClick={() => setWriting(true)}>
      {words.create}
    </Button>
  ) : null;
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        {write}
      </div>
      <div className="row row-wrap suggestion-filters">
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              go({ keyword: keyword.trim() });
            }}
          >
            <div className="input-box">
              <SearchIcon />
              <input
                type="search"
                aria-label={words.searchLabel}
                placeholder={words.searchLabel}
                value={keyword}
                maxLength={TEXT_LIMITS.keyword}
                onChange={(event) => {
                  setKeyword(event.target.value);
                  if (event.target.value === '') go({ keyword: '' });
                }}
              />
            </div>
          </form>
        </search>
        <Segments
          label={words.scope}
          value={search.own ? 'own' : 'all'}
          options={[
            { value: 'all', label: words.all },
            { value: 'own', label: words.own },
          ]}
          onChange={(value) => go({ own: value === 'own' })}
        />
        <Segments
          label={words.status}
          value={search.status === undefined ? '' : String(search.status)}
          options={[
            { value: '', label: words.anyStatus },
            ...Object.values(SuggestionStatus).map((status) => ({
              value: String(status),
              label: words.statuses[status],
            })),
          ]}
          onChange={(value) =>
            go({
              status: Object.values(SuggestionStatus).find((status) => String(status) === value),
            })
          }
        />
      </div>
      {list.data === undefined ? (
        list.error ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 240 }} />
          </LoadingRegion>
        )
      ) : list.data.Total === 0 ? (
        <div className="card">
          <EmptyState title={words.emptyTitle} text={words.emptyText}>
            {write}
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className="card suggestions" aria-label={words.list}>
            {list.data.List.map((row) => (
              <Item key={row.ID} row={row} />
            ))}
          </ul>
          <Pagination
            page={search.page}
            pageSize={SUGGESTION_PAGE_SIZE}
            total={list.data.Total}
            isEmpty={list.data.List.length === 0}
            to={paths.suggestions}
            searchFor={(page) => writeSearch({ ...search, page })}
          />
        </>
      )}
      {isWriting ? <SuggestionForm suggestion={null} onClose={() => setWriting(false)} /> : null}
    </div>
  );
}
