/** The keyboard shortcuts, all on one page. */
import { Fragment, type ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import './shortcuts.css';

type Keys = readonly (readonly string[])[];

export function ShortcutsPage(): ReactNode {
  const messages = useMessages();
  const words = messages.shell.shortcuts;
  const arrows: Keys = [['←'], ['→']];
  const groups: [string, [Keys, string][]][] = [
    [
      words.everywhere,
      [
        [
          [
            ['Ctrl', 'K'],
            ['⌘', 'K'],
          ],
          words.openPalette,
        ],
        [[['?']], words.openShortcuts],
        [[['Esc']], words.closeLayer],
        [[['←'], ['↑'], ['→'], ['↓']], words.moveWidget],
      ],
    ],
    [words.catalogue, [[[['/']], words.focusSearch]]],
    [
      words.workspace,
      [
        [arrows, words.moveDivider],
        [[['Home'], ['End']], words.dividerEnds],
        [[['Ctrl', 'Alt', 'Home']], words.leaveMachine],
      ],
    ],
    [
      messages.problem.listTitle,
      [
        [
          [
            ['Ctrl', 'Enter'],
            ['⌘', 'Enter'],
          ],
          messages.problem.submitCode,
        ],
        [
          [
            ['Ctrl', ']'],
            ['Ctrl', '['],
          ],
          messages.problem.indent,
        ],
        [[['Tab']], messages.problem.leaveEditor],
      ],
    ],
    [
      words.terminal,
      [
        [[['Ctrl', 'Shift', 'C']], words.terminalCopy],
        [[['Ctrl', 'Shift', 'V']], words.terminalPaste],
        [[['Ctrl', 'Shift', 'F']], words.terminalSearch],
        [[['F2']], words.terminalRename],
        [[['Delete']], words.terminalClose],
      ],
    ],
  ];
  return (
    <div className="wrap wrap-narrow">
      <PageTitle name={words.title} className="shortcuts-title">
        {words.title}
      </PageTitle>
      <p className="muted">{words.lead}</p>
      {groups.map(([title, shortcuts]) => (
        <section key={title}>
          <div className="section-head">
            <h2>{title}</h2>
          </div>
          <dl className="card shortcuts">
            {shortcuts.map(([alternatives, text]) => (
              <div key={text}>
                <dt>
                  {alternatives.map((keys, index) => (
                    <Fragment key={keys.join('+')}>
                      {index > 0 ? <span className="muted">{words.or}</span> : null}
                      <span className="keys">
                        {keys.map((key) => (
                          <kbd className="kbd" key={key}>
                            {key}
                          </kbd>
                        ))}
                      </span>
                    </Fragment>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
