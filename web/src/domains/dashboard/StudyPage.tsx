/** One's own study: what is next, time by day and module, days in a row, environments. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, taskPath } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Chart } from '../../ui/chart/Chart.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { nextQuery, studyQuery } from './dashboard.api.ts';
import { Figures } from './Figures.tsx';
import './study.css';

const RANGES = ['7', '30', '90', '365'] as const;

/** Where to go on: what was begun, then what comes close to it. */
function Next(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.dashboard.study;
  const next = useQuery(nextQuery(language));
  const heading = <h2>{words.next}</h2>;
  if (next.data === undefined)
    return (
      <section className="study-next" aria-label={words.next}>
        {heading}
        {next.error ? (
          <ErrorState error={next.error} onRetry={() => void next.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 120 }} />
          </LoadingRegion>
        )}
      </section>
    );
  const { Begun, Fresh } = next.data;
  return (
    <section className="study-next" aria-label={words.next}>
      {heading}
      {Begun.length + Fresh.length === 0 ? <p className="muted">{words.nothingNext}</p> : null}
      <ul>
        {Begun.map((lab) => (
          <li key={lab.ID} className="card">
            <Link to={paths.lab(lab.ID)} className="text-link">
              {lab.Title}
            </Link>
            <span className="muted">{words.opened(lab.Opened, lab.TaskCount)}</span>
            <ButtonLink to={taskPath(lab.Type, lab.ID, lab.Task.ID)} look="primary" isSmall>
              {words.goOn(lab.Task.Title)}
            </ButtonLink>
          </li>
        ))}
        {Fresh.map((lab) => (
          <li key={lab.ID} className="card">
            <Link to={paths.lab(lab.ID)} className="text-link">
              {lab.Title}
            </Link>
            <span className="muted">
              {[
                messages.lab.types[lab.Type],
                messages.lab.tasks(lab.TaskCount),
                lab.Minutes > 0 ? messages.common.minutes(lab.Minutes) : null,
              ]
                .filter((fact) => fact !== null)
                .join(' · ')}
            </span>
            <span className="tag">{words.fresh}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

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
          <PageTitle name={messages.shell.study}>{messages.shell.study}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <Segments
          label={messages.dashboard.period}
          value={range}
          options={RANGES.map((value) => ({ value, label: words.days(Number(value)) }))}
          onChange={setRange}
        />
      </div>
      <Next />
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
              { label: words.solved, value: String(data.Problems.SolvedEver) },
              {
                label: words.environments,
                value: String(data.Environments.reduce((sum, { Count }) => sum + Count, 0)),
              },
              {
                label: words.environmentTime,
                value: timeOf(data.Environments.reduce((sum, { Minutes }) => sum + Minutes, 0)),
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
            {data.Problems.Solved === 0 ? null : (
              <Chart
                name="study-problems"
                title={words.solvedByDay}
                head={messages.dashboard.time}
                data={{
                  labels: data.Days.map(({ Day }) => Day),
                  series: [
                    { name: words.solvedCount, values: data.Days.map(({ Solved }) => Solved) },
                  ],
                }}
              />
            )}
            <Chart
              name="study-environments"
              title={words.byKind}
              head={words.kind}
              data={{
                labels: data.Environments.map(({ Type }) => messages.usage.types[Type]),
                hasFractions: true,
                series: [
                  { name: words.times, values: data.Environments.map(({ Count }) => Count) },
                  {
                    name: words.hours,
                    values: data.Environments.map(({ Minutes }) => Math.round(Minutes / 6) / 10),
                  },
                ],
              }}
            />
          </div>
          <p className="muted study-how">{words.how}</p>
        </>
      )}
    </div>
  );
}
