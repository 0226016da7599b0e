/** What the staff's pages of one catalogue item have in common: its title, its state, the tabs. */
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useMessages } from '../../../kernel/language.tsx';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import '../../../ui/tabs.css';
import type { Publishing } from './ItemsAdmin.tsx';

export interface ItemTab {
  readonly key: string;
  readonly label: string;
  readonly to: string;
  /** Shown after the label. */
  readonly mark?: ReactNode;
}

interface ItemFrameProps<Item> {
  /** Null: the address names none. */
  readonly itemID: number | null;
  readonly query: UseQueryResult<Item>;
  /** What is told under the title; empty ones are left out. */
  readonly facts: (item: Item) => readonly string[];
  /** Where learners see it; null where they would not. */
  readonly view: (item: Item) => string | null;
  readonly publishing: Publishing<Item>;
  readonly tabs: (item: Item) => readonly ItemTab[];
  readonly current: string;
  readonly tabsClass?: string;
  readonly onChanged: () => unknown;
  readonly children: (item: Item) => ReactNode;
}

export function ItemFrame<Item extends { readonly Title: string; readonly IsPublished: boolean }>(
  props: ItemFrameProps<Item>,
): ReactNode {
  const { publishing } = props;
  const { data, error, refetch } = props.query;
  const messages = useMessages();
  const words = messages.admin.lab;
  const publication = useMutation({
    mutationFn: (item: Item) => publishing.publish(item, !item.IsPublished),
    onSuccess: (answer) => {
      toast('success', answer.IsPublished ? publishing.published : publishing.unpublished);
      return props.onChanged();
    },
  });
  if (props.itemID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400 }} />
      </LoadingRegion>
    );
  }
  const view = props.view(data);
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={data.Title}>{data.Title}</PageTitle>
          <p className="muted">
            {props
              .facts(data)
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </p>
        </div>
        <div className="row">
          {view === null ? null : <ButtonLink to={view}>{words.view}</ButtonLink>}
          <Button
            look={data.IsPublished ? 'plain' : 'primary'}
            isBusy={publication.isPending}
            onClick={() => publication.mutate(data)}
          >
            {data.IsPublished ? words.unpublish : words.publish}
          </Button>
        </div>
      </div>
      <nav className={`tabs ${props.tabsClass ?? ''}`} aria-label={data.Title}>
        {props.tabs(data).map(({ key, label, to, mark }) => (
          <Link
            key={key}
            to={to}
            // The address of one tab may begin that of another.
            activeOptions={{ exact: true }}
            activeProps={{}}
            aria-current={key === props.current ? 'page' : undefined}
          >
            {label}
            {mark}
          </Link>
        ))}
      </nav>
      {props.children(data)}
    </>
  );
}
