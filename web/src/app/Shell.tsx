/** The frame: header, navigation, footer, and what lives on every page. */
import { Link, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useState, type ReactNode } from 'react';
import { announceArrival } from '../kernel/arrival.ts';
import { loadChunk } from '../kernel/chunks.ts';
import { needTexts, useLanguage, useMessages } from '../kernel/language.tsx';
import { may, useLogin } from '../kernel/login.ts';
import { paths } from '../kernel/paths.ts';
import { inLanguage, siteNames, useSite } from '../kernel/site.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import {
  ChartIcon,
  ExitIcon,
  GearIcon,
  GridIcon,
  HomeIcon,
  KeyboardIcon,
  MachineIcon,
  MenuIcon,
  SearchIcon,
} from '../ui/icons.tsx';
import { Mark } from '../ui/Mark.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { Toasts } from '../ui/Toasts.tsx';
import { Bell } from '../domains/notification/Bell.tsx';
import { staffRole } from '../domains/admin/role.ts';
import { useTracking } from '../domains/track/tracker.ts';
import { useUsageWatch } from '../domains/usage/watch.ts';
import { setPaletteOpen, usePaletteOpen } from './layers.ts';
import { WORKSPACES, isCurrent, pageOf, shownNavigation, type PageName } from './pages.ts';
import { useLogout } from './session.ts';
import { LanguageButton, ThemeButton } from './switches.tsx';
import { UsageAlerts } from './UsageAlerts.tsx';
import './shell.css';

/** A piece of the frame that comes when it is first wanted, with the texts that it shows. */
const withTexts = <T,>(load: () => Promise<T>): Promise<T> =>
  loadChunk(async () => {
    const [module] = await Promise.all([load(), needTexts('pages')]);
    return module;
  });

const Palette = lazy(() =>
  withTexts(() => import('./Palette.tsx')).then((module) => ({ default: module.Palette })),
);
const Drawer = lazy(() =>
  withTexts(() => import('./Drawer.tsx')).then((module) => ({ default: module.Drawer })),
);
const Widget = lazy(() =>
  withTexts(() => import('./widget/Widget.tsx')).then((module) => ({ default: module.Widget })),
);

/** The page that is shown. */
function useCurrentPage(): PageName | undefined {
  const matches = useMatches();
  return matches.at(-1)?.staticData.page;
}

function useKeys(): void {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPaletteOpen(true);
        return;
      }
      const target = event.target instanceof Element ? event.target : null;
      const isTyping =
        target?.closest('input, textarea, select, [contenteditable=true], dialog') != null;
      if (event.key === '?' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        void router.navigate({ to: paths.shortcuts });
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [router]);
}

/** After a navigation the focus belongs to the new heading; some pages always begin at their top. */
function useArrival(page: PageName | undefined): void {
  const router = useRouter();
  const resetsScroll = page !== undefined && pageOf(page).resetsScroll === true;
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ pathChanged, fromLocation }) => {
        if (fromLocation !== undefined && pathChanged) announceArrival();
      }),
    [router],
  );
  const { pathname } = useLocation();
  useEffect(() => {
    if (!resetsScroll) return;
    // After the router has put back where one was.
    const frame = requestAnimationFrame(() => scrollTo({ top: 0, behavior: 'instant' }));
    return () => cancelAnimationFrame(frame);
  }, [resetsScroll, pathname]);
}

export function Root(): ReactNode {
  const page = useCurrentPage();
  const isPaletteOpen = usePaletteOpen();
  const { session } = useLogin();
  const match = useMatches().at(-1);
  const hidesWidget = page === undefined || pageOf(page).hidesWidget === true;
  useKeys();
  useArrival(page);
  useUsageWatch();
  // Of the page that is shown: the location is the next one’s already while that is on its way.
  useTracking(page, match?.pathname ?? '', match?.params ?? {});
  return (
    <>
      <Outlet />
      <Toasts />
      <UsageAlerts hasOwnWarnings={page !== undefined && WORKSPACES.has(page)} />
      <Suspense>
        {session != null && !hidesWidget ? <Widget /> : null}
        {isPaletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

function Navigation(): ReactNode {
  const messages = useMessages();
  const { pathname } = useLocation();
  return (
    <nav className="top-nav" aria-label={messages.shell.nav.label}>
      <ul>
        {shownNavigation().map(({ name, path }) => (
          <li key={name}>
            <Link
              to={path}
              aria-current={isCurrent(path, pathname) ? 'page' : undefined}
              activeProps={{}}
            >
              {messages.shell.nav[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function UserMenu(): ReactNode {
  const messages = useMessages();
  const { session } = useLogin();
  const logout = useLogout();
  const { pathname, href } = useLocation();
  // Not known yet: neither a name nor a login button would be true.
  if (session === undefined) return <span className="avatar-space" />;
  if (session === null) {
    if (pathname === paths.login) return null;
    return (
      <Link
        to={paths.login}
        search={pathname === paths.index ? {} : { redirect: href }}
        className="btn btn-primary btn-small"
      >
        {messages.shell.login}
      </Link>
    );
  }
  const name = session.Nickname || session.Username;
  return (
    <MenuButton
      label={messages.shell.userMenu(name)}
      head={
        <>
          <div className="menu-name">{name}</div>
          <div className="muted">{messages.common.userTypes[session.Type]}</div>
        </>
      }
      entries={[
        { key: 'home', label: messages.shell.history, icon: <HomeIcon />, to: paths.home },
        {
          key: 'study',
          label: messages.shell.study,
          icon: <ChartIcon />,
          to: paths.study,
        },
        ...(may(session, ['computer.detail'])
          ? [
              {
                key: 'computer',
                label: messages.shell.computer,
                icon: <MachineIcon />,
                to: paths.computer,
              },
            ]
          : []),
        ...(staffRole(session) === null
          ? []
          : [
              {
                key: 'admin',
                label: messages.shell.enterAdmin,
                icon: <GridIcon />,
                to: paths.admin.home,
              },
            ]),
        { key: 'settings', label: messages.shell.settings, icon: <GearIcon />, to: paths.settings },
        {
          key: 'shortcuts',
          label: messages.shell.shortcuts.title,
          icon: <KeyboardIcon />,
          to: paths.shortcuts,
        },
        { key: 'logout', label: messages.shell.logout, icon: <ExitIcon />, onSelect: logout },
      ]}
    >
      <Avatar name={name} path={session.Avatar} />
    </MenuButton>
  );
}

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

function Header(): ReactNode {
  const { messages, language } = useLanguage();
  const { name, otherName } = siteNames(useSite(), language, messages);
  const { session } = useLogin();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  return (
    <header className="top">
      <Button
        look="quiet"
        isIcon
        className="menu-toggle"
        aria-label={messages.shell.openMenu}
        aria-haspopup="dialog"
        onClick={() => setDrawerOpen(true)}
      >
        <MenuIcon size={20} />
      </Button>
      <Link to={paths.index} className="brand">
        <Mark size={28} />
        <span>{name}</span>
        {otherName === null ? null : <small>{otherName}</small>}
      </Link>
      <Navigation />
      <button
        type="button"
        className="search-box"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setPaletteOpen(true)}
      >
        <SearchIcon />
        <span className="search-words">{messages.shell.search}</span>
        <kbd className="kbd" aria-hidden="true">
          {isApple() ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      <span className="header-extra">
        <LanguageButton />
        <ThemeButton />
      </span>
      {session != null && may(session, ['notification.list']) ? <Bell /> : null}
      <UserMenu />
      <Suspense>{isDrawerOpen ? <Drawer onClose={() => setDrawerOpen(false)} /> : null}</Suspense>
    </header>
  );
}

const YEAR = new Date().getFullYear();

/** Where whoever is filed with the authorities is looked up. */
const RECORDS = 'https://beian.miit.gov.cn/';

function Footer(): ReactNode {
  const { messages, language } = useLanguage();
  const site = useSite();
  const { name } = siteNames(site, language, messages);
  const own = site === null ? '' : inLanguage(language, site.FooterZh, site.FooterEn);
  const links = site?.Links ?? [];
  return (
    <footer className="bottom">
      <span>{messages.shell.footer(YEAR, name)}</span>
      <span>{own === '' ? messages.shell.footerBacking : own}</span>
      {links.length === 0 && (site?.Record ?? '') === '' ? null : (
        <ul className="footer-links">
          {links.map(({ TitleZh, TitleEn, URL }) => (
            <li key={URL + TitleZh}>
              <a href={URL} className="text-link">
                {inLanguage(language, TitleZh, TitleEn)}
              </a>
            </li>
          ))}
          {site?.Record ? (
            <li>
              <a href={RECORDS} className="text-link" rel="noreferrer">
                {site.Record}
              </a>
            </li>
          ) : null}
        </ul>
      )}
    </footer>
  );
}

/** The first stop of the keyboard on every page. */
function SkipLink(): ReactNode {
  const messages = useMessages();
  return (
    <a
      href="#content"
      className="skip"
      onClick={(event) => {
        // The router must not see a change of the address.
        event.preventDefault();
        document.querySelector<HTMLElement>('main')?.focus();
      }}
    >
      {messages.shell.skip}
    </a>
  );
}

export function ShellLayout(): ReactNode {
  return (
    <>
      <SkipLink />
      <Header />
      <main id="content" tabIndex={-1} className="shell-main">
        <Outlet />
      </main>
      <Footer />
    </>
  );
}

export function FullPageLayout(): ReactNode {
  return (
    <>
      <SkipLink />
      <main id="content" tabIndex={-1} className="full-main">
        <Outlet />
      </main>
    </>
  );
}
