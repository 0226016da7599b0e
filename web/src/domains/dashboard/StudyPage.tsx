/** One's own study: time by day and module, days in a row, environments. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Chart } from '../../ui/chart/Chart.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { studyQuery } from './dashboard.api.ts';
import { Figures } from './Figures.tsx';

const RANGES = ['7', '30', '90', '365'] as const;

export function StudyPage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.dashboard.study;
  const [range, setRange] = useState<(typeof RANGES)[number]>('30');
  const study = useQuery(studyQuery(Number(range)));
  const data = study.data;
  const timeOf = (minutes: number): string => words.time(Math.floor(minutes / 60), minutes % 60);
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <Segments
          label={messages.dashboard.period}
          value={range}
          options={RANGES.map((value) => ({ value, label: words.days(Number(value)) }))}
          onChange={setRange}
        />
      </div>
      {data === undefined ? (
        study.error ? (
          <ErrorState error={study.error} onRetry={() => void study.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 320 }} />
          </LoadingRegion>
        )
      ) : (
        <>
          <Figures
            figures={[
              { label: words.total, value: timeOf(data.TotalMinutes) },
              { label: words.streak, value: words.days(data.Streak) },
              { label: words.longest, value: words.days(data.LongestStreak) },
              { label: words.environments, value: String(data.Environments) },
              {
                label: words.environmentTime,
                value: timeOf(data.EnvironmentMinutes),
              },
            ]}
          />
          <div className="charts">
            <Chart
              name="study-days"
              title={words.byDay}
              head={messages.dashboard.time}
              data={{
                labels: data.Days.map(({ Day }) => Day),
                series: [{ name: words.minutes, values: data.Days.map(({ Minutes }) => Minutes) }],
              }}
            />
            <Chart
              name="study-modules"
              title={words.byModule}
              head={words.module}
              data={{
                labels: data.Modules.map(({ Module }) => messages.dashboard.modules[Module]),
                series: [
                  { name: words.minutes, values: data.Modules.map(({ Minutes }) => Minutes) },
                ],
              }}
            />
          </div>
          <p className="muted">{words.how}</p>
          <ButtonLink to={paths.labs} look="primary">
            {words.next}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
