/** A suggestion and the conversation about it; the same page for its author and for staff. */
import { SuggestionStatus, TEXT_LIMITS, type Suggestion } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { AreaField } from '../../ui/form/fields.tsx';
import { useDraft } from '../../ui/form/form.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import {
  SUGGESTION_KEY,
  createReply,
  deleteSuggestion,
  finishSuggestion,
  repliesQuery,
  suggestionQuery,
} from './suggestion.api.ts';
import { SuggestionForm } from './SuggestionForm.tsx';
import './suggestion.css';

function Replies({ suggestionID }: { readonly suggestionID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.suggestion;
  const replies = useQuery(repliesQuery(suggestionID));
  if (replies.data === undefined)
    return replies.error && !isApiError(replies.error, 'not_found') ? (
      <ErrorState error={replies.error} onRetry={() => void replies.refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 120 }} />
      </LoadingRegion>
    );
  if (replies.data.length === 0) return <p className="muted">{words.noReplies}</p>;
  return (
    <ol className="conversation" aria-label={words.conversation} aria-live="polite">
      {replies.data.map((reply) => (
        <li key={reply.ID} className={reply.IsOwn ? 'said said-own' : 'said'}>
          <div className="row row-wrap muted">
            <b>{reply.Author?.Nickname ?? words.formerUser}</b>
            {reply.Author?.IsStaff ? <span className="tag">{words.staff}</span> : null}
            <time className="num" dateTime={reply.CreatedAt}>
              {formatMoment(reply.CreatedAt, language)}
            </time>
          </div>
          <p>{reply.Content}</p>
        </li>
      ))}
    </ol>
  );
}

/** Kept as a draft until it is sent, also when the suggestion was deleted meanwhile. */
function ReplyBox({
  suggestionID,
  isGone,
}: {
  readonly suggestionID: number;
  readonly isGone: boolean;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.suggestion;
  const client = useQueryClient();
  const draft = useDraft(`suggestion.reply.${suggestionID}`, { text: '' });
  const typed = draft.values?.text ?? '';
  const [hasTried, setTried] = useState(false);
  const sending = useMutation({
    mutationFn: () => createReply(suggestionID, typed.trim()),
    onSuccess: () => {
      draft.forget();
      setTried(false);
    },
    // Deleted meanwhile: the page says so, and what was typed stays.
    onSettled: () => client.invalidateQueries({ queryKey: SUGGESTION_KEY }),
  });
  return (
    <form
      noValidate
      className="reply"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (typed.trim() !== '' && !isGone && !sending.isPending) sending.mutate();
      }}
    >
      <AreaField
        label={words.replyLabel}
        value={typed}
        max={TEXT_LIMITS.reply}
        error={hasTried && typed.trim() === '' ? words.replyRequired : null}
        onChange={(text) => draft.change({ text })}
      />
      <Button
        look="primary"
        type="submit"
        isBusy={sending.isPending}
        obstacle={isGone ? words.gone : null}
      >
        {words.send}
      </Button>
    </form>
  );
}

function Actions({
  suggestion,
  isStaff,
  home,
}: {
  readonly suggestion: Suggestion;
  readonly isStaff: boolean;
  readonly home: string;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.suggestion;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const isFinished = suggestion.Status === SuggestionStatus.finished;
  const finishing = useMutation({
    mutationFn: () =>
      finishSuggestion(
        suggestion.ID,
        isFinished ? SuggestionStatus.processing : SuggestionStatus.finished,
      ),
    onSuccess: () => {
      toast('success', isFinished ? words.reopened : words.finished);
      void client.invalidateQueries({ queryKey: SUGGESTION_KEY });
    },
  });
  const removing = useMutation({
    mutationFn: () => deleteSuggestion(suggestion.ID),
    onSuccess: () => {
      toast('success', words.removed);
      void navigate({ to: home });
      void client.invalidateQueries({ queryKey: SUGGESTION_KEY });
    },
  });
  return (
    <div className="row row-wrap">
      {isStaff ? (
        <Button isBusy={finishing.isPending} onClick={() => finishing.mutate()}>
          {isFinished ? words.reopen : words.finish}
        </Button>
      ) : null}
      {suggestion.IsOwn && !isFinished ? (
        <Button onClick={() => setEditing(true)}>{words.edit}</Button>
      ) : null}
      {suggestion.IsOwn || isStaff ? (
        <Button look="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      ) : null}
      {isEditing ? (
        <SuggestionForm suggestion={suggestion} onClose={() => setEditing(false)} />
      ) : null}
      {isRemoving ? (
        <ConfirmDialog
          title={words.removeTitle(suggestion.Title)}
          text={words.removeText}
          confirm={words.remove}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate()}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </div>
  );
}

function SuggestionBody({ isStaff }: { readonly isStaff: boolean }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.suggestion;
  const params: { readonly suggestionID?: string } = useParams({ strict: false });
  const asked = readID(params.suggestionID);
  const suggestionID = asked ?? 0;
  const answer = useQuery({ ...suggestionQuery(suggestionID), enabled: asked !== null });
  const home = isStaff ? paths.admin.suggestions : paths.suggestions;
  const suggestion = answer.data;
  const isGone = isApiError(answer.error, 'not_found');
  if (suggestion === undefined) {
    if (asked === null || isGone) return <NotFoundView />;
    return answer.error ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 320 }} />
      </LoadingRegion>
    );
  }
  const maySay = suggestion.IsOwn || isStaff;
  const isFinished = suggestion.Status === SuggestionStatus.finished;
  return (
    <>
      <Link to={home} className="text-link row">
        <LeftIcon />
        {words.back}
      </Link>
      <div className="page-head">
        <div>
          <PageTitle name={suggestion.Title}>{suggestion.Title}</PageTitle>
          <div className="row row-wrap muted">
            <StatusBadge status={suggestion.Status} />
            <span>{words.by(suggestion.Author?.Nickname ?? words.formerUser)}</span>
            <time className="num" dateTime={suggestion.CreatedAt}>
              {formatMoment(suggestion.CreatedAt, language)}
            </time>
            {suggestion.IsPublic ? null : <span>{words.isPrivate}</span>}
          </div>
        </div>
        {isGone ? null : <Actions suggestion={suggestion} isStaff={isStaff} home={home} />}
      </div>
      {isGone ? (
        <div className="notice notice-bad" role="alert">
          {words.gone}
        </div>
      ) : null}
      <div className="card suggestion-body">
        <p>{suggestion.Content}</p>
        {suggestion.Pictures.length === 0 ? null : (
          <ul className="suggestion-pictures suggestion-pictures-large">
            {suggestion.Pictures.map((path, index) => (
              <li key={path}>
                <a href={path} target="_blank" rel="noreferrer">
                  <img src={path} alt={words.picture(index + 1)} loading="lazy" />
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <section>
        <div className="section-head">
          <h2>{words.conversation}</h2>
        </div>
        <Replies suggestionID={suggestion.ID} />
        {isFinished ? <p className="muted">{words.finishedText}</p> : null}
        {maySay && !isFinished ? <ReplyBox suggestionID={suggestion.ID} isGone={isGone} /> : null}
      </section>
    </>
  );
}

export const SuggestionPage = (): ReactNode => (
  <div className="wrap">
    <SuggestionBody isStaff={false} />
  </div>
);

export const SuggestionAdminPage = (): ReactNode => <SuggestionBody isStaff />;
