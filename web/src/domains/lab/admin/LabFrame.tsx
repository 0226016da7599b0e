/** What the pages of one lab have in common: its title, its state, and the tabs. */
import type { ManagedLab } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { ItemFrame } from '../../catalogue/admin/ItemFrame.tsx';
import { managedLabQuery, publishLab, useLabsChanged } from './lab-admin.api.ts';
import './lab-admin.css';

const TABS = ['info', 'task', 'resource'] as const;
type Tab = (typeof TABS)[number];

export function LabFrame({
  tab,
  children,
}: {
  readonly tab: Tab;
  readonly children: (lab: ManagedLab) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const changed = useLabsChanged();
  const params: { readonly labID?: string } = useParams({ strict: false });
  const labID = readID(params.labID);
  const query = useQuery({ ...managedLabQuery(labID ?? 0, language), enabled: labID !== null });
  return (
    <ItemFrame
      itemID={labID}
      query={query}
      facts={(lab) => [
        messages.usage.types[lab.Type],
        lab.IsPublished ? words.published : words.draft,
        lab.IsBuiltIn ? words.builtIn : (lab.Owner ?? ''),
      ]}
      view={(lab) => paths.lab(lab.ID)}
      publishing={{
        publish: (lab, isPublished) => publishLab(lab.ID, isPublished),
        published: words.publishedNow,
        unpublished: words.unpublishedNow,
      }}
      tabs={(lab) =>
        TABS.map((key) => ({ key, label: words.tabs[key], to: paths.admin.lab(lab.ID, key) }))
      }
      current={tab}
      onChanged={changed}
    >
      {children}
    </ItemFrame>
  );
}
