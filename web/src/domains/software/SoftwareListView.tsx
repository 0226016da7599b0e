/** The catalogue of software, from what is given. */
import { SoftwareType, type SoftwareSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths, softwarePath } from '../../kernel/paths.ts';
import { Catalogue, type CatalogueState } from '../catalogue/Catalogue.tsx';
import { ItemCard } from '../catalogue/ItemCard.tsx';

export type SoftwareListViewProps = CatalogueState<SoftwareSummary, SoftwareType>;

/** The kinds of software that have a page, in the order of the filter. */
export const SOFTWARE_TYPES: readonly SoftwareType[] = [
  SoftwareType.desktop,
  SoftwareType.notebook,
  SoftwareType.ide,
];

export function SoftwareListView(props: SoftwareListViewProps): ReactNode {
  const messages = useMessages();
  const words = messages.software;
  return (
    <Catalogue
      {...props}
      to={paths.software}
      words={{
        title: words.title,
        lead: words.lead,
        searchIn: words.searchIn,
        searchLabel: words.searchLabel,
        list: words.list,
        found: words.found,
        emptyTitle: words.emptyTitle,
        emptySite: words.emptySite,
        emptySiteText: words.emptySiteText,
      }}
      types={SOFTWARE_TYPES.map((value) => ({ value, label: messages.software.types[value] }))}
      card={(software) => (
        <ItemCard
          item={software}
          // Grid jobs have no page yet; their card stays where it is.
          to={softwarePath(software.Type, software.ID) ?? paths.software}
          type={messages.software.types[software.Type]}
          level="h2"
          facts={[software.Uses > 0 ? messages.software.uses(formatCount(software.Uses)) : null]}
        />
      )}
    />
  );
}
