/** The command palette: pages, labs and actions by name, wholly by keyboard. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox with its own listbox: no element does that */
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  useDeferredValue,
  useEffect,
  useId,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useLanguage } from '../kernel/language.tsx';
import { useLogin } from '../kernel/login.ts';
import { paths, softwarePath } from '../kernel/paths.ts';
import { setTheme, useTheme } from '../kernel/theme.ts';
import { foundCoursesQuery } from '../domains/course/course.api.ts';
import { foundLabsQuery } from '../domains/lab/lab.api.ts';
import { foundProblemsQuery } from '../domains/problem/problem.api.ts';
import { foundSoftwareQuery } from '../domains/software/software.api.ts';
import {
  BookIcon,
  ExitIcon,
  FileIcon,
  FlaskIcon,
  GearIcon,
  GridIcon,
  HomeIcon,
  KeyboardIcon,
  LanguageIcon,
  MachineIcon,
  MoonIcon,
  SearchIcon,
  SunIcon,
  UserIcon,
} from '../ui/icons.tsx';
import { Announcement } from '../ui/Announcement.tsx';
import { useModal } from '../ui/modal.ts';
import { shownNavigation } from './pages.ts';
import { matchesWords } from './palette.ts';
import { useLogout } from './session.ts';
import './palette.css';

interface Item {
  readonly key: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}
interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

/** The value after it has stood still for a moment. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { messages, language, setLanguage } = useLanguage();
  const { session } = useLogin();
  const router = useRouter();
  const logout = useLogout();
  const theme = useTheme();
  const dialog = useModal(onClose);
  const listID = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const words = messages.shell.palette;

  const keyword = useSettled(text.trim(), 200);
  const labs = useQuery({ ...foundLabsQuery(keyword, language), enabled: keyword !== '' });

  const courses = useQuery({
    ...foundCoursesQuery(keyword, language),
    enabled: keyword !== '',
  });
  const software = useQuery({
    ...foundSoftwareQuery(keyword, language),
    enabled: keyword !== '',
  });

  const problems = useQuery({
    ...foundProblemsQuery(keyword, language),
    enabled: keyword !== '',
  });

  const go = (to: string) => (): void => void router.navigate({ to });
  const pages: Item[] = [
    ...shownNavigation().map(({ name, path }) => ({
      key: name,
      label: messages.shell.nav[name],
      icon: name === 'index' ? <HomeIcon /> : <GridIcon />,
      run: go(path),
    })),
    ...(session
      ? [
          { key: 'home', label: messages.shell.history, icon: <UserIcon />, run: go(paths.home) },
          {
            key: 'computer',
            label: messages.shell.computer,
            icon: <MachineIcon />,
            run: go(paths.computer),
          },
          {
            key: 'settings',
            label: messages.shell.settings,
            icon: <GearIcon />,
            run: go(paths.settings),
          },
        ]
      : []),
    {
      key: 'shortcuts',
      label: messages.shell.shortcuts.title,
      icon: <KeyboardIcon />,
      run: go(paths.shortcuts),
    },
  ];
  const other = language === 'zh-CN' ? 'en-US' : 'zh-CN';
  const actions: Item[] = [
    {
      key: 'theme',
      label: messages.shell.switchTheme,
      icon: theme === 'dark' ? <SunIcon /> : <MoonIcon />,
      run: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
    },
    {
      key: 'language',
      label: messages.shell.switchLanguage,
      icon: <LanguageIcon />,
      run: () => void setLanguage(other),
    },
    session
      ? { key: 'logout', label: messages.shell.logout, icon: <ExitIcon />, run: logout }
      : { key: 'login', label: messages.shell.login, icon: <UserIcon />, run: go(paths.login) },
  ];
  const query = useDeferredValue(text);
  const groups: Group[] = [
    { title: words.pages, items: pages.filter((item) => matchesWords(item.label, query)) },
    {
      title: words.labs,
      items:
        text.trim() === ''
          ? []
          : (labs.data?.List ?? []).map((lab) => ({
              key: `lab-${lab.ID}`,
              label: lab.Title,
              icon: <FlaskIcon />,
              run: go(paths.lab(lab.ID)),
            })),
    },
    {
      title: messages.shell.nav.courseIndex,
      items:
        text.trim() === ''
          ? []
          : (courses.data?.List ?? []).map((course) => ({
              key: `course-${course.ID}`,
              label: course.Title,
              icon: <BookIcon />,
              run: go(paths.course(course.ID)),
            })),
    },
    {
      title: messages.software.title,
      items:
        text.trim() === ''
          ? []
          : (software.data?.List ?? []).flatMap((found) => {
              const path = softwarePath(found.Type, found.ID);
              return path === null
                ? []
                : [
                    {
                      key: `software-${found.ID}`,
                      label: found.Title,
                      icon: <MachineIcon />,
                      run: go(path),
                    },
                  ];
            }),
    },
    {
      title: messages.problem.listTitle,
      items:
        text.trim() === ''
          ? []
          : (problems.data?.List ?? []).map((problem) => ({
              key: `problem-${problem.ID}`,
              label: problem.Title,
              icon: <FileIcon />,
              run: go(paths.problem(problem.ID)),
            })),
    },
    { title: words.actions, items: actions.filter((item) => matchesWords(item.label, query)) },
  ].filter((group) => group.items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const index = Math.min(active, items.length - 1);
  const optionID = (key: string): string => `${listID}-${key}`;
  const current = items[index];

  const choose = (item: Item | undefined): void => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    // Enter that ends a Chinese input belongs to the input method.
    if (event.nativeEvent.isComposing) return;
    const last = items.length - 1;
    const target = {
      ArrowDown: index >= last ? 0 : index + 1,
      ArrowUp: index <= 0 ? last : index - 1,
      PageDown: last,
      PageUp: 0,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      setActive(target);
      const key = items[target]?.key;
      if (key !== undefined)
        document.getElementById(optionID(key))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(current);
    }
  };

  const isSearching = keyword !== '' && labs.isPending;
  const status =
    labs.isError && keyword !== ''
      ? words.failed
      : isSearching
        ? words.searching
        : items.length === 0
          ? words.empty(text.trim())
          : '';
  return (
    <dialog ref={dialog} className="dialog palette" aria-label={words.title}>
      <div className="palette-input">
        <SearchIcon size={18} />
        <input
          type="text"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={listID}
          aria-autocomplete="list"
          aria-activedescendant={current ? optionID(current.key) : undefined}
          aria-label={words.title}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKey}
        />
        <kbd className="kbd" aria-hidden="true">
          Esc
        </kbd>
      </div>
      <div className="palette-list" id={listID} role="listbox" aria-label={words.results}>
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div className="palette-group" aria-hidden="true">
              {group.title}
            </div>
            {group.items.map((item) => (
              // The input keeps the focus and handles the keys of its options.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={item.key}
                id={optionID(item.key)}
                role="option"
                tabIndex={-1}
                aria-selected={item === current}
                className={item === current ? 'palette-item palette-item-on' : 'palette-item'}
                onPointerMove={() => setActive(items.indexOf(item))}
                onClick={() => choose(item)}
              >
                {item.icon}
                <span>{item.label}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {status === '' ? null : <p className="palette-status muted">{status}</p>}
      <Announcement>{status === '' ? words.count(items.length) : status}</Announcement>
      <div className="palette-foot" aria-hidden="true">
        <span>
          <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> {words.hintMove}
        </span>
        <span>
          <kbd className="kbd">↵</kbd> {words.hintOpen}
        </span>
        <span>
          <kbd className="kbd">Esc</kbd> {words.hintClose}
        </span>
      </div>
    </dialog>
  );
}
