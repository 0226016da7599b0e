/** A submission's verdict, its tests one by one, and what the compiler and the program printed. */
import {
  JudgeState,
  type ProblemSubmission,
  type ProblemSubmissionTest,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { formatTime } from './time.ts';
import { VerdictMark, toneOf } from './VerdictMark.tsx';

function PlainText({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <>
      <h3>{title}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="plain-text" tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </>
  );
}

/** Squares for the tests: those that are done in their colour, the others empty. */
function Squares({ submission }: { readonly submission: ProblemSubmission }): ReactNode {
  return (
    <div className="test-squares" aria-hidden="true">
      {Array.from({ length: submission.Total }, (_unused, index) => {
        const verdict = submission.Tests[index]?.Verdict;
        return (
          <i key={index} className={verdict === undefined ? '' : `square-${toneOf(verdict)}`} />
        );
      })}
    </div>
  );
}

function detailOf(test: ProblemSubmissionTest, words: Catalogue['problem']) {
  const { Difference, ExitCode, Signal, Verdict } = test;
  return [
    Difference === null
      ? null
      : words.difference(
          Difference.Token,
          Difference.Expected ?? words.nothingThere,
          Difference.Found ?? words.nothingThere,
        ),
    Verdict === 'runtimeError' && Signal !== null ? words.signal(Signal) : null,
    ExitCode !== null && ExitCode !== 0 ? words.exitCode(ExitCode) : null,
  ].filter((part) => part !== null);
}

function TestsTable({ submission }: { readonly submission: ProblemSubmission }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <section className="tests-scroll" aria-label={words.testsTable} tabIndex={0}>
      <table className="tests-table">
        <thead>
          <tr>
            <th scope="col">{words.test}</th>
            <th scope="col">{words.verdict}</th>
            <th scope="col">{words.cpu}</th>
            <th scope="col">{words.wall}</th>
            <th scope="col">{words.memory}</th>
            <th scope="col">{words.detail}</th>
          </tr>
        </thead>
        <tbody>
          {submission.Tests.map((test) => (
            <tr key={test.Number}>
              <th scope="row" className="num">
                {words.testNumber(test.Number)}
              </th>
              <td>
                <VerdictMark verdict={test.Verdict} state={JudgeState.done} />
              </td>
              <td className="num">{formatTime(test.CpuMs)}</td>
              <td className="num">{formatTime(test.WallMs)}</td>
              <td className="num">{formatBytes(test.MemoryBytes)}</td>
              <td>
                {detailOf(test, words).join(messages.common.clauseSeparator)}
                {test.ErrorOutput === '' ? null : (
                  <pre className="plain-text">{test.ErrorOutput}</pre>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How long it waited and how long it was judged. */
function phasesOf(
  { CreatedAt, StartedAt, JudgedAt }: ProblemSubmission,
  words: Catalogue['problem'],
): string | null {
  if (StartedAt === null || JudgedAt === null) return null;
  const started = Date.parse(StartedAt);
  return words.phases(
    formatTime(started - Date.parse(CreatedAt)),
    formatTime(Date.parse(JudgedAt) - started),
  );
}

export function SubmissionResult({
  submission,
}: {
  readonly submission: ProblemSubmission;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const { State, Verdict, Kind, Tests, Total, Passed, Position } = submission;
  const isRun = Kind === 'run';
  const isDone = State === JudgeState.done;
  const facts = [
    isDone && !isRun && Total > 0 ? words.passed(Passed, Total) : null,
    State === JudgeState.queued && Position !== null ? words.queued(Position) : null,
    State === JudgeState.judging
      ? isRun
        ? words.running
        : words.judging(Tests.length, Total)
      : null,
    isRun ? null : words.submissionNumber(submission.ID),
    phasesOf(submission, words),
  ];
  const [first] = Tests;
  const isFailed = isDone && !isRun && Tests.length > 0 && Tests.length < Total;
  return (
    <div className="stack">
      <div className="row row-wrap">
        <VerdictMark verdict={Verdict} state={State} />
        <span className="muted num">
          {facts.filter((fact) => fact !== null).join(messages.common.dotSeparator)}
        </span>
        {submission.HasOlderTests ? <span className="tag">{words.olderTests}</span> : null}
      </div>
      {Verdict === 'systemError' ? <p>{words.systemErrorText}</p> : null}
      {isRun || Total === 0 ? null : <Squares submission={submission} />}
      {submission.CompilerOutput === '' ? null : (
        <PlainText title={words.compilerOutput} text={submission.CompilerOutput} />
      )}
      {isRun && isDone && first ? (
        <>
          <p className="muted num">
            {[
              `${words.cpu} ${formatTime(first.CpuMs)}`,
              `${words.wall} ${formatTime(first.WallMs)}`,
              `${words.memory} ${formatBytes(first.MemoryBytes)}`,
              ...detailOf(first, words),
            ].join(messages.common.dotSeparator)}
          </p>
          <PlainText
            title={words.output}
            text={submission.Output === '' ? words.noOutput : submission.Output}
          />
          {first.ErrorOutput === '' ? null : (
            <PlainText title={words.errorOutput} text={first.ErrorOutput} />
          )}
        </>
      ) : null}
      {!isRun && Tests.length > 0 ? <TestsTable submission={submission} /> : null}
      {isFailed ? <p className="muted">{words.notRun(Total - Tests.length)}</p> : null}
    </div>
  );
}
