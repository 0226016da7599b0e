/** A catalogue: its search, filters and cards, from what is given. */
import { CATALOGUE_SORTS, type Domain } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Announcement } from '../../ui/Announcement.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { ItemCardSkeleton } from './ItemCard.tsx';
import {
  ITEMS_PER_PAGE,
  changeSearch,
  isFiltered,
  writeSearch,
  type CatalogueSearch,
} from './search.ts';
import './catalogue.css';

/** What a catalogue calls its things. */
export interface CatalogueWords {
  readonly title: string;
  readonly lead: string;
  readonly searchIn: (total: number) => string;
  readonly searchLabel: string;
  readonly list: string;
  readonly found: (total: number) => string;
  readonly emptyTitle: string;
  readonly emptySite: string;
  readonly emptySiteText: string;
}

/** What the page of a catalogue knows at a moment. */
export interface CatalogueState<Item, T extends number> {
  readonly search: CatalogueSearch<T>;
  readonly items: { readonly List: readonly Item[]; readonly Total: number } | undefined;
  readonly domains: readonly Domain[] | undefined;
  readonly error: unknown;
  /** The list belongs to the filters before; new ones are on their way. */
  readonly isRefreshing: boolean;
  readonly onKeyword: (keyword: string) => void;
  readonly onRetry: () => void;
}

interface CatalogueProps<Item, T extends number> extends CatalogueState<Item, T> {
  /** Path of its page. */
  readonly to: string;
  readonly words: CatalogueWords;
  /** The kinds that it lists, in the order of the filter; none: it has no kinds. */
  readonly types: readonly { readonly value: T; readonly label: string }[];
  /** How the filter for what the user has joined is called; without it there is none. */
  readonly joined?: { readonly label: string; readonly only: string } | undefined;
  readonly card: (item: Item) => ReactNode;
}

const DEBOUNCE_MS = 300;

function KeywordBox(props: {
  readonly keyword: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onKeyword: (keyword: string) => void;
}): ReactNode {
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
    <search className="catalogue-search">
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
            aria-label={props.label}
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
  readonly to: string;
  readonly search: CatalogueSearch;
  readonly isOn: boolean;
  readonly label?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <li>
      <Link
        to={props.to}
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

function withoutJoined<T extends number>(search: CatalogueSearch<T>): CatalogueSearch<T> {
  const { joined: _joined, ...others } = changeSearch(search, {});
  return others;
}

function Filters<T extends number>({
  to,
  search,
  domains,
  types,
  joined,
}: Pick<CatalogueProps<unknown, T>, 'to' | 'search' | 'types' | 'joined'> & {
  readonly domains: readonly Domain[];
}): ReactNode {
  const words = useMessages().filters;
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
    <section className="card filters" aria-label={words.label}>
      {domains.length > 0
        ? group(
            words.domain,
            <>
              <Option
                to={to}
                search={changeSearch(search, { domain: null, tags: [] })}
                isOn={search.domain === null}
              >
                {words.all}
              </Option>
              {domains.map((domain) => (
                <Option
                  to={to}
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
      {types.length > 0
        ? group(
            words.type,
            <>
              <Option
                to={to}
                search={changeSearch(search, { type: null })}
                isOn={search.type === null}
              >
                {words.all}
              </Option>
              {types.map(({ value, label }) => (
                <Option
                  to={to}
                  key={value}
                  search={changeSearch(search, { type: value })}
                  isOn={search.type === value}
                >
                  {label}
                </Option>
              ))}
            </>,
          )
        : null}
      {tags.length > 0
        ? group(
            words.tag,
            tags.map((tag) => {
              const isOn = search.tags.includes(tag.ID);
              const next = isOn
                ? search.tags.filter((id) => id !== tag.ID)
                : [...search.tags, tag.ID];
              return (
                <Option
                  to={to}
                  key={tag.ID}
                  search={changeSearch(search, { tags: next })}
                  isOn={isOn}
                  label={isOn ? words.removeTag(tag.Title) : undefined}
                >
                  {tag.Title}
                  {isOn ? <CloseIcon size={12} /> : null}
                </Option>
              );
            }),
          )
        : null}
      {joined === undefined
        ? null
        : group(
            joined.label,
            <>
              <Option to={to} search={withoutJoined(search)} isOn={search.joined !== true}>
                {words.all}
              </Option>
              <Option
                to={to}
                search={changeSearch(search, { joined: true })}
                isOn={search.joined === true}
              >
                {joined.only}
              </Option>
            </>,
          )}
      {group(
        words.sort,
        CATALOGUE_SORTS.map((sort) => (
          <Option
            to={to}
            key={sort}
            search={changeSearch(search, { sort })}
            isOn={search.sort === sort}
          >
            {words.sorts[sort]}
          </Option>
        )),
        'filter filter-sort',
      )}
    </section>
  );
}

function Results<Item extends { readonly ID: number }, T extends number>(
  props: CatalogueProps<Item, T> & {
    readonly items: NonNullable<CatalogueState<Item, T>['items']>;
  },
): ReactNode {
  const messages = useMessages();
  const { search, items, words } = props;
  if (items.List.length === 0) {
    return isFiltered(search) || search.page > 1 ? (
      <EmptyState title={words.emptyTitle} text={messages.filters.emptyText}>
        <ButtonLink to={props.to} look="primary">
          {messages.filters.clear}
        </ButtonLink>
      </EmptyState>
    ) : (
      <EmptyState title={words.emptySite} text={words.emptySiteText} />
    );
  }
  return (
    <>
      <ul className="item-grid" aria-label={words.list} aria-busy={props.isRefreshing}>
        {items.List.map((item) => (
          <li key={item.ID}>{props.card(item)}</li>
        ))}
      </ul>
      <Pagination
        page={search.page}
        pageSize={ITEMS_PER_PAGE}
        total={items.Total}
        to={props.to}
        searchFor={(page) => writeSearch({ ...search, page })}
      />
    </>
  );
}

/**
 * The catalogue. Filters and cards come together: what comes later would push away what somebody
 * has begun to read.
 */
export function Catalogue<Item extends { readonly ID: number }, T extends number>(
  props: CatalogueProps<Item, T>,
): ReactNode {
  const { search, items, words, error } = props;
  const messages = useMessages();
  const isKnown = items !== undefined || error != null;
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
          {search.selected === undefined || search.domain !== null ? null : (
            <p className="muted">
              {messages.domain.narrowed}{' '}
              <Link to={paths.settings} className="text-link">
                {messages.domain.change}
              </Link>
            </p>
          )}
        </div>
        <KeywordBox
          keyword={search.keyword}
          label={words.searchLabel}
          placeholder={
            items && !isFiltered(search) ? words.searchIn(items.Total) : words.searchLabel
          }
          onKeyword={props.onKeyword}
        />
      </div>
      {isKnown ? (
        <Filters
          to={props.to}
          search={search}
          domains={props.domains ?? []}
          types={props.types}
          joined={props.joined}
        />
      ) : null}
      <Announcement>{items && !props.isRefreshing ? words.found(items.Total) : ''}</Announcement>
      {items ? (
        <Results {...props} items={items} />
      ) : error ? (
        <ErrorState error={error} onRetry={props.onRetry} />
      ) : (
        <LoadingRegion>
          <Skeleton style={{ height: 172, marginBottom: 20 }} />
          <div className="item-grid">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <ItemCardSkeleton key={key} />
            ))}
          </div>
        </LoadingRegion>
      )}
    </div>
  );
}
