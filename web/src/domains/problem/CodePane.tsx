/** The editor with its language, running and submitting, and the result below. */
import type { ProblemDetail, ProblemSubmission, ProgrammingLanguage } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useId, useState, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { may, useLogin } from '../../kernel/login.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { useDraft } from '../../ui/form/form.tsx';
import { LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { JudgeNotice } from './JudgeNotice.tsx';
import { PROBLEM_KEY, SUBMISSION_KEY } from './keys.ts';
import { runProblem, submitProblem } from './problem.api.ts';
import { ResultPane } from './ResultPane.tsx';

const SourceEditor = lazy(() =>
  loadChunk(() => import('../../ui/editor/SourceEditor.tsx')).then((module) => ({
    default: module.SourceEditor,
  })),
);

interface CodePaneProps {
  readonly problem: ProblemDetail;
  readonly isGone: boolean;
  readonly language: ProgrammingLanguage;
  readonly onLanguage: (language: ProgrammingLanguage) => void;
}

export function CodePane(props: CodePaneProps): ReactNode {
  const { problem, language, onLanguage } = props;
  const words = useLanguage().messages.problem;
  const [shownID, setShownID] = useState<number | null>(null);
  const id = useId();
  return (
    <>
      <div className="code-bar">
        <label htmlFor={id} className="visually-hidden">
          {words.language}
        </label>
        <select
          id={id}
          value={language}
          onChange={(event) => {
            const next = problem.Languages.find((one) => String(one) === event.target.value);
            if (next !== undefined) onLanguage(next);
          }}
        >
          {problem.Languages.map((one) => (
            <option key={one} value={one}>
              {words.languages[one]}
            </option>
          ))}
        </select>
        <span className="muted code-hint">{words.editorHint}</span>
        <span className="spring" />
        <span className="muted code-hint">{words.keptDraft}</span>
      </div>
      {/* Each language has a draft of its own. */}
      <Editor key={language} {...props} onSent={({ ID }) => setShownID(ID)} />
      <ResultPane problemID={problem.ID} submissionID={shownID} />
    </>
  );
}

function Editor({
  problem,
  isGone,
  language,
  onSent,
}: Omit<CodePaneProps, 'onLanguage'> & {
  readonly onSent: (submission: ProblemSubmission) => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const { session } = useLogin();
  const client = useQueryClient();
  const usual = problem.DefaultCodes.find((one) => one.Language === language)?.Code ?? '';
  const draft = useDraft(`code-${problem.ID}-${language}`, {
    code: usual,
    input: problem.Samples[0]?.Input ?? '',
  });
  const [isAsking, setAsking] = useState(false);
  const { code, input } = draft.values ?? { code: usual, input: '' };
  const onSuccess = (sent: ProblemSubmission): void => {
    client.setQueryData([...SUBMISSION_KEY, 'one', problem.ID, sent.ID], sent);
    void client.invalidateQueries({ queryKey: [...SUBMISSION_KEY, 'list', problem.ID] });
    onSent(sent);
  };
  // It may be that the problem is gone or takes another language now: the page asks, and says so.
  const onError = (): void =>
    void client.invalidateQueries({ queryKey: [...PROBLEM_KEY, 'one', problem.ID] });
  const submitting = useMutation({
    mutationFn: () => submitProblem(problem.ID, { Language: language, Source: code }),
    onSuccess,
    onError,
  });
  const running = useMutation({
    mutationFn: () => runProblem(problem.ID, { Language: language, Source: code, Stdin: input }),
    onSuccess,
    onError,
  });
  const isBusy = submitting.isPending || running.isPending;
  const obstacle = isGone
    ? words.gone
    : code.trim() === ''
      ? words.nothingToSubmit
      : may(session ?? null, ['problem.submit'])
        ? null
        : words.loginForProgress;
  const submit = (): void => {
    if (!isBusy && obstacle === null) submitting.mutate();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // In the editor the editor's own key does it.
      const target = event.target as HTMLElement | null;
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented)
        return;
      if (target?.closest('dialog, .cm-editor') != null) return;
      event.preventDefault();
      submit();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <>
      <div className="code-editor">
        <Suspense
          fallback={
            <LoadingRegion>
              <Skeleton style={{ height: 240, margin: 16 }} />
            </LoadingRegion>
          }
        >
          <SourceEditor
            label={words.editorOf(words.languages[language])}
            language={language}
            value={code}
            onChange={(changed) => draft.change({ code: changed })}
            onSubmit={submit}
          />
        </Suspense>
      </div>
      {isGone ? (
        <p className="notice notice-bad" role="alert">
          {words.gone}
        </p>
      ) : (
        <JudgeNotice languages={[language]} />
      )}
      <details className="own-input">
        <summary>{words.ownInput}</summary>
        <p className="muted">{words.ownInputHint}</p>
        <textarea
          className="mono"
          aria-label={words.ownInput}
          rows={3}
          spellCheck={false}
          value={input}
          onChange={(event) => draft.change({ input: event.target.value })}
        />
      </details>
      <div className="code-actions">
        <Button
          look="quiet"
          isSmall
          onClick={() => (code === usual ? draft.forget() : setAsking(true))}
        >
          {words.reset}
        </Button>
        <span className="spring" />
        <span className="muted code-hint">{words.submitHint}</span>
        <Button isBusy={running.isPending} obstacle={obstacle} onClick={() => running.mutate()}>
          {words.run}
        </Button>
        <Button look="primary" isBusy={submitting.isPending} obstacle={obstacle} onClick={submit}>
          {words.submit}
        </Button>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={words.resetTitle}
          text={words.resetText}
          confirm={words.resetConfirm}
          onConfirm={() => {
            draft.change({ code: usual });
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
