/** The catalogue of labs, from what is given. */
import {
  CATALOGUE_SORTS,
  LabType,
  type AnswerOf,
  type Domain,
  type routes,
} from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Announcement } from '../../ui/Announcement.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { LabCard, LabCardSkeleton } from './LabCard.tsx';
import { LABS_PER_PAGE, changeSearch, isFiltered, writeSearch, type LabSearch } from './search.ts';
import './labs.css';

type Labs = AnswerOf<typeof routes.listLabs>;

export interface LabsViewProps {
  readonly search: LabSearch;
  readonly labs: Labs | undefined;
  readonly domains: readonly Domain[] | undefined;
  readonly error: unknown;
  /** The list belongs to the filters before; new ones are on their way. */
  readonly isRefreshing: boolean;
  readonly onKeyword: (keyword: string) => void;
  readonly onRetry: () => void;
}

const DEBOUNCE_MS = 300;

function KeywordBox(props: {
  readonly keyword: string;
  readonly placeholder: string;
  readonly onKeyword: (keyword: string) => void;
}): ReactNode {
  const messages = useMessages();
  const [text, setText] = useState(props.keyword);
  const [sent, setSent] = useState(props.keyword);
  const input = useRef<HTMLInputElement>(null);
  // The address changed by another way (back, clear): the box follows it.
  if (props.keyword !== sent) {
    setSent(props.keyword);
    setText(props.keyword);
  }
  const { onKeyword } = props;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onKeyword(wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sent, onKeyword]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      const isTyping =
        target?.closest('input, textarea, select, [contenteditable=true], dialog') != null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className="lab-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSent(text.trim());
          onKeyword(text.trim());
        }}
      >
        <div className="input-box">
          <SearchIcon />
          <input
            ref={input}
            type="search"
            aria-label={messages.lab.searchLabel}
            placeholder={props.placeholder}
            value={text}
            maxLength={100}
            onChange={(event) => setText(event.target.value)}
          />
          <kbd className="kbd" aria-hidden="true">
            /
          </kbd>
        </div>
      </form>
    </search>
  );
}

function Option(props: {
  readonly search: LabSearch;
  readonly isOn: boolean;
  readonly label?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <li>
      <Link
        to={paths.labs}
        search={writeSearch(props.search)}
        resetScroll={false}
        className={props.isOn ? 'option option-on' : 'option'}
        aria-current={props.isOn ? 'true' : undefined}
        aria-label={props.label}
      >
        {props.children}
      </Link>
    </li>
  );
}

function Filters({
  search,
  domains,
}: {
  readonly search: LabSearch;
  readonly domains: readonly Domain[];
}): ReactNode {
  const messages = useMessages();
  const chosen = domains.find((domain) => domain.ID === search.domain);
  const tags = (chosen ? [chosen] : domains).flatMap((domain) => domain.Tags);
  const group = (label: string, options: ReactNode, className?: string): ReactNode => (
    <div className={className ?? 'filter'}>
      <h2>{label}</h2>
      <ul className="options" aria-label={label}>
        {options}
      </ul>
    </div>
  );
  return (
    <section className="card filters" aria-label={messages.lab.filters}>
      {domains.length > 0
        ? group(
            messages.lab.domain,
            <>
              <Option
                search={changeSearch(search, { domain: null, tags: [] })}
                isOn={search.domain === null}
              >
                {messages.lab.all}
              </Option>
              {domains.map((domain) => (
                <Option
                  key={domain.ID}
                  search={changeSearch(search, { domain: domain.ID, tags: [] })}
                  isOn={search.domain === domain.ID}
                >
                  {domain.Title}
                </Option>
              ))}
            </>,
          )
        : null}
      {group(
        messages.lab.type,
        <>
          <Option search={changeSearch(search, { type: null })} isOn={search.type === null}>
            {messages.lab.all}
          </Option>
          {[LabType.notebook, LabType.desktop].map((type) => (
            <Option key={type} search={changeSearch(search, { type })} isOn={search.type === type}>
              {messages.lab.types[type]}
            </Option>
          ))}
        </>,
      )}
      {tags.length > 0
        ? group(
            messages.lab.tag,
            tags.map((tag) => {
              const isOn = search.tags.includes(tag.ID);
              const next = isOn
                ? search.tags.filter((id) => id !== tag.ID)
                : [...search.tags, tag.ID];
              return (
                <Option
                  key={tag.ID}
                  search={changeSearch(search, { tags: next })}
                  isOn={isOn}
                  label={isOn ? messages.lab.removeTag(tag.Title) : undefined}
                >
                  {tag.Title}
                  {isOn ? <CloseIcon size={12} /> : null}
                </Option>
              );
            }),
          )
        : null}
      {group(
        messages.lab.sort,
        CATALOGUE_SORTS.map((sort) => (
          <Option key={sort} search={changeSearch(search, { sort })} isOn={search.sort === sort}>
            {messages.lab.sorts[sort]}
          </Option>
        )),
        'filter filter-sort',
      )}
    </section>
  );
}

function Results({
  search,
  labs,
  isRefreshing,
}: LabsViewProps & { readonly labs: Labs }): ReactNode {
  const messages = useMessages();
  if (labs.List.length === 0) {
    return isFiltered(search) || search.page > 1 ? (
      <EmptyState title={messages.lab.emptyTitle} text={messages.lab.emptyText}>
        <ButtonLink to={paths.labs} look="primary">
          {messages.lab.clear}
        </ButtonLink>
      </EmptyState>
    ) : (
      <EmptyState title={messages.lab.emptySite} text={messages.lab.emptySiteText} />
    );
  }
  return (
    <>
      <ul className="lab-grid" aria-label={messages.lab.list} aria-busy={isRefreshing}>
        {labs.List.map((lab) => (
          <li key={lab.ID}>
            <LabCard lab={lab} level="h2" />
          </li>
        ))}
      </ul>
      <Pagination
        page={search.page}
        pageSize={LABS_PER_PAGE}
        total={labs.Total}
        to={paths.labs}
        searchFor={(page) => writeSearch({ ...search, page })}
      />
    </>
  );
}

export function LabsView(props: LabsViewProps): ReactNode {
  const messages = useMessages();
  const { search, labs, domains, error } = props;
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={messages.lab.title}>{messages.lab.title}</PageTitle>
          <p className="muted">{messages.lab.lead}</p>
        </div>
        <KeywordBox
          keyword={search.keyword}
          placeholder={
            labs && !isFiltered(search)
              ? messages.lab.searchIn(labs.Total)
              : messages.lab.searchLabel
          }
          onKeyword={props.onKeyword}
        />
      </div>
      <Filters search={search} domains={domains ?? []} />
      <Announcement>
        {labs && !props.isRefreshing ? messages.lab.found(labs.Total) : ''}
      </Announcement>
      {labs ? (
        <Results {...props} labs={labs} />
      ) : error ? (
        <ErrorState error={error} onRetry={props.onRetry} />
      ) : (
        <LoadingRegion>
          <div className="lab-grid">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <LabCardSkeleton key={key} />
            ))}
          </div>
        </LoadingRegion>
      )}
    </div>
  );
}
