/** The home page, from what is given. */
import type { AnswerOf, LabSummary, Usage, routes } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useLanguage, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { inLanguage, useSite } from '../../kernel/site.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { TurningMark } from '../../ui/Mark.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { ItemCardSkeleton } from '../catalogue/ItemCard.tsx';
import { LabCard } from '../lab/LabCard.tsx';
import { NEWEST_COUNT } from '../lab/lab.api.ts';
import type { UsageState } from '../usage/usage.api.ts';
import { UsageCard } from '../usage/UsageCard.tsx';
import './home.css';

export interface HomeViewProps {
  /** undefined while it is not known who it is. */
  readonly isSignedIn: boolean | undefined;
  /** What it is called and says comes with the page and is not waited for. */
  readonly site: Omit<AnswerOf<typeof routes.getSite>, 'Site'> | undefined;
  readonly usageState: UsageState | undefined;
  readonly newest: readonly LabSummary[] | undefined;
  readonly newestError: unknown;
  readonly onRetry: () => void;
}

const hasUsage = (state: UsageState | undefined): state is UsageState & { usage: Usage } =>
  state?.usage != null;

function Counts({ site }: Pick<HomeViewProps, 'site'>): ReactNode {
  const messages = useMessages();
  const counts: [string, number | undefined][] = [
    [messages.home.labs, site?.Counts.Labs],
    [messages.home.tasks, site?.Counts.Tasks],
    [messages.home.courses, site?.Counts.Courses],
    [messages.home.problems, site?.Counts.Problems],
    [messages.home.tags, site?.Counts.Tags],
    [messages.home.runningUsages, site?.Counts.RunningUsages],
  ];
  return (
    <dl className="home-counts">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          {/* Not known is not zero. */}
          <dd className="num">
            {count === undefined ? messages.common.unknown : formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function EngineNotice({ site }: Pick<HomeViewProps, 'site'>): ReactNode {
  const messages = useMessages();
  if (site === undefined) return null;
  const ready = site.Images.filter((image) => image.State === 'ready').length;
  const isBuilding = site.Images.some(
    (image) => image.State === 'building' || image.State === 'waiting',
  );
  if (site.Engine.IsReady && !isBuilding) return null;
  return (
    <div className={site.Engine.IsReady ? 'notice' : 'notice notice-warn'}>
      <p>
        {site.Engine.IsReady
          ? messages.home.imagesBuilding(ready, site.Images.length)
          : messages.home.engineDown}
      </p>
      {site.Engine.Reason ? (
        <p className="muted">{messages.home.engineReason(site.Engine.Reason)}</p>
      ) : null}
    </div>
  );
}

/** Who backs the site. */
function Supporters(): ReactNode {
  const { messages, language } = useLanguage();
  const supporters = useSite()?.Supporters ?? [];
  if (supporters.length === 0) return null;
  return (
    <section aria-labelledby="supporters">
      <div className="section-head">
        <h2 id="supporters">{messages.site.supporters}</h2>
      </div>
      <ul className="supporters">
        {supporters.map(({ NameZh, NameEn, URL, Logo }) => {
          const name = inLanguage(language, NameZh, NameEn);
          const shown = (
            <>
              {Logo === null ? null : <img src={Logo} alt="" loading="lazy" />}
              <span>{name}</span>
            </>
          );
          return (
            <li key={NameZh + (Logo ?? '')} className="card">
              {URL === null ? <span>{shown}</span> : <a href={URL}>{shown}</a>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function HomeView(props: HomeViewProps): ReactNode {
  const { messages, language } = useLanguage();
  const face = useSite();
  const { isSignedIn, site, usageState, newest } = props;
  const tagline = face === null ? '' : inLanguage(language, face.TaglineZh, face.TaglineEn);
  const intro = face === null ? '' : inLanguage(language, face.IntroZh, face.IntroEn);
  return (
    <>
      <section className="hero">
        <div>
          <PageTitle name={messages.home.title} className="hero-title">
            {tagline === '' ? (
              <>
                {messages.home.heroLine1}
                <br />
                {messages.home.heroLine2}
              </>
            ) : (
              tagline
            )}
          </PageTitle>
          <p className="hero-lead">{intro === '' ? messages.home.lead : intro}</p>
          <div className="row row-wrap hero-actions">
            {hasUsage(usageState) ? (
              <ButtonLink to={usageState.usage.RoutePath} look="primary">
                {messages.home.resume(usageState.usage.Title)}
              </ButtonLink>
            ) : null}
            <ButtonLink to={paths.labs} look={hasUsage(usageState) ? 'plain' : 'primary'}>
              {messages.home.browse}
            </ButtonLink>
            {isSignedIn === false ? (
              <ButtonLink to={paths.login}>{messages.home.login}</ButtonLink>
            ) : null}
          </div>
          <Counts site={site} />
        </div>
        <div className="hero-art">
          <TurningMark size={380} />
        </div>
      </section>
      <div className="wrap home-wrap">
        <EngineNotice site={site} />
        {isSignedIn ? (
          <section>
            <div className="section-head">
              <h2>{messages.home.continueTitle}</h2>
              <Link to={paths.home} className="text-link">
                {messages.shell.history}
              </Link>
            </div>
            {hasUsage(usageState) ? (
              <div className="home-resume">
                <UsageCard state={usageState} />
              </div>
            ) : (
              <p className="card home-empty">{messages.home.continueEmpty}</p>
            )}
          </section>
        ) : null}
        <section>
          <div className="section-head">
            <h2>{messages.home.newest}</h2>
            <Link to={paths.labs} className="text-link">
              {messages.home.all}
            </Link>
          </div>
          {newest === undefined ? (
            props.newestError ? (
              <ErrorState error={props.newestError} onRetry={props.onRetry} />
            ) : (
              <LoadingRegion>
                <div className="home-grid">
                  {Array.from({ length: NEWEST_COUNT }, (_unused, index) => (
                    <ItemCardSkeleton key={`s${index}`} />
                  ))}
                </div>
              </LoadingRegion>
            )
          ) : newest.length === 0 ? (
            <p className="card home-empty">{messages.home.newestEmpty}</p>
          ) : (
            <ul className="home-grid">
              {newest.map((lab) => (
                <li key={lab.ID}>
                  <LabCard lab={lab} level="h3" />
                </li>
              ))}
            </ul>
          )}
        </section>
        <Supporters />
      </div>
    </>
  );
}
