/** What an application says and what happened to it; the same for its applicant and for staff. */
import type { ResourceApplication } from '@hypercube/contract';
import { useId, type ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import './resource.css';

/** A number as it was typed, in groups of three. */
export const formatHours = (hours: number): string => hours.toLocaleString('en-US');

export function ResourceFacts({
  application,
  username,
}: {
  readonly application: Omit<ResourceApplication, 'History'>;
  /** For staff: whose account it is. */
  readonly username?: string;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const rows: [string, string][] = [
    [words.centre, application.Centre.Name],
    [words.cpuHours, words.hours(formatHours(application.CpuHours))],
    [words.software, application.Software?.Title ?? words.noSoftware],
    [
      words.applicantName,
      username === undefined
        ? application.ApplicantName
        : `${application.ApplicantName}${messages.common.dotSeparator}${username}`,
    ],
    [words.organisation, application.Organisation],
    [words.phone, application.Phone],
    [words.email, application.Email],
    [words.createdAt, formatMoment(application.CreatedAt, language)],
    [words.updatedAt, formatMoment(application.UpdatedAt, language)],
  ];
  return (
    <dl className="resource-facts">
      {rows.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      <div className="resource-wide">
        <dt>{words.purpose}</dt>
        <dd>{application.Purpose}</dd>
      </div>
    </dl>
  );
}

/** Who did what with it, when and why; the latest first. */
export function ResourceHistory({
  history,
}: {
  readonly history: ResourceApplication['History'];
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const id = useId();
  return (
    <ol className="resource-history">
      {history.map((step, index) => (
        <li key={`${id}-${history.length - index}`}>
          <div className="row row-wrap">
            <b>{words.historySteps[step.Step]}</b>
            <span className="muted">{step.By ?? words.formerUser}</span>
            {step.IsStaff ? <span className="tag">{words.staff}</span> : null}
            <time className="muted num" dateTime={step.At}>
              {formatMoment(step.At, language)}
            </time>
          </div>
          {step.Reason === null ? null : <p>{step.Reason}</p>}
        </li>
      ))}
    </ol>
  );
}
