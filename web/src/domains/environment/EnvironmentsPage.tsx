/** Running environments of everybody, and what the hosts have left. */
import { SessionType, TEXT_LIMITS, UsageStatus, type Environment } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatBytes, formatCountdown, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { AreaField } from '../../ui/form/fields.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column, type Filter } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { CapacityCards } from './CapacityCards.tsx';
import {
  ENVIRONMENTS_KEY,
  capacityQuery,
  endEnvironment,
  readEnvironments,
} from './environment.api.ts';

const STATES = ['running', 'paused', 'starting', 'queued', 'failed'] as const;
type State = (typeof STATES)[number];

const SHAPE: ListShape = {
  sorts: ['latest', 'oldest', 'deadline', 'memory', 'cpus'],
  filters: { type: Object.values(SessionType).map(String), state: STATES },
};

/** The state in which an environment is, as its row shows it. */
export function stateOf(row: Pick<Environment, 'Phase' | 'Status'>): State {
  if (row.Phase === 'queued' || row.Phase === 'failed') return row.Phase;
  if (row.Phase !== 'ready') return 'starting';
  return row.Status === UsageStatus.running ? 'running' : 'paused';
}

const DOTS: Readonly<Record<State, string>> = {
  running: 'dot dot-good',
  paused: 'dot',
  starting: 'dot dot-busy',
  queued: 'dot dot-warn',
  failed: 'dot dot-bad',
};

/** Asks for the reason that the users read. */
function EndDialog({
  rows,
  onDone,
  onClose,
}: {
  readonly rows: readonly Environment[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.environment;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [hasTried, setTried] = useState(false);
  const text = reason.trim();
  const ending = useMutation({
    mutationFn: () => Promise.allSettled(rows.map((row) => endEnvironment(row.ID, text))),
    onSuccess: (answers) => {
      const done = answers.filter(({ status }) => status === 'fulfilled').length;
      if (done === rows.length) toast('success', words.ended(done));
      else toast('warning', words.endedSome(done, rows.length - done));
      void client.invalidateQueries({ queryKey: ENVIRONMENTS_KEY });
      onDone();
    },
  });
  return (
    <Dialog title={words.endTitle(rows.length)} onClose={onClose}>
      <p>{words.endText}</p>
      <p className="muted environment-names">
        {rows
          .map((row) => `${row.User.Nickname}: ${row.Title}`)
          .join(messages.common.clauseSeparator)}
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (text !== '' && !ending.isPending) ending.mutate();
        }}
      >
        <AreaField
          label={words.reason}
          hint={words.reasonHint}
          value={reason}
          max={TEXT_LIMITS.endReason}
          isRequired
          error={hasTried && text === '' ? messages.form.required(words.reason) : null}
          onChange={setReason}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{messages.common.cancel}</Button>
          <Button look="danger-solid" type="submit" isBusy={ending.isPending}>
            {words.endConfirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function EnvironmentsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.environment;
  const list = useList([...ENVIRONMENTS_KEY, language], SHAPE, readEnvironments, { isLive: true });
  const capacity = useQuery(capacityQuery);
  const [ending, setEnding] = useState<{ rows: readonly Environment[]; clear: () => void } | null>(
    null,
  );
  const stateText = (row: Environment): string => {
    const state = stateOf(row);
    if (state === 'queued' && row.Position !== null) return words.queuedAt(row.Position);
    return state === 'paused' && row.IsHeld ? words.held : words.states[state];
  };
  const columns: [Column<Environment>, ...Column<Environment>[]] = [
    {
      key: 'user',
      title: words.user,
      cell: (row) => (
        <>
          {row.User.Nickname} <span className="muted">{row.User.Username}</span>
        </>
      ),
      text: (row) => `${row.User.Nickname} (${row.User.Username})`,
    },
    { key: 'used', title: words.used, cell: (row) => row.Title, text: (row) => row.Title },
    {
      key: 'type',
      title: words.type,
      cell: (row) => messages.usage.types[row.Type],
      text: (row) => messages.usage.types[row.Type],
    },
    {
      key: 'state',
      title: words.state,
      cell: (row) => (
        <span className="row">
          <span className={DOTS[stateOf(row)]} aria-hidden="true" />
          {stateText(row)}
        </span>
      ),
      text: stateText,
    },
    {
      key: 'cpus',
      title: words.cpus,
      isNumber: true,
      sort: 'cpus',
      cell: (row) => messages.common.cpus(row.Cpus),
      text: (row) => String(row.Cpus),
    },
    {
      key: 'memory',
      title: words.memory,
      isNumber: true,
      sort: 'memory',
      cell: (row) => formatBytes(row.MemoryBytes),
      text: (row) => String(row.MemoryBytes),
    },
    {
      key: 'nodes',
      title: words.nodes,
      isNumber: true,
      cell: (row) => row.Nodes.length,
      text: (row) => row.Nodes.join(' '),
    },
    {
      key: 'machine',
      title: words.machine,
      isOptional: true,
      cell: (row) => row.Machine ?? messages.common.unknown,
      text: (row) => row.Machine ?? '',
    },
    {
      key: 'created',
      title: words.created,
      sort: 'latest',
      cell: (row) => formatMoment(row.CreatedAt, language),
      text: (row) => row.CreatedAt,
    },
    {
      key: 'remaining',
      title: words.remaining,
      isNumber: true,
      sort: 'deadline',
      cell: (row) =>
        row.Remaining === null ? messages.common.unknown : formatCountdown(row.Remaining),
      text: (row) => (row.Remaining === null ? '' : String(row.Remaining)),
    },
  ];
  const filters: Filter[] = [
    {
      name: 'type',
      label: words.type,
      options: Object.values(SessionType).map((type) => ({
        value: String(type),
        label: messages.usage.types[type],
      })),
    },
    {
      name: 'state',
      label: words.state,
      options: STATES.map((state) => ({ value: state, label: words.states[state] })),
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
      </div>
      <CapacityCards capacity={capacity.data} />
      <DataTable
        {...list}
        name="environments"
        label={words.title}
        to={paths.admin.environments}
        columns={columns}
        filters={filters}
        keyOf={(row) => row.ID}
        nameOf={(row) => `${row.User.Nickname} ${row.Title}`}
        searchLabel={words.search}
        emptyText={words.empty}
        bulk={(rows, clear) => (
          <Button isSmall look="danger" onClick={() => setEnding({ rows, clear })}>
            {words.end}
          </Button>
        )}
        actions={(row) => (
          <Button
            isSmall
            look="danger"
            onClick={() => setEnding({ rows: [row], clear: () => undefined })}
          >
            {words.end}
          </Button>
        )}
      />
      {ending ? (
        <EndDialog
          rows={ending.rows}
          onDone={() => {
            ending.clear();
            setEnding(null);
          }}
          onClose={() => setEnding(null)}
        />
      ) : null}
    </>
  );
}
