/**
 * The list of the admin area: search, filters and sort in the address, columns to choose, rows to
 * select for actions on several, an export of everything that matches, and range and total below.
 */
import { useMutation } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { readStored, writeStored } from '../../kernel/stored.ts';
import { Announcement } from '../Announcement.tsx';
import { Button } from '../Button.tsx';
import { ChevronDownIcon, SearchIcon } from '../icons.tsx';
import { useKeptFocus } from '../kept-focus.ts';
import { Pagination } from '../Pagination.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../states.tsx';
import { download, toCsv } from './csv.ts';
import {
  ROWS_PER_PAGE,
  changeListSearch,
  isListFiltered,
  writeListSearch,
  type ListSearch,
  type ListShape,
} from './list-search.ts';
import './table.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What stands in an export; a column without one is not exported. */
  readonly text?: (row: Row) => string;
  /** The sort that a click on the heading asks for. */
  readonly sort?: string;
  readonly isNumber?: boolean;
  /** Not shown until somebody chooses it. */
  readonly isOptional?: boolean;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** None: any text narrows the list. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface Page<Row> {
  readonly List: readonly Row[];
  readonly Total: number;
}

interface DataTableProps<Row> {
  /** Names the list for assistive technology, the export's file and the chosen columns. */
  readonly name: string;
  readonly label: string;
  /** Path of the page on which it stands. */
  readonly to: string;
  readonly shape: ListShape;
  readonly search: ListSearch;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly filters?: readonly Filter[];
  readonly page: Page<Row> | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The rows belong to the filters before; new ones are on their way. */
  readonly isRefreshing?: boolean;
  readonly keyOf: (row: Row) => number;
  readonly nameOf: (row: Row) => string;
  /** Null: there is nothing to search by. */
  readonly searchLabel: string | null;
  readonly emptyText: string;
  /** Actions on the selected rows; without it nothing can be selected. */
  readonly bulk?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Buttons of one row, at its end. */
  readonly actions?: (row: Row) => ReactNode;
  /** Opens an export of the list's own, instead of the one of its columns. */
  readonly onExport?: () => void;
  /** Reads a page of what matches, for the export. */
  readonly readPage: (page: number, pageSize: number) => Promise<Page<Row>>;
}

const DEBOUNCE_MS = 300;
const EXPORT_PAGE = 100;

function KeywordBox({
  keyword,
  label,
  onKeyword,
}: {
  readonly keyword: string;
  readonly label: string;
  readonly onKeyword: (keyword: string) => void;
}): ReactNode {
  const [text, setText] = useState(keyword);
  const [sent, setSent] = useState(keyword);
  if (keyword !== sent) {
    setSent(keyword);
    setText(keyword);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onKeyword(wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sent, onKeyword]);
  return (
    <search className="table-search">
      <div className="input-box">
        <SearchIcon />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </search>
  );
}

function FilterSelect({
  filter,
  value,
  onChange,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const messages = useMessages();
  const id = useId();
  return (
    <span className="table-filter">
      <label htmlFor={id}>{filter.label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{messages.table.all}</option>
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A filter that takes any text; what is typed counts once the typing pauses. */
function FilterText({
  filter,
  value,
  onChange,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onChange(wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sent, onChange]);
  return (
    <span className="table-filter">
      <label htmlFor={id}>{filter.label}</label>
      <input
        id={id}
        type="search"
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}

/** Which columns are shown, kept in this browser. */
function useColumns<Row>(
  name: string,
  columns: readonly Column<Row>[],
): readonly [ReadonlySet<string>, (key: string, isShown: boolean) => void] {
  const storageKey = `hypercube.columns.${name}`;
  const [shown, setShown] = useState<ReadonlySet<string>>(() => {
    const stored = readStored(storageKey)?.split(',');
    const usual = columns.filter((column) => column.isOptional !== true).map(({ key }) => key);
    const known = stored?.filter((key) => columns.some((column) => column.key === key));
    return new Set(known !== undefined && known.length > 0 ? known : usual);
  });
  const choose = (key: string, isShown: boolean): void => {
    const next = new Set(shown);
    if (isShown) next.add(key);
    else next.delete(key);
    if (next.size === 0) return;
    setShown(next);
    writeStored(storageKey, [...next].join(','));
  };
  return [shown, choose];
}

/** Chooses the columns. Escape and a press elsewhere close it, as they do every menu. */
function ColumnsMenu<Row>({
  columns,
  shown,
  onChoose,
}: {
  readonly columns: readonly Column<Row>[];
  readonly shown: ReadonlySet<string>;
  readonly onChoose: (key: string, isShown: boolean) => void;
}): ReactNode {
  const messages = useMessages();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) element.open = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !element.open) return;
      element.open = false;
      element.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    element.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      element.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details className="table-columns" ref={menu}>
      <summary className="btn btn-small btn-quiet">
        {messages.table.columns}
        <ChevronDownIcon />
      </summary>
      <div className="menu">
        {columns.map(({ key, title }) => (
          <label key={key} className="menu-item">
            <input
              type="checkbox"
              checked={shown.has(key)}
              onChange={(event) => onChoose(key, event.target.checked)}
            />
            {title}
          </label>
        ))}
      </div>
    </details>
  );
}

/** Sorting where there are no headings to press: on a phone. */
function SortSelect<Row>({
  columns,
  shape,
  sort,
  onSort,
}: {
  readonly columns: readonly Column<Row>[];
  readonly shape: ListShape;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}): ReactNode {
  const messages = useMessages();
  const id = useId();
  const [usual] = shape.sorts;
  const options = columns.flatMap((column) =>
    column.sort === undefined ? [] : [{ value: column.sort, label: column.title }],
  );
  return (
    <span className="table-filter table-sorting">
      <label htmlFor={id}>{messages.table.sort}</label>
      <select id={id} value={sort} onChange={(event) => onSort(event.target.value)}>
        {options.some(({ value }) => value === usual) ? null : (
          <option value={usual}>{messages.table.usualSort}</option>
        )}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A heading that sorts; pressed again, it gives the usual order back. */
function SortLink({
  title,
  sort,
  search,
  shape,
  to,
}: {
  readonly title: string;
  readonly sort: string;
  readonly search: ListSearch;
  readonly shape: ListShape;
  readonly to: string;
}): ReactNode {
  const words = useMessages().table;
  const [usual] = shape.sorts;
  const isSorted = sort === search.sort;
  const gives = isSorted ? usual : sort;
  return (
    <Link
      to={to}
      search={writeListSearch(changeListSearch(search, { sort: gives }), shape)}
      className={isSorted ? 'table-sorted' : 'table-sort'}
      aria-label={isSorted && sort !== usual ? words.unsort(title) : words.sortBy(title)}
    >
      {title}
      <ChevronDownIcon size={12} />
    </Link>
  );
}

export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { search, shape, to, columns, page, keyOf, nameOf, filters = [] } = props;
  const messages = useMessages();
  const words = messages.table;
  const navigate = useNavigate();
  const [shown, choose] = useColumns(props.name, columns);
  const kept = useKeptFocus<HTMLElement>();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const visible = columns.filter(({ key }) => shown.has(key));
  const rows = page?.List ?? [];
  const lastPage = Math.max(1, Math.ceil((page?.Total ?? 0) / ROWS_PER_PAGE));
  const chosenRows = rows.filter((row) => selected.has(keyOf(row)));
  const clear = (): void => setSelected(new Set());

  const go = (change: Partial<ListSearch>, replace = false): void => {
    clear();
    void navigate({
      to,
      search: writeListSearch(changeListSearch(search, change), shape),
      replace,
    });
  };
  const exporting = useMutation({
    mutationFn: async () => {
      const exported = columns.filter((column) => column.text !== undefined);
      const lines = [exported.map(({ title }) => title)];
      for (let number = 1; ; number += 1) {
        const part = await props.readPage(number, EXPORT_PAGE);
        for (const row of part.List) lines.push(exported.map(({ text }) => text?.(row) ?? ''));
        if (part.List.length === 0 || number * EXPORT_PAGE >= part.Total) break;
      }
      download(`${props.name}.csv`, toCsv(lines));
    },
  });

  const toggleAll = (): void =>
    setSelected(chosenRows.length === rows.length ? new Set() : new Set(rows.map(keyOf)));
  const toggle = (key: number): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    setSelected(next);
  };

  return (
    <section className="card table-card" aria-label={props.label} {...kept}>
      <div className="table-bar">
        {props.searchLabel === null ? null : (
          <KeywordBox
            keyword={search.keyword}
            label={props.searchLabel}
            onKeyword={(keyword) => go({ keyword }, true)}
          />
        )}
        {filters.map((filter) => {
          const Field = filter.options.length === 0 ? FilterText : FilterSelect;
          return (
            <Field
              key={filter.name}
              filter={filter}
              value={search.filters[filter.name] ?? ''}
              onChange={(value) => {
                const { [filter.name]: _old, ...others } = search.filters;
                go({ filters: value === '' ? others : { ...others, [filter.name]: value } });
              }}
            />
          );
        })}
        <SortSelect
          columns={columns}
          shape={shape}
          sort={search.sort}
          onSort={(sort) => go({ sort })}
        />
        <span className="table-space" />
        {props.bulk && chosenRows.length > 0 ? (
          <>
            <span className="muted">{words.selected(chosenRows.length)}</span>
            {props.bulk(chosenRows, clear)}
          </>
        ) : null}
        <ColumnsMenu columns={columns} shown={shown} onChoose={choose} />
        <Button
          isSmall
          isBusy={exporting.isPending}
          onClick={props.onExport ?? (() => exporting.mutate())}
        >
          {words.export}
        </Button>
      </div>
      <Announcement>{page ? words.found(page.Total) : ''}</Announcement>
      {page === undefined ? (
        props.error ? (
          <ErrorState error={props.error} onRetry={props.onRetry} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 320 }} />
          </LoadingRegion>
        )
      ) : search.page > lastPage && props.isRefreshing !== true ? (
        // Its last row is gone, or the link is older than the list.
        <Navigate to={to} search={writeListSearch({ ...search, page: lastPage }, shape)} replace />
      ) : rows.length === 0 ? (
        <EmptyState
          title={isListFiltered(search) ? words.nothingFound : words.nothingYet}
          text={isListFiltered(search) ? words.nothingFoundText : props.emptyText}
        >
          {isListFiltered(search) ? (
            <Button look="primary" onClick={() => go({ keyword: '', filters: {} })}>
              {words.clear}
            </Button>
          ) : null}
        </EmptyState>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, so the keyboard must reach it
        <div className="table-scroll" tabIndex={0}>
          <table className="table" aria-busy={props.isRefreshing}>
            <thead>
              <tr>
                {props.bulk ? (
                  <th scope="col" className="table-check">
                    <input
                      type="checkbox"
                      aria-label={words.selectAll}
                      checked={chosenRows.length === rows.length}
                      onChange={toggleAll}
                    />
                  </th>
                ) : null}
                {visible.map((column) => (
                  <th
                    key={column.key}
                    scope="col"
                    className={column.isNumber ? 'table-number' : undefined}
                    {...(column.sort !== undefined && column.sort === search.sort
                      ? { 'aria-sort': 'other' as const }
                      : {})}
                  >
                    {column.sort === undefined ? (
                      column.title
                    ) : (
                      <SortLink
                        title={column.title}
                        sort={column.sort}
                        search={search}
                        shape={shape}
                        to={to}
                      />
                    )}
                  </th>
                ))}
                {props.actions ? (
                  <th scope="col">
                    <span className="visually-hidden">{words.actions}</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const key = keyOf(row);
                return (
                  <tr key={key} className={selected.has(key) ? 'table-selected' : undefined}>
                    {props.bulk ? (
                      <td className="table-check">
                        <input
                          type="checkbox"
                          aria-label={words.select(nameOf(row))}
                          checked={selected.has(key)}
                          onChange={() => toggle(key)}
                        />
                      </td>
                    ) : null}
                    {visible.map((column, index) =>
                      index === 0 ? (
                        <th key={column.key} scope="row" data-label={column.title}>
                          {column.cell(row)}
                        </th>
                      ) : (
                        <td
                          key={column.key}
                          data-label={column.title}
                          className={column.isNumber ? 'table-number num' : undefined}
                        >
                          {column.cell(row)}
                        </td>
                      ),
                    )}
                    {props.actions ? <td className="table-actions">{props.actions(row)}</td> : null}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {page ? (
        <div className="table-foot">
          <Pagination
            page={search.page}
            pageSize={ROWS_PER_PAGE}
            total={page.Total}
            to={to}
            searchFor={(number) => writeListSearch({ ...search, page: number }, shape)}
          />
        </div>
      ) : null}
    </section>
  );
}
