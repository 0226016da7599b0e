/** Where users are: ISO 3166-2 within China, else the country. */
import type { Dashboard, Language } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';

/** Regions with their users, the largest first. */
type Counts = readonly (readonly [code: string, count: number])[];

export interface Distribution {
  readonly inChina: Counts;
  /** China as one. */
  readonly inWorld: Counts;
  /** Users who did not say where they are. */
  readonly unknown: number;
}

/** Splits the regions of the dashboard by the map on which they are. */
export function distributionOf(regions: Dashboard['Regions']): Distribution {
  const china = new Map<string, number>();
  const world = new Map<string, number>();
  let unknown = 0;
  const add = (to: Map<string, number>, code: string, count: number): void =>
    void to.set(code, (to.get(code) ?? 0) + count);
  for (const { Region, Count } of regions) {
    if (Region === null) unknown += Count;
    else if (Region.startsWith('CN-')) {
      add(china, Region, Count);
      add(world, 'CN', Count);
    } else add(world, Region, Count);
  }
  const sorted = (counts: Map<string, number>): Counts =>
    [...counts].toSorted(([, one], [, other]) => other - one);
  return { inChina: sorted(china), inWorld: sorted(world), unknown };
}

/** The name of a province, a special region or a country. */
export function regionName(region: string, language: Language, messages: Catalogue): string {
  const province = Object.entries(messages.dashboard.provinces).find(
    ([code]) => `CN-${code}` === region,
  );
  if (province) return province[1];
  return new Intl.DisplayNames([language], { type: 'region' }).of(region) ?? region;
}
