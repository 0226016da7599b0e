/** The mails of the platform: what was sent, what waits, what failed and why. */
import { MAIL_STATES, MAIL_TEMPLATES, type MailRow, type MailState } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { DataTable, type Column } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { MAILS_KEY, mailQuery, readMails, retryMail } from './mail.api.ts';
import './mail.css';

const SHAPE: ListShape = {
  sorts: ['latest', 'oldest'],
  filters: { state: MAIL_STATES, template: MAIL_TEMPLATES },
};

const DOTS: Readonly<Record<MailState, string>> = {
  waiting: 'dot dot-warn',
  sent: 'dot dot-good',
  failed: 'dot dot-bad',
  captured: 'dot',
};

/** A mail as its reader sees it. What a mail says can run nothing and load nothing here. */
function MailDialog({
  row,
  onClose,
}: {
  readonly row: MailRow;
  readonly onClose: () => void;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.mail;
  const { data, error, refetch } = useQuery(mailQuery(row.ID));
  const [shown, setShown] = useState<'html' | 'text'>('html');
  const facts: readonly (readonly [string, string])[] = [
    [words.to, row.To],
    [words.state, words.states[row.State]],
    [words.created, formatMoment(row.CreatedAt, language)],
    ...(row.SentAt === null ? [] : [[words.sent, formatMoment(row.SentAt, language)] as const]),
    ...(row.Error === null ? [] : [[words.error, row.Error] as const]),
  ];
  let content: ReactNode;
  if (data === undefined)
    content = error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 320 }} />
      </LoadingRegion>
    );
  else
    content = (
      <>
        <Segments
          label={words.view}
          value={shown}
          options={[
            { value: 'html', label: words.showHTML },
            { value: 'text', label: words.showText },
          ]}
          onChange={setShown}
        />
        {shown === 'html' ? (
          <iframe className="mail-frame" title={words.preview} sandbox="" srcDoc={data.HTML} />
        ) : (
          // A long text is scrolled, by the keyboard too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
          <pre className="mail-text" tabIndex={0} aria-label={words.preview}>
            {data.Text}
          </pre>
        )}
      </>
    );
  return (
    <Dialog title={row.Subject} onClose={onClose} isWide>
      <div className="mail">
        <dl className="mail-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {content}
      </div>
    </Dialog>
  );
}

export function MailsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.mail;
  const client = useQueryClient();
  const list = useList([...MAILS_KEY, 'list'], SHAPE, readMails, { isLive: true });
  const [opened, setOpened] = useState<MailRow | null>(null);
  const retrying = useMutation({
    mutationFn: (row: MailRow) => retryMail(row.ID),
    onSuccess: () => void toast('success', words.retried),
    onError: (error) => void toast('error', describeError(messages, error)),
    onSettled: () => client.invalidateQueries({ queryKey: [...MAILS_KEY, 'list'] }),
    meta: { isHandled: true },
  });
  const nextTry = (row: MailRow): string =>
    row.NextTryAt === null ? words.noNextTry : formatMoment(row.NextTryAt, language);
  const columns: [Column<MailRow>, ...Column<MailRow>[]] = [
    {
      key: 'subject',
      title: words.subject,
      cell: (row) => row.Subject,
      text: (row) => row.Subject,
    },
    { key: 'to', title: words.to, cell: (row) => row.To, text: (row) => row.To },
    {
      key: 'template',
      title: words.template,
      isOptional: true,
      cell: (row) => words.templates[row.Template],
      text: (row) => words.templates[row.Template],
    },
    {
      key: 'state',
      title: words.state,
      cell: (row) => (
        <span className="row">
          <span className={DOTS[row.State]} aria-hidden="true" />
          {words.states[row.State]}
        </span>
      ),
      text: (row) => words.states[row.State],
    },
    {
      key: 'created',
      title: words.created,
      sort: 'latest',
      cell: (row) => formatMoment(row.CreatedAt, language),
      text: (row) => row.CreatedAt,
    },
    {
      key: 'error',
      title: words.error,
      cell: (row) =>
        row.State === 'failed' ? (
          <span className="mail-error">
            {row.Error}
            <span className="muted">
              {words.nextTry}: {nextTry(row)}
            </span>
          </span>
        ) : (
          messages.common.unknown
        ),
      text: (row) => row.Error ?? '',
    },
    {
      key: 'attempts',
      title: words.attempts,
      isNumber: true,
      isOptional: true,
      cell: (row) => row.Attempts,
      text: (row) => String(row.Attempts),
    },
    {
      key: 'sent',
      title: words.sent,
      isOptional: true,
      cell: (row) =>
        row.SentAt === null ? messages.common.unknown : formatMoment(row.SentAt, language),
      text: (row) => row.SentAt ?? '',
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
      <DataTable
        {...list}
        name="mail"
        label={words.title}
        to={paths.admin.mails}
        columns={columns}
        filters={[
          {
            name: 'state',
            label: words.state,
            options: MAIL_STATES.map((value) => ({ value, label: words.states[value] })),
          },
          {
            name: 'template',
            label: words.template,
            options: MAIL_TEMPLATES.map((value) => ({ value, label: words.templates[value] })),
          },
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Subject}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(row) => (
          <span className="row">
            {row.State === 'failed' ? (
              <Button isSmall isBusy={retrying.isPending} onClick={() => retrying.mutate(row)}>
                {words.retry}
              </Button>
            ) : null}
            <Button
              isSmall
              aria-label={words.openNamed(row.Subject)}
              onClick={() => setOpened(row)}
            >
              {words.open}
            </Button>
          </span>
        )}
      />
      {opened ? <MailDialog row={opened} onClose={() => setOpened(null)} /> : null}
    </>
  );
}
