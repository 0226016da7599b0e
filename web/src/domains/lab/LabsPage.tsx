/** The catalogue of labs: its filters live in the address. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { useCatalogueSearch, useCatalogueState } from '../catalogue/use-catalogue.ts';
import { labsQuery } from './lab.api.ts';
import { LAB_TYPES, LabsView } from './LabsView.tsx';

export function LabsPage(): ReactNode {
  const { language } = useLanguage();
  const filters = useCatalogueSearch(paths.labs, LAB_TYPES);
  const labs = useQuery(labsQuery(filters.search, language));
  return <LabsView {...useCatalogueState(filters, labs)} />;
}
