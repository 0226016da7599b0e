/** The catalogue of labs, from what is given. */
import { LabType, type LabSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Catalogue, type CatalogueState } from '../catalogue/Catalogue.tsx';
import { LabCard } from './LabCard.tsx';

export type LabsViewProps = CatalogueState<LabSummary, LabType>;

/** The kinds of labs, in the order of the filter. */
export const LAB_TYPES = [LabType.notebook, LabType.desktop] as const;

export function LabsView(props: LabsViewProps): ReactNode {
  const messages = useMessages();
  const words = messages.lab;
  return (
    <Catalogue
      {...props}
      to={paths.labs}
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
      types={LAB_TYPES.map((value) => ({ value, label: messages.lab.types[value] }))}
      card={(lab) => <LabCard lab={lab} level="h2" />}
    />
  );
}
