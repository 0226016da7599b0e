/** What waits for whoever looks, what can be begun, and what each module holds. */
import type { Overview as OverviewOnWire } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatMoment } from '../../kernel/format.ts';
import { useLanguage, useMessages } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { overviewQuery } from '../dashboard/dashboard.api.ts';
import { WaitingHomework } from '../homework/admin/WaitingHomework.tsx';
import { ACTIONS, MODULES, WAITING } from './modules.ts';
import { mayStaff, staffRole } from './role.ts';

function Waiting({ waiting }: { readonly waiting: OverviewOnWire['Waiting'] }): ReactNode {
  const words = useMessages().admin.home;
  const role = staffRole(useLogin().session ?? null);
  const present = waiting.filter(({ Count }) => Count > 0);
  if (role === null || waiting.length === 0) return null;
  return (
    <section aria-label={words.waiting}>
      <div className="section-head">
        <h2>{words.waiting}</h2>
      </div>
      {present.length === 0 ? (
        <p className="muted">{words.nothingWaits}</p>
      ) : (
        <ul className="admin-waiting">
          {present.map(({ Kind, Count }) => (
            <li key={Kind}>
              <Link
                to={WAITING[Kind].path}
                search={WAITING[Kind].search(role)}
                className="card admin-waits"
              >
                <b className="num">{formatCount(Count)}</b>
                <span>{words.waits[Kind]}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Module({ module }: { readonly module: OverviewOnWire['Modules'][number] }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.home;
  const { list, item } = MODULES[module.Module];
  const name = words.modules[module.Module];
  return (
    <section className="card admin-module" aria-label={name}>
      <h3>
        <Link to={list} className="text-link">
          {name}
        </Link>
        <span className="num muted">{formatCount(module.Total)}</span>
      </h3>
      {module.Recent.length === 0 ? (
        <p className="muted">{words.noItems}</p>
      ) : (
        <ul>
          {module.Recent.map(({ ID, Title, State, UpdatedAt }) => (
            <li key={ID}>
              {item === null ? (
                <span className="admin-item">{Title}</span>
              ) : (
                <Link to={item(ID)} className="text-link admin-item">
                  {Title}
                </Link>
              )}
              <span className="tag">{words.states[State]}</span>
              <time className="muted num" dateTime={UpdatedAt}>
                {formatMoment(UpdatedAt, language)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Overview(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.home;
  const session = useLogin().session ?? null;
  const overview = useQuery(overviewQuery(language));
  const actions = ACTIONS.filter(({ need }) => mayStaff(session, need));
  return (
    <>
      {actions.length === 0 ? null : (
        <nav className="row admin-actions" aria-label={words.actions}>
          {actions.map(({ name, path }) => (
            <ButtonLink key={name} to={path}>
              {words.begin[name]}
            </ButtonLink>
          ))}
        </nav>
      )}
      {overview.data ? (
        <>
          <Waiting waiting={overview.data.Waiting} />
          {mayStaff(session, ['score.list']) ? <WaitingHomework /> : null}
          {overview.data.Modules.length === 0 ? (
            <p className="muted">{words.noModules}</p>
          ) : (
            <section>
              <div className="section-head">
                <h2>{words.recent}</h2>
              </div>
              <div className="admin-modules">
                {overview.data.Modules.map((module) => (
                  <Module key={module.Module} module={module} />
                ))}
              </div>
            </section>
          )}
        </>
      ) : overview.error ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <LoadingRegion>
          <Skeleton style={{ height: 240 }} />
        </LoadingRegion>
      )}
    </>
  );
}
