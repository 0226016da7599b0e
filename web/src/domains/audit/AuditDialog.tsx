/** One record: what was before and after, field by field. */
import type { AuditDetail } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { auditQuery } from './audit.api.ts';
import { useAuditWords } from './words.ts';
import './audit.css';

function Value({ text, kind }: { readonly text: string | null; readonly kind: 'old' | 'new' }) {
  const { messages } = useLanguage();
  return text === null ? (
    <span className="muted">{messages.audit.nothing}</span>
  ) : (
    <span className={kind === 'old' ? 'audit-old' : 'audit-new'}>{text}</span>
  );
}

function Changes({ changes }: { readonly changes: AuditDetail['Changes'] }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.audit;
  if (changes.length === 0) return <p className="muted">{words.noChanges}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div className="table-scroll audit-changes" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ Kind, ID, Field, Before, After }) => (
            <tr key={`${Kind} ${ID} ${Field}`}>
              <th scope="row" data-label={words.field} className="mono">
                {Field}
              </th>
              <td data-label={words.before}>
                <Value text={Before} kind="old" />
              </td>
              <td data-label={words.after}>
                <Value text={After} kind="new" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Record({ record }: { readonly record: AuditDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.audit;
  const { actionText, outcomeText, thingsText } = useAuditWords();
  const facts: [string, string][] = [
    [words.at, formatMoment(record.At, language)],
    [words.person, `${record.Person.Nickname} (${record.Person.Username})`],
    [words.role, messages.userAdmin.roles[record.Role]],
    [words.action, `${actionText(record)} ${record.Action}`],
    [words.things, thingsText(record)],
    [words.outcome, outcomeText(record)],
    [words.address, record.Address],
    [words.path, `${record.Method} ${record.Path}`],
    [words.requestID, record.RequestID],
  ];
  return (
    <>
      <dl className="audit-facts">
        {facts
          .filter(([, text]) => text !== '')
          .map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
      <h3>{words.changes}</h3>
      <Changes changes={record.Changes} />
      {record.Sent.length === 0 ? null : (
        <details>
          <summary>{words.sent}</summary>
          <dl className="audit-facts">
            {record.Sent.map(({ Field, Value: text }) => (
              <div key={Field}>
                <dt className="mono">{Field}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

export function AuditDialog({
  auditID,
  onClose,
}: {
  readonly auditID: number;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const { data, error, refetch } = useQuery(auditQuery(auditID));
  return (
    <Dialog title={messages.audit.detail} isWide onClose={onClose}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : (
        <Record record={data} />
      )}
    </Dialog>
  );
}
