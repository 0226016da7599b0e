/** The charts of the admin area's first page. */
import {
  TRACK_MODULES,
  type Dashboard as DashboardFigures,
  type MapName,
} from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useLanguage, useMessages } from '../../kernel/language.tsx';
import { Chart } from '../../ui/chart/Chart.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { useStreamState } from '../usage/watch.ts';
import { dashboardQuery, mapQuery, nowPollMs, nowQuery, type Period } from './dashboard.api.ts';
import { Figures } from './Figures.tsx';
import { useLiveFigures } from './live.ts';
import { distributionOf, regionName } from './regions.ts';

const PERIODS = ['day', 'month', 'year'] as const satisfies readonly Period[];

function Now(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.dashboard.now;
  useLiveFigures();
  const stream = useStreamState();
  const now = useQuery({ ...nowQuery, refetchInterval: nowPollMs(stream) }).data;
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

/** Where users are: on the map, or as bars where the installation has no map that can be read. */
function RegionChart({
  name,
  title,
  regions,
  unknown,
}: {
  readonly name: MapName;
  readonly title: string;
  readonly regions: readonly (readonly [code: string, count: number])[];
  /** Users who did not say where they are. */
  readonly unknown: number;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.dashboard;
  const { data: shapes, isError } = useQuery(mapQuery(name));
  const notes = [
    isError ? words.mapFailed : null,
    unknown > 0 ? words.regionsUnknown(formatCount(unknown)) : null,
  ].filter((note) => note !== null);
  return (
    <Chart
      name={name}
      title={title}
      head={words.region}
      data={{
        labels: regions.map(([code]) => regionName(code, language, messages)),
        direction: 'across',
        series: [{ name: words.users, values: regions.map(([, count]) => count) }],
      }}
      map={shapes && { name, shapes, codes: regions.map(([code]) => code) }}
      note={notes.length === 0 ? undefined : notes.join(' ')}
    />
  );
}

function Charts({ figures }: { readonly figures: DashboardFigures }): ReactNode {
  const words = useMessages().dashboard;
  const types = useMessages().common.userTypes;
  const { inChina, inWorld, unknown } = distributionOf(figures.Regions);
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
          labels: figures.Structure.map(({ Type }) => types[Type]),
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
      <RegionChart name="china" title={words.china} regions={inChina} unknown={unknown} />
      <RegionChart name="world" title={words.world} regions={inWorld} unknown={unknown} />
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
