/** The catalogue of software: its filters live in the address. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { useCatalogueSearch, useCatalogueState } from '../catalogue/use-catalogue.ts';
import { softwareListQuery } from './software.api.ts';
import { SOFTWARE_TYPES, SoftwareListView } from './SoftwareListView.tsx';

export function SoftwareListPage(): ReactNode {
  const { language } = useLanguage();
  const filters = useCatalogueSearch(paths.software, SOFTWARE_TYPES);
  const software = useQuery(softwareListQuery(filters.search, language));
  return <SoftwareListView {...useCatalogueState(filters, software)} />;
}
