/** Beside the personal computer: its facts, what it keeps, and deleting it. */
import type { Computer } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { formatBytes, formatDay, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ComputerKeeps } from './ComputerKeeps.tsx';
import './computer.css';

interface ComputerDocumentProps {
  readonly computer: Computer;
  /** Its environment is open, running or not. */
  readonly isRunning: boolean;
  readonly isDeleting: boolean;
  /** @param name its name, as the user typed it */
  readonly onDelete: (name: string) => void;
}

export function ComputerDocument(props: ComputerDocumentProps): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.computer;
  const { computer } = props;
  const { Specification: size } = computer;
  const [isAsking, setAsking] = useState(false);
  const home = computer.HomeBytes === null ? words.homeUnknown : formatBytes(computer.HomeBytes);
  const facts: [string, string][] = [
    [
      words.size,
      [
        size.Name,
        ...size.Nodes.map((node) =>
          messages.usage.size(messages.common.cpus(node.Cpus), formatBytes(node.MemoryBytes)),
        ),
      ].join(messages.common.dotSeparator),
    ],
    [words.home, home],
    [words.created, formatDay(computer.CreatedAt, language)],
    [
      words.lastStarted,
      computer.LastStartedAt === null
        ? words.neverStarted
        : formatMoment(computer.LastStartedAt, language),
    ],
  ];
  return (
    <article className="task-document stack">
      <div>
        <PageTitle name={messages.shell.computer}>{computer.Name}</PageTitle>
        <p className="muted">{words.startHint}</p>
      </div>
      <dl className="computer-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <ComputerKeeps />
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          <TrashIcon />
          {words.delete}
        </Button>
      </div>
      {isAsking ? <DeleteDialog {...props} home={home} onClose={() => setAsking(false)} /> : null}
    </article>
  );
}

function DeleteDialog({
  computer,
  isRunning,
  isDeleting,
  home,
  onDelete,
  onClose,
}: ComputerDocumentProps & {
  readonly home: string;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.computer;
  const [typed, setTyped] = useState('');
  const isSame = typed.trim() === computer.Name;
  return (
    <Dialog title={words.deleteTitle} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame && !isDeleting) onDelete(computer.Name);
        }}
      >
        <ul className="computer-keeps">
          <li>{words.deleteGone(home)}</li>
          <li>{words.deleteKept}</li>
          {isRunning ? <li>{words.deleteRunning}</li> : null}
        </ul>
        <TextField
          label={words.deleteType(computer.Name)}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{messages.common.cancel}</Button>
          <Button
            type="submit"
            look="danger-solid"
            isBusy={isDeleting}
            obstacle={isSame ? null : words.deleteMismatch}
          >
            {words.delete}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
