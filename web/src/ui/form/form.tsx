/**
 * A form: one column, errors beside their fields and in a summary, a guard against leaving with
 * unsaved changes, and a draft that outlives a reload.
 */
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { Button } from '../Button.tsx';
import { ConfirmDialog } from '../Dialog.tsx';
import { ErrorsTold } from './told.ts';

/** Field → what is wrong with it. */
export type FieldErrors = Readonly<Record<string, string>>;

const DRAFT = 'hypercube.draft.';

interface Draft<T> {
  readonly values: T;
  /** Of what it changes, as it was when the draft was begun. */
  readonly version: number;
}

const readDraft = <T,>(place: string): Draft<T> | null => {
  try {
    const text = sessionStorage.getItem(place);
    const draft = text === null ? null : (JSON.parse(text) as Partial<Draft<T>>);
    return draft?.values === undefined
      ? null
      : { values: draft.values, version: draft.version ?? 0 };
  } catch {
    return null;
  }
};

/**
 * Whose drafts these are: on a shared computer nobody reads what the person before has typed. Who
 * was signed out meanwhile finds them again.
 */
function useOwner(): number {
  const account = useLogin().session?.ID ?? null;
  const [owner, setOwner] = useState(account ?? 0);
  if (account !== null && account !== owner) setOwner(account);
  return account ?? owner;
}

/**
 * The values of a form, kept as a draft of this tab and this account until they are saved.
 * @param key names the form and what it changes
 * @param saved the values as the server has them; undefined while they are not known
 * @param savedVersion their version, where the server counts one
 */
export function useDraft<T extends object>(key: string, saved: T | undefined, savedVersion = 0) {
  const owner = useOwner();
  const place = `${DRAFT}${owner}.${key}`;
  const [kept, setKept] = useState(() => ({ owner, draft: readDraft<T>(place) }));
  if (kept.owner !== owner) setKept({ owner, draft: readDraft<T>(place) });
  const { draft } = kept;
  const setDraft = (next: Draft<T> | null): void => setKept({ owner, draft: next });
  const values = draft?.values ?? saved;
  // Not the newest one: what somebody else saved since the draft was begun is not in it.
  const version = draft?.version ?? savedVersion;
  const isDirty =
    draft !== null && saved !== undefined && JSON.stringify(draft.values) !== JSON.stringify(saved);
  return {
    values,
    /** To send back with the values, so that nobody's change is overwritten unseen. */
    version,
    isDirty,
    change: (change: Partial<T>): void => {
      if (values === undefined) return;
      const next = { values: { ...values, ...change }, version };
      setDraft(next);
      try {
        sessionStorage.setItem(place, JSON.stringify(next));
      } catch {
        // Without storage the draft lasts as long as the page.
      }
    },
    /** After saving, or to begin again with what the server has. */
    forget: (): void => {
      setDraft(null);
      try {
        sessionStorage.removeItem(place);
      } catch {
        // Nothing was stored either.
      }
    },
  };
}

/** Asks before a page with unsaved changes is left. */
export function UnsavedGuard({
  isDirty,
  isForgotten = false,
}: {
  readonly isDirty: boolean;
  /** No draft is kept, so that secrets do not stay in the browser. */
  readonly isForgotten?: boolean;
}): ReactNode {
  const messages = useMessages();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return blocker.status === 'blocked' ? (
    <ConfirmDialog
      title={messages.form.leaveTitle}
      text={isForgotten ? messages.form.leaveForgottenText : messages.form.leaveText}
      confirm={messages.form.leave}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  ) : null;
}

interface FormProps {
  readonly label: string;
  /** Errors by field; their names are those of the labels. */
  readonly errors: FieldErrors;
  /** What the last try to save was refused with. */
  readonly failure: unknown;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  /** No draft is kept of what is typed. */
  readonly isForgotten?: boolean;
  readonly submit: string;
  /** Why it cannot be submitted now. */
  readonly obstacle?: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** Further buttons. */
  readonly extra?: ReactNode;
}

/** Shows the fields; errors are told only after a first try, so that nobody is scolded for typing. */
export function Form(props: FormProps): ReactNode {
  const messages = useMessages();
  const summary = useRef<HTMLDivElement>(null);
  const [tries, setTries] = useState(0);
  const found = Object.entries(props.errors);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      element?.requestSubmit();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, []);
  const hasErrors = tries > 0 && found.length > 0;
  const hasFailed = props.failure != null;
  useEffect(() => {
    if (tries > 0) summary.current?.focus();
  }, [tries, hasFailed]);
  return (
    <form
      ref={form}
      className="form"
      aria-label={props.label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTries(tries + 1);
        const isOff = props.isBusy || (props.obstacle ?? null) !== null;
        if (found.length === 0 && !isOff) props.onSubmit();
      }}
    >
      {hasErrors || hasFailed ? (
        <div className="notice notice-bad form-errors" role="alert" tabIndex={-1} ref={summary}>
          <b>{hasErrors ? messages.form.errors(found.length) : messages.form.notSaved}</b>
          <ul>
            {hasErrors
              ? found.map(([field, text]) => <li key={field}>{text}</li>)
              : [<li key="failure">{describeError(messages, props.failure)}</li>]}
          </ul>
        </div>
      ) : null}
      <ErrorsTold value={tries > 0}>{props.children}</ErrorsTold>
      <div className="form-actions">
        <Button
          look="primary"
          type="submit"
          isBusy={props.isBusy}
          obstacle={props.obstacle ?? null}
        >
          {props.submit}
        </Button>
        {props.extra}
        {props.isDirty ? <span className="muted">{messages.form.unsaved}</span> : null}
      </div>
      <UnsavedGuard
        isDirty={props.isDirty && !props.isBusy}
        {...(props.isForgotten === undefined ? {} : { isForgotten: props.isForgotten })}
      />
    </form>
  );
}
