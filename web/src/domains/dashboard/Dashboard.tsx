/** The charts of the admin area's first page. */
import {
  TRACK_MODULES,
  type Dashboard as DashboardFigures,
  type Language,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { Chart } from '../../ui/chart/Chart.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { dashboardQuery, nowQuery, type Period } from './dashboard.api.ts';
import { Figures } from './Figures.tsx';

const PERIODS = ['day', 'month', 'year'] as const satisfies readonly Period[];

/** The name of a province, a special region or a country. */
function regionName(
  region: string | null,
  language: Language,
  words: Catalogue['dashboard'],
): string {
  if (region === null) return words.regionUnknown;
  const province = Object.entries(words.provinces).find(([code]) => `CN-${code}` === region);
  if (province) return province[1];
  return new Intl.DisplayNames([language], { type: 'region' }).of(region) ?? region;
}

function Now(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.dashboard.now;
  const now = useQuery(nowQuery).data;
  const value = (count: number | undefined): string =>
    count === undefined ? messages.common.unknown : formatCount(count);
  return (
    <Figures
      figures={[
        { label: words.online, value: value(now?.Online) },
        { label: words.environments, value: value(now?.WithEnvironment) },
        { label: words.applications, value: value(now?.TeacherApplications) },
        { label: words.suggestions, value: value(now?.OpenSuggestions) },
      ]}
    />
  );
}

function Charts({ figures }: { readonly figures: DashboardFigures }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.dashboard;
  const inChina = figures.Regions.filter(({ Region }) => Region?.startsWith('CN-'));
  const inWorld = new Map<string | null, number>();
  for (const { Region, Count } of figures.Regions) {
    const country = Region?.startsWith('CN-') ? 'CN' : Region;
    inWorld.set(country, (inWorld.get(country) ?? 0) + Count);
  }
  const buckets = figures.Growth.map(({ Bucket }) => Bucket);
  const viewsOf = (module: string): number[] =>
    buckets.map(
      (bucket) =>
        figures.Visits.find((row) => row.Bucket === bucket && row.Module === module)?.Views ?? 0,
    );
  return (
    <div className="charts">
      <Chart
        name="growth"
        title={words.growth}
        head={words.time}
        data={{
          labels: buckets,
          series: [
            { name: words.newUsers, values: figures.Growth.map((row) => row.New) },
            { name: words.allUsers, values: figures.Growth.map((row) => row.Total), isLine: true },
          ],
        }}
      />
      <Chart
        name="visits"
        title={words.visits}
        head={words.time}
        data={{
          labels: buckets,
          isStacked: true,
          series: TRACK_MODULES.map((module) => ({
            name: words.modules[module],
            values: viewsOf(module),
          })).filter(({ values }) => values.some((value) => value > 0)),
        }}
      />
      <Chart
        name="usage-hours"
        title={words.usageHours}
        head={words.time}
        data={{
          labels: figures.UsageHours.map(({ Bucket }) => Bucket),
          hasFractions: true,
          series: [{ name: words.hours, values: figures.UsageHours.map(({ Hours }) => Hours) }],
        }}
      />
      <Chart
        name="structure"
        title={words.structure}
        head={words.userType}
        data={{
          labels: figures.Structure.map(({ Type }) => messages.account.types[Type]),
          series: [{ name: words.users, values: figures.Structure.map(({ Count }) => Count) }],
        }}
      />
      <Chart
        name="organisations"
        title={words.organisations}
        head={words.organisation}
        data={{
          labels: figures.Organisations.map(({ Name }) => Name),
          direction: 'across',
          series: [{ name: words.users, values: figures.Organisations.map(({ Count }) => Count) }],
        }}
      />
      <Chart
        name="composition"
        title={words.composition}
        head={words.kind}
        data={{
          labels: figures.Composition.map(({ Kind }) => words.kinds[Kind]),
          series: [{ name: words.count, values: figures.Composition.map(({ Count }) => Count) }],
        }}
      />
      <Chart
        name="china"
        title={words.china}
        head={words.region}
        data={{
          labels: inChina.map(({ Region }) => regionName(Region, language, words)),
          direction: 'across',
          series: [{ name: words.users, values: inChina.map(({ Count }) => Count) }],
        }}
      />
      <Chart
        name="world"
        title={words.world}
        head={words.region}
        data={{
          labels: [...inWorld.keys()].map((region) => regionName(region, language, words)),
          direction: 'across',
          series: [{ name: words.users, values: [...inWorld.values()] }],
        }}
      />
    </div>
  );
}

export function Dashboard(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.dashboard;
  const [period, setPeriod] = useState<Period>('day');
  const figures = useQuery(dashboardQuery(period));
  return (
    <section>
      <div className="section-head">
        <h2>{words.title}</h2>
        <Segments
          label={words.period}
          value={period}
          options={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
          onChange={setPeriod}
        />
      </div>
      <Now />
      {figures.data ? (
        <Charts figures={figures.data} />
      ) : figures.error ? (
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
      ) : (
        <LoadingRegion>
          <Skeleton style={{ height: 320 }} />
        </LoadingRegion>
      )}
    </section>
  );
}
