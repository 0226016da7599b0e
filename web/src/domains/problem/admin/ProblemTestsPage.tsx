/** The tests of a problem: the package, what is in it, and whether the reference code passes. */
import {
  JudgeState,
  PROBLEM_LIMITS,
  SIZE_LIMITS,
  routes,
  type ManagedProblem,
  type ProgrammingLanguage,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { addressOf } from '../../../kernel/api.ts';
import { formatBytes, formatMoment } from '../../../kernel/format.ts';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { FileField } from '../../../ui/form/fields.tsx';
import { roleThatMay } from '../../admin/role.ts';
import { useStreamState } from '../../usage/watch.ts';
import { JudgeNotice } from '../JudgeNotice.tsx';
import { SUBMISSION_KEY } from '../keys.ts';
import { submissionQuery } from '../problem.api.ts';
import { SubmissionDialog } from '../SubmissionDialog.tsx';
import { VerdictMark } from '../VerdictMark.tsx';
import { checkProblem, uploadTests, useProblemsChanged } from './problem-admin.api.ts';
import { ProblemFrame } from './ProblemFrame.tsx';

export const ProblemTestsPage = (): ReactNode => (
  <ProblemFrame tab="test">
    {(problem) => (
      <div className="stack">
        <Package problem={problem} />
        <Checks problem={problem} />
      </div>
    )}
  </ProblemFrame>
);

function UploadForm({ problem }: { readonly problem: ManagedProblem }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problemAdmin;
  const changed = useProblemsChanged();
  const [file, setFile] = useState<File | null>(null);
  const [hasTried, setTried] = useState(false);
  const [share, setShare] = useState(0);
  const sending = useMutation({
    mutationFn: (chosen: File) => {
      setShare(0);
      return uploadTests(problem.ID, chosen, setShare);
    },
    onSuccess: (saved) => {
      toast('success', words.uploaded(saved.TestCount));
      setFile(null);
      setTried(false);
      return changed();
    },
    meta: { isHandled: true },
  });
  return (
    <form
      className="form"
      aria-label={words.packageTitle}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (file !== null && !sending.isPending) sending.mutate(file);
      }}
    >
      <FileField
        label={words.packageFile}
        choose={words.choose}
        file={file}
        hint={words.packageHint(
          formatBytes(SIZE_LIMITS.upload),
          formatBytes(PROBLEM_LIMITS.unpackedBytes),
        )}
        error={hasTried && file === null ? words.choose : null}
        onChange={(chosen) => {
          if (chosen !== null) setFile(chosen);
        }}
      />
      {sending.isPending ? (
        <output className="upload-bar">
          <progress max={1} value={share} aria-label={words.packageTitle} />
          <span className="muted">
            {share < 1 ? words.uploading(Math.floor(share * 100)) : words.unpacking}
          </span>
        </output>
      ) : null}
      {sending.error ? (
        <p className="notice notice-bad" role="alert">
          {describeError(messages, sending.error)}
        </p>
      ) : null}
      {problem.TestCount > 0 ? <p className="muted">{words.replaceNote}</p> : null}
      <div className="form-actions">
        <Button look="primary" type="submit" isBusy={sending.isPending}>
          {words.upload}
        </Button>
      </div>
    </form>
  );
}

function Package({ problem }: { readonly problem: ManagedProblem }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problemAdmin;
  const { session } = useLogin();
  const { Tests } = problem;
  const role = roleThatMay(session ?? null, ['problem.update']);
  return (
    <section className="card problem-part" aria-labelledby="package">
      <h2 id="package">{words.packageTitle}</h2>
      <p className="muted">{words.packageText}</p>
      {Tests === null ? (
        <p>{words.none}</p>
      ) : (
        <>
          <div className="row row-wrap row-apart">
            <span>
              {[
                words.found(Tests.Pairs.length, formatBytes(Tests.SizeBytes)),
                words.uploadedAt(formatMoment(Tests.UploadedAt, language)),
              ].join(messages.common.dotSeparator)}
            </span>
            <a
              className="btn btn-small"
              href={addressOf(
                routes.getProblemTests,
                { problemID: problem.ID },
                role === null ? {} : { role },
              )}
              download
            >
              {words.download}
            </a>
          </div>
          <details>
            <summary>{words.pairs}</summary>
            <div className="tests-scroll">
              <table className="tests-table">
                <thead>
                  <tr>
                    <th scope="col">{words.pair}</th>
                    <th scope="col">{words.input}</th>
                    <th scope="col">{words.outputSize}</th>
                  </tr>
                </thead>
                <tbody>
                  {Tests.Pairs.map(({ Number: number, InputBytes, OutputBytes }) => (
                    <tr key={number}>
                      <th scope="row" className="num">
                        {messages.problem.testNumber(number)}
                      </th>
                      <td className="num">{formatBytes(InputBytes)}</td>
                      <td className="num">{formatBytes(OutputBytes)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
      <UploadForm problem={problem} />
    </section>
  );
}

/** Reads a check again until it is judged, and then the problem that shows it. */
function useFollowed(problemID: number, submissionID: number | null): void {
  const changed = useProblemsChanged();
  const isPushed = useStreamState() === 'open';
  const { data } = useQuery({
    ...submissionQuery(problemID, submissionID ?? 0, isPushed),
    enabled: submissionID !== null,
  });
  const state = data?.State;
  useEffect(() => {
    if (state !== undefined) void changed();
    // Once for each state; what `changed` is made of does not matter.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state]);
}

function CheckRow({
  problem,
  language,
  onOpen,
}: {
  readonly problem: ManagedProblem;
  readonly language: ProgrammingLanguage;
  readonly onOpen: (submissionID: number) => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problemAdmin;
  const client = useQueryClient();
  const changed = useProblemsChanged();
  const check = problem.Checks.find((one) => one.Language === language);
  const code = problem.Codes.find((one) => one.Language === language);
  useFollowed(
    problem.ID,
    check !== undefined && check.State !== JudgeState.done ? check.SubmissionID : null,
  );
  const checking = useMutation({
    mutationFn: () => checkProblem(problem.ID, language),
    onSuccess: (sent) => {
      client.setQueryData([...SUBMISSION_KEY, 'one', problem.ID, sent.ID], sent);
      return changed();
    },
  });
  const obstacle =
    problem.TestCount === 0
      ? words.checkNeedsTests
      : (code?.ReferenceCode ?? '').trim() === ''
        ? words.checkNeedsCode
        : null;
  return (
    <tr>
      <th scope="row">{messages.problem.languages[language]}</th>
      <td>
        {check === undefined ? (
          <span className="muted">{words.notChecked}</span>
        ) : (
          <span className="row row-wrap">
            <VerdictMark verdict={check.Verdict} state={check.State} />
            {check.State === JudgeState.done ? (
              <span className="num">{messages.problem.passed(check.Passed, check.Total)}</span>
            ) : null}
            {check.IsOutdated ? <span className="tag">{words.outdated}</span> : null}
          </span>
        )}
      </td>
      <td>
        <span className="row row-wrap">
          <Button
            isSmall
            aria-label={`${words.check}${messages.common.dotSeparator}${messages.problem.languages[language]}`}
            isBusy={checking.isPending}
            obstacle={obstacle}
            onClick={() => checking.mutate()}
          >
            {words.check}
          </Button>
          {check === undefined ? null : (
            <Button isSmall look="quiet" onClick={() => onOpen(check.SubmissionID)}>
              {messages.problem.open}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

function Checks({ problem }: { readonly problem: ManagedProblem }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problemAdmin;
  const [openID, setOpenID] = useState<number | null>(null);
  return (
    <section className="card problem-part" aria-labelledby="checks">
      <h2 id="checks">{words.checkTitle}</h2>
      <p className="muted">{words.checkText}</p>
      <JudgeNotice languages={problem.Languages} isStaff />
      <div className="tests-scroll">
        <table className="tests-table">
          <thead>
            <tr>
              <th scope="col">{messages.problem.language}</th>
              <th scope="col">{messages.problem.verdict}</th>
              <th scope="col">{messages.table.actions}</th>
            </tr>
          </thead>
          <tbody>
            {problem.Languages.map((language) => (
              <CheckRow key={language} problem={problem} language={language} onOpen={setOpenID} />
            ))}
          </tbody>
        </table>
      </div>
      {openID === null ? null : (
        <SubmissionDialog
          problemID={problem.ID}
          submissionID={openID}
          onClose={() => setOpenID(null)}
        />
      )}
    </section>
  );
}
