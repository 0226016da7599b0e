/** A lab with its text, facts, tasks and starter files, from what is given. */
import type { LabDetail, LabResource, LabTaskSummary, Usage } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatBytes, formatCount, formatDay } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, taskPath } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Cover, tint } from '../../ui/Cover.tsx';
import { FileIcon, LeftIcon, PlayIcon } from '../../ui/icons.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ResourceCopy } from './ResourceCopy.tsx';
import './detail.css';

export interface LabDetailViewProps {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[] | undefined;
  /** Why the tasks are not there; without them the lab cannot be started. */
  readonly tasksError: unknown;
  readonly onRetry: () => void;
  readonly resources: readonly LabResource[] | undefined;
  /** The user's environment, when it is of this lab. */
  readonly usage: Usage | null;
}

function PrimaryAction({ lab, tasks, tasksError, usage, onRetry }: LabDetailViewProps): ReactNode {
  const { messages } = useLanguage();
  if (usage !== null) {
    return (
      <>
        <ButtonLink to={usage.RoutePath} look="primary">
          <PlayIcon />
          {messages.lab.returnTo}
        </ButtonLink>
        <p className="muted">{messages.lab.returnHint}</p>
      </>
    );
  }
  if (tasks === undefined && tasksError != null) {
    return <ErrorState error={tasksError} onRetry={onRetry} />;
  }
  const first = tasks?.[0];
  if (tasks !== undefined && first === undefined)
    return <p className="muted">{messages.lab.noTasks}</p>;
  return first === undefined ? null : (
    <>
      <ButtonLink to={taskPath(lab.Type, lab.ID, first.ID)} look="primary">
        <PlayIcon />
        {messages.lab.start}
      </ButtonLink>
      <p className="muted">{messages.lab.startHint}</p>
    </>
  );
}

function Facts({ lab }: { readonly lab: LabDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const { Specification: specification } = lab;
  const facts: [string, ReactNode][] = [
    [messages.lab.factType, messages.lab.types[lab.Type]],
    [
      messages.lab.factMinutes,
      lab.Minutes > 0 ? messages.common.minutes(lab.Minutes) : messages.common.unknown,
    ],
    [messages.lab.factTasks, messages.lab.tasks(lab.TaskCount)],
    [
      messages.lab.factLifetime,
      messages.common.minutes(Math.round(specification.LifetimeSeconds / 60)),
    ],
    [
      messages.lab.factSpecification,
      <ul className="plain" key="nodes">
        {specification.Nodes.map((node) => (
          <li key={node.Name}>
            {messages.lab.node(
              node.Name,
              messages.common.cpus(node.Cpus),
              formatBytes(node.MemoryBytes),
            )}
          </li>
        ))}
      </ul>,
    ],
    [messages.lab.factUses, formatCount(lab.Uses)],
    [messages.lab.factUpdated, formatDay(lab.UpdatedAt, language)],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function TaskList({
  lab,
  tasks,
}: {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[];
}): ReactNode {
  const { messages } = useLanguage();
  return (
    <ol className="task-list">
      {tasks.map((task, index) => (
        <li key={task.ID}>
          <Link to={taskPath(lab.Type, lab.ID, task.ID)} className="task">
            <span className="task-number num" aria-hidden="true">
              {index + 1}
            </span>
            <span className="task-title">{task.Title}</span>
            {task.Minutes > 0 ? (
              <span className="muted num">{messages.common.minutes(task.Minutes)}</span>
            ) : null}
          </Link>
        </li>
      ))}
    </ol>
  );
}

export function LabDetailView(props: LabDetailViewProps): ReactNode {
  const { messages } = useLanguage();
  const { lab, tasks, resources } = props;
  return (
    <div className="wrap">
      <Link to={paths.labs} className="back-link">
        <LeftIcon />
        {messages.lab.title}
      </Link>
      <div className="lab-detail">
        <div className="card lab-hero">
          <Cover
            kind={lab.Cover.Kind}
            seed={lab.Cover.Seed}
            colour={(lab.Tags[0] ?? lab.Domain)?.Color}
          />
          <div className="lab-hero-body">
            <PageTitle name={lab.Title}>{lab.Title}</PageTitle>
            <p className="lab-description">{lab.Description}</p>
            <ul className="row row-wrap tags">
              {lab.Domain ? (
                <li className="tag tag-coloured" style={tint(lab.Domain.Color)}>
                  {lab.Domain.Title}
                </li>
              ) : null}
              {lab.Tags.map((tag) => (
                <li className="tag tag-coloured" style={tint(tag.Color)} key={tag.ID}>
                  {tag.Title}
                </li>
              ))}
            </ul>
          </div>
        </div>
        <aside className="lab-side" aria-label={messages.lab.facts}>
          <div className="card side-card stack">
            <PrimaryAction {...props} />
            <Facts lab={lab} />
          </div>
          {tasks && tasks.length > 0 ? (
            <section className="card side-card">
              <h2>{messages.lab.taskList}</h2>
              <TaskList lab={lab} tasks={tasks} />
            </section>
          ) : null}
          {resources ? (
            <section className="card side-card stack">
              <h2>{messages.lab.resources}</h2>
              {resources.length === 0 ? (
                <p className="muted">{messages.lab.resourcesEmpty}</p>
              ) : (
                <>
                  <p className="muted">{messages.lab.resourcesHint}</p>
                  <ul className="resource-list">
                    {resources.map((resource) => (
                      <li key={resource.ID}>
                        <FileIcon />
                        <span className="mono">{resource.Title}</span>
                        <span className="muted num">{formatBytes(resource.SizeBytes)}</span>
                      </li>
                    ))}
                  </ul>
                  <ResourceCopy labID={lab.ID} />
                </>
              )}
            </section>
          ) : null}
        </aside>
        {lab.Content.trim() === '' ? null : (
          <article className="card lab-text">
            <Markdown text={lab.Content} mediaPath={lab.MediaPath} />
          </article>
        )}
      </div>
    </div>
  );
}
