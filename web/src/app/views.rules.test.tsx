/** Every view in its states, in both languages. */
import {
  UsageStatus,
  type Domain,
  type LabDetail,
  type LabSummary,
  type Usage,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { catalogue as en } from '@hypercube/messages/en-US';
import { catalogue as zh } from '@hypercube/messages/zh-CN';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterContextProvider,
  createMemoryHistory,
  createRootRoute,
  createRouter,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LoginView } from '../domains/account/LoginView.tsx';
import { HomeView, type HomeViewProps } from '../domains/home/HomeView.tsx';
import { LabDetailView } from '../domains/lab/LabDetailView.tsx';
import { LabsView, type LabsViewProps } from '../domains/lab/LabsView.tsx';
import { EMPTY_SEARCH } from '../domains/catalogue/search.ts';
import { HistoryView } from '../domains/usage/HistoryView.tsx';
import { UsageCard } from '../domains/usage/UsageCard.tsx';
import {
  EndedPanel,
  ExistingPanel,
  FailedPanel,
  PausedPanel,
} from '../domains/workspace/Panels.tsx';
import { StartProgress } from '../domains/workspace/StartProgress.tsx';
import { ApiError } from '../kernel/api.ts';
import { LanguageProvider } from '../kernel/language.tsx';
import { NotFoundView } from '../ui/NotFoundView.tsx';

const languages: readonly ['zh-CN' | 'en-US', Catalogue][] = [
  ['zh-CN', zh],
  ['en-US', en],
];

function render(language: 'zh-CN' | 'en-US', messages: Catalogue, view: ReactNode): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return renderToStaticMarkup(
    <LanguageProvider language={language} messages={messages}>
      <QueryClientProvider client={new QueryClient()}>
        <RouterContextProvider router={router}>{view}</RouterContextProvider>
      </QueryClientProvider>
    </LanguageProvider>,
  );
}

const tag = { ID: 2, SequenceNumber: 1, Title: 'MPI', TitleZh: 'MPI', TitleEn: 'MPI', Color: 2 };
const domain: Domain = { ...tag, ID: 1, Title: 'Parallel', Tags: [tag] };
const lab: LabSummary = {
  ID: 1,
  Type: 2,
  Title: 'Ring',
  Description: 'Pass a token',
  Cover: { Kind: 'ring', Seed: 3 },
  Domain: domain,
  Tags: [tag],
  TaskCount: 3,
  Minutes: 45,
  Uses: 1234,
  UpdatedAt: '2026-01-02T00:00:00.000Z',
};
const detail: LabDetail = {
  ...lab,
  Content: '',
  MediaPath: '/api/v1/lab/1/',
  Specification: {
    ID: 1,
    Name: 'small',
    LifetimeSeconds: 3600,
    Nodes: [{ Name: 'node1', Cpus: 2, MemoryBytes: 2_147_483_648, Image: 'notebook' }],
  },
};
const usage: Usage = {
  ID: 7,
  Status: UsageStatus.running,
  Phase: 'ready',
  Position: null,
  Build: null,
  Reason: null,
  RenewalTime: 1000,
  Lifetime: 3600,
  Remaining: 3600,
  ServerTime: 1000,
  Version: 1,
  Type: 2,
  RouteName: 'notebookLabTaskDetail',
  RoutePath: '/lab/1/notebook/task/11',
  Host: 'aA',
  IP: 'aB',
  ProxyPath: '/proxy/notebook/aA/aB/',
  TerminalPath: '/proxy/terminal/aA/aB/',
  Nodes: ['node1'],
  Title: 'Ring',
  LabID: 1,
  TaskID: 11,
  SoftwareID: null,
  ComputerID: null,
  SpecificationID: null,
  Storage: null,
  LostNode: null,
  Cpus: 2,
  MemoryBytes: 2_147_483_648,
  IsHeld: false,
  PhaseTimes: {},
  CreatedAt: '2026-01-02T00:00:00.000Z',
};
const state = { usage, ended: null, receivedAt: 0 };
const nothing = (): void => undefined;
const offline = new ApiError('offline');

const home: HomeViewProps = {
  isSignedIn: false,
  site: undefined,
  usageState: undefined,
  newest: undefined,
  newestError: null,
  onRetry: nothing,
};
const site: NonNullable<HomeViewProps['site']> = {
  Counts: { Labs: 12, Tasks: 34, Courses: 3, Problems: 8, Tags: 5, RunningUsages: 0 },
  Engine: { IsReady: true, Reason: null },
  Images: [],
  Version: '1',
};
const labs: LabsViewProps = {
  search: EMPTY_SEARCH,
  items: undefined,
  domains: undefined,
  error: null,
  isRefreshing: false,
  onKeyword: nothing,
  onRetry: nothing,
};

describe.each(languages)('in %s', (language, messages) => {
  const show = (view: ReactNode): string => render(language, messages, view);

  describe('the home page', () => {
    it('never shows an unknown count as zero', () => {
      const markup = show(<HomeView {...home} />);
      expect(markup.match(/<dd class="num">—<\/dd>/g)).toHaveLength(6);
      expect(markup).not.toContain('<dd class="num">0</dd>');
    });
    it('shows a true zero', () => {
      const markup = show(<HomeView {...home} site={site} newest={[lab]} />);
      expect(markup).toContain('<dd class="num">0</dd>');
      expect(markup).toContain('<dd class="num">12</dd>');
      expect(markup).toContain('href="/lab/1"');
    });
    it('offers a visitor the login, and nobody else', () => {
      expect(show(<HomeView {...home} />)).toContain(messages.home.login);
      expect(show(<HomeView {...home} isSignedIn />)).not.toContain(messages.home.login);
      expect(show(<HomeView {...home} isSignedIn={undefined} />)).not.toContain(
        messages.home.login,
      );
    });
    it('opens with the running environment', () => {
      const markup = show(<HomeView {...home} isSignedIn usageState={state} />);
      expect(markup).toContain(`href="${usage.RoutePath}"`);
      expect(markup).toContain(messages.usage.renew);
    });
    it('says when environments cannot be opened, and why to staff', () => {
      const down = { ...site, Engine: { IsReady: false, Reason: 'no podman' } };
      expect(show(<HomeView {...home} site={down} />)).toContain('no podman');
      expect(show(<HomeView {...home} site={site} />)).not.toContain(messages.home.engineDown);
    });
    it('keeps its own content when the newest labs fail', () => {
      const markup = show(<HomeView {...home} newestError={offline} />);
      expect(markup).toContain(messages.home.lead);
      expect(markup).toContain(messages.common.offline);
    });
  });

  describe('the catalogue', () => {
    it('shows its shape while it loads', () => {
      expect(show(<LabsView {...labs} />)).toContain('aria-busy="true"');
    });
    it('lists labs and the range', () => {
      const markup = show(
        <LabsView {...labs} items={{ List: [lab], Total: 30 }} domains={[domain]} />,
      );
      expect(markup).toContain('1.2K');
      expect(markup).toContain(messages.common.range(1, 12, 30));
      expect(markup).toContain('rel="next"');
      expect(markup).not.toContain('rel="prev"');
    });
    it('tells an empty site from filters that find nothing', () => {
      const empty = { List: [], Total: 0 };
      expect(show(<LabsView {...labs} items={empty} />)).toContain(messages.lab.emptySite);
      const filtered = { ...EMPTY_SEARCH, tags: [2] };
      const markup = show(
        <LabsView {...labs} search={filtered} items={empty} domains={[domain]} />,
      );
      expect(markup).toContain(messages.filters.clear);
      expect(markup).toContain(`aria-label="${messages.filters.removeTag('MPI')}"`);
    });
    it('says what went wrong, and keeps what it has', () => {
      expect(show(<LabsView {...labs} error={offline} />)).toContain(messages.common.offline);
      const stale = show(<LabsView {...labs} error={offline} items={{ List: [lab], Total: 1 }} />);
      expect(stale).toContain('Ring');
    });
  });

  describe('a lab', () => {
    const calls = { tasksError: null, onRetry: nothing };
    const tasks = [{ ID: 11, SequenceNumber: 1, Title: 'First', Minutes: 10 }];
    it('starts at its first task', () => {
      const markup = show(
        <LabDetailView {...calls} lab={detail} tasks={tasks} resources={[]} usage={null} />,
      );
      expect(markup).toContain(messages.lab.start);
      expect(markup).toContain('href="/lab/1/notebook/task/11"');
    });
    it('returns to its open environment instead', () => {
      const markup = show(
        <LabDetailView {...calls} lab={detail} tasks={tasks} resources={[]} usage={usage} />,
      );
      expect(markup).toContain(messages.lab.returnTo);
      expect(markup).not.toContain(messages.lab.start);
    });
    it('says why it cannot be started when its tasks do not come', () => {
      const markup = show(
        <LabDetailView
          {...calls}
          lab={detail}
          tasks={undefined}
          tasksError={offline}
          resources={undefined}
          usage={null}
        />,
      );
      expect(markup).toContain(messages.common.offline);
      expect(markup).toContain(messages.common.retry);
    });
    it('has no start without a task, and leads to the page of its kind', () => {
      expect(
        show(<LabDetailView {...calls} lab={detail} tasks={[]} resources={[]} usage={null} />),
      ).toContain(messages.lab.noTasks);
      const desktop = show(
        <LabDetailView
          {...calls}
          lab={{ ...detail, Type: 1 }}
          tasks={tasks}
          resources={[]}
          usage={null}
        />,
      );
      expect(desktop).toContain('/lab/1/desktop/task/');
      expect(desktop).not.toContain('/notebook/');
    });
  });

  describe('the login', () => {
    const view = { redirect: undefined, isBusy: false, error: null, onSubmit: nothing };
    it('says why it failed, with the seconds to wait', () => {
      const error = new ApiError('too_many_guesses', 429, { RetryAfterSeconds: 47 });
      expect(show(<LoginView {...view} error={error} />)).toContain('47');
    });
    it('says that a page waits', () => {
      expect(show(<LoginView {...view} redirect="/lab" />)).toContain(
        messages.account.redirectNotice,
      );
      expect(show(<LoginView {...view} />)).not.toContain(messages.account.redirectNotice);
    });
    it('names its fields for people and for password managers', () => {
      const markup = show(<LoginView {...view} />);
      expect(markup).toContain('autoComplete="username"');
      expect(markup).toContain('autoComplete="current-password"');
      expect(markup).toContain(`aria-label="${messages.form.showPassword}"`);
    });
  });

  describe('an environment', () => {
    it('can be paused, renewed and deleted while it runs', () => {
      const markup = show(<UsageCard state={state} />);
      for (const word of [messages.usage.pause, messages.usage.renew, messages.usage.delete]) {
        expect(markup).toContain(word);
      }
    });
    it('says why it cannot be renewed while it is paused', () => {
      const markup = show(
        <UsageCard state={{ ...state, usage: { ...usage, Status: UsageStatus.stopped } }} />,
      );
      expect(markup).toContain(messages.usage.renewNotRunning);
      expect(markup).toContain('aria-disabled="true"');
      expect(markup).toContain(messages.usage.resume);
    });
    it('can only be cancelled while it starts', () => {
      const markup = show(
        <UsageCard state={{ ...state, usage: { ...usage, Phase: 'creating' } }} />,
      );
      expect(markup).toContain(messages.usage.cancelStart);
      expect(markup).not.toContain(messages.usage.deleteConfirm);
    });
    it('shows its place in the queue and a true share of the build', () => {
      const queued: Usage = {
        ...usage,
        Phase: 'queued',
        Position: 3,
        PhaseTimes: { queued: '2026-01-02T00:00:00.000Z' },
        Build: {
          Image: 'notebook',
          State: 'building',
          Step: 3,
          Steps: 12,
          Text: 'apt',
          StartedAt: null,
        },
      };
      const markup = show(
        <StartProgress
          title="Ring"
          usage={queued}
          receivedAt={0}
          isCancelling={false}
          onCancel={nothing}
        />,
      );
      expect(markup).toContain(messages.usage.start.position(3));
      expect(markup).toContain(messages.usage.start.buildStep(3, 12));
      expect(markup).toContain('width:25.0%');
    });
    it('shows no share of a build whose length is not known', () => {
      const build = {
        Image: 'notebook',
        State: 'building',
        Step: 0,
        Steps: 0,
        Text: '',
        StartedAt: null,
      } as const;
      const markup = show(
        <StartProgress
          title="Ring"
          usage={{ ...usage, Phase: 'queued', Build: build }}
          receivedAt={0}
          isCancelling={false}
          onCancel={nothing}
        />,
      );
      expect(markup).not.toContain('width:');
    });
    it('says in words why it failed, ended or stands still, and that files are kept', () => {
      const reason = { Code: 'start_timed_out', Params: { Seconds: 90 } } as const;
      expect(
        show(<FailedPanel error={null} reason={reason} isBusy={false} onRetry={nothing} />),
      ).toContain('90');
      for (const Cause of [
        'expired',
        'crashed',
        'out_of_memory',
        'out_of_disk',
        'lost',
        'abandoned',
      ] as const) {
        const ended = { ID: 7, Cause, Reason: null, Title: 'Ring' };
        const markup = show(<EndedPanel ended={ended} isBusy={false} onStart={nothing} />);
        expect(markup).toContain(messages.usage.causes[Cause]);
        expect(markup).toContain(messages.usage.workspace.endedKept);
      }
      expect(show(<PausedPanel usage={usage} isBusy={false} onContinue={nothing} />)).toContain(
        messages.usage.workspace.pausedText,
      );
      expect(
        show(
          <PausedPanel usage={{ ...usage, IsHeld: true }} isBusy={false} onContinue={nothing} />,
        ),
      ).toContain(messages.usage.workspace.heldText);
    });
    it('of another page leaves four ways', () => {
      const markup = show(
        <ExistingPanel
          usage={usage}
          isBusy={false}
          onAdopt={nothing}
          onReplace={nothing}
          onRead={nothing}
        />,
      );
      const words = messages.usage.workspace;
      for (const way of [
        words.existingGo,
        words.existingHere,
        words.existingReplace,
        words.existingReading,
      ]) {
        expect(markup).toContain(way);
      }
    });
  });

  describe('the history', () => {
    const view = { state: undefined, history: undefined, error: null, page: 1, onRetry: nothing };
    it('tells causes in words and what never started', () => {
      const row = {
        ID: 1,
        Title: 'Ring',
        Type: 2,
        Cause: 'failed',
        Reason: { Code: 'start_no_space', Params: {} },
        CreatedAt: '2026-01-02T00:00:00.000Z',
        ReadyAt: null,
        EndedAt: '2026-01-02T00:01:00.000Z',
        RoutePath: '/lab/1/notebook/task/11',
      } as const;
      const markup = show(<HistoryView {...view} history={{ List: [row], Total: 1 }} />);
      expect(markup).toContain(messages.usage.causes.failed);
      expect(markup).toContain(messages.errors.start_no_space);
      expect(markup).toContain(messages.usage.history.never);
      expect(markup).toContain(`aria-label="${messages.usage.history.againNamed('Ring')}"`);
    });
    it('says what to do while it is empty, and why it failed', () => {
      expect(show(<HistoryView {...view} history={{ List: [], Total: 0 }} />)).toContain(
        messages.usage.history.emptyText,
      );
      expect(show(<HistoryView {...view} error={offline} />)).toContain(messages.common.offline);
    });
  });

  it('the not-found page says what to do', () => {
    const markup = show(<NotFoundView />);
    expect(markup).toContain(messages.shell.notFound.text);
    expect(markup).toContain('href="/"');
  });
});
