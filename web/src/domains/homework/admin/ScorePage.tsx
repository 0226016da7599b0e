/** What one learner handed in, and what they get for it; the next one is a key away. */
import {
  TEXT_LIMITS,
  UPLOAD_TYPES,
  type HomeworkFile,
  type ManagedHomework,
  type ScoreChange,
  type ScoreDetail,
} from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { AreaField, NumberField } from '../../../ui/form/fields.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import { FileList, FilesField } from '../Files.tsx';
import { dotOf, pointsText, stateText } from '../homework.ts';
import {
  resetScore,
  scoreQuery,
  sendCommentFile,
  updateScore,
  useManagedHomeworkChanged,
  type HomeworkPlace,
} from './homework-admin.api.ts';
import { HomeworkFrame } from './HomeworkFrame.tsx';
import { isPoints } from './points.ts';

export const ScorePage = (): ReactNode => (
  <HomeworkFrame tab="score">
    {(homework, courseID) => <Loaded courseID={courseID} homework={homework} />}
  </HomeworkFrame>
);

function Loaded({
  courseID,
  homework,
}: {
  readonly courseID: number;
  readonly homework: ManagedHomework;
}): ReactNode {
  const { language } = useLanguage();
  const params: { readonly userID?: string } = useParams({ strict: false });
  const userID = readID(params.userID);
  const { data, error, refetch } = useQuery({
    ...scoreQuery(courseID, homework.ID, userID ?? 0, language),
    enabled: userID !== null,
  });
  if (userID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 360 }} />
      </LoadingRegion>
    );
  // A version of somebody's: the fields begin anew with the next one.
  return (
    <Score
      key={userID}
      place={{ courseID, homeworkID: homework.ID }}
      homework={homework}
      score={data}
    />
  );
}

interface ScoreProps {
  readonly place: HomeworkPlace;
  readonly homework: ManagedHomework;
  readonly score: ScoreDetail;
}

/** The ways to the neighbours that wait, by button and by key. */
function Neighbours({ place, score }: Pick<ScoreProps, 'place' | 'score'>): ReactNode {
  const words = useMessages().homeworkAdmin;
  const navigate = useNavigate();
  const { PreviousUncorrected: previous, NextUncorrected: next } = score;
  const { courseID, homeworkID } = place;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      const userID = event.key === 'ArrowUp' ? previous : next;
      event.preventDefault();
      if (userID !== null) void navigate({ to: paths.admin.score(courseID, homeworkID, userID) });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [courseID, homeworkID, navigate, next, previous]);
  return (
    <nav className="row row-wrap" aria-label={words.startGrading}>
      {previous === null ? null : (
        <ButtonLink isSmall to={paths.admin.score(courseID, homeworkID, previous)}>
          {words.previous}
        </ButtonLink>
      )}
      {next === null ? null : (
        <ButtonLink isSmall to={paths.admin.score(courseID, homeworkID, next)}>
          {words.next}
        </ButtonLink>
      )}
      <span className="muted">
        {previous === null && next === null ? words.noMore : words.keysHint}
      </span>
    </nav>
  );
}

/** What was handed in. */
function Handed({ score }: Pick<ScoreProps, 'score'>): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  return (
    <section className="card homework-section stack" aria-label={words.files}>
      <p className="row homework-state">
        <span className={dotOf(score)} aria-hidden="true" />
        {stateText(score, messages)}
        {score.SubmittedAt === null ? null : (
          <span className="muted num">{formatMoment(score.SubmittedAt, language)}</span>
        )}
      </p>
      {score.SubmittedAt === null ? (
        <p className="muted">{messages.homeworkAdmin.nothingHanded}</p>
      ) : (
        <>
          {score.Text.trim() === '' ? (
            <p className="muted">{words.noText}</p>
          ) : (
            <div className="homework-text">
              <Markdown text={score.Text} mediaPath="" />
            </div>
          )}
          {score.FileList.length === 0 ? null : (
            <FileList label={words.files} files={score.FileList} />
          )}
        </>
      )}
    </section>
  );
}

interface Values {
  readonly Score: string;
  readonly Comment: string;
  /** None or one. */
  readonly Files: readonly HomeworkFile[];
}
const valuesOf = (score: ScoreDetail): Values => ({
  Score: score.Score === null ? '' : pointsText(score.Score),
  Comment: score.Comment,
  Files: score.CommentFile === null ? [] : [score.CommentFile],
});

function ScoreForm({ place, homework, score }: ScoreProps): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  const navigate = useNavigate();
  const changed = useManagedHomeworkChanged();
  const { courseID, homeworkID } = place;
  const saved = valuesOf(score);
  const form = useDraft<Values>(`score-${homeworkID}-${score.UserID}`, saved, score.Version);
  const values = form.values ?? saved;
  const [isSending, setSending] = useState(false);
  const goesOn = useRef(false);
  useEffect(() => {
    goesOn.current = false;
  });
  const saving = useMutation({
    mutationFn: (_goOn: boolean) => {
      const [file] = values.Files;
      return updateScore(courseID, homeworkID, score.UserID, {
        Score: Number(values.Score),
        Comment: values.Comment.trim(),
        ...(file === undefined ? {} : { CommentFileID: file.ID }),
        Version: form.version,
      });
    },
    onSuccess: async (_answer, goOn) => {
      await changed();
      form.forget();
      toast('success', words.saved);
      if (goOn && score.NextUncorrected !== null)
        await navigate({ to: paths.admin.score(courseID, homeworkID, score.NextUncorrected) });
    },
    meta: { isHandled: true },
  });
  const most = pointsText(homework.MaxScore);
  const errors: Record<string, string> = {
    ...(isPoints(values.Score, 0, homework.MaxScore) ? {} : { Score: words.scoreInvalid(most) }),
    ...(Array.from(values.Comment).length > TEXT_LIMITS.homeworkComment
      ? { Comment: messages.form.tooLong(words.comment, TEXT_LIMITS.homeworkComment) }
      : {}),
  };
  return (
    <Form
      label={words.scoreTitle(score.Name)}
      errors={errors}
      failure={saving.error}
      isBusy={saving.isPending}
      isDirty={form.isDirty && !saving.isSuccess}
      submit={words.save}
      obstacle={isSending ? messages.homework.stillUploading : null}
      onSubmit={() => saving.mutate(goesOn.current)}
      extra={
        <>
          {score.NextUncorrected === null ? null : (
            <Button
              type="submit"
              isBusy={saving.isPending}
              onClick={() => {
                goesOn.current = true;
              }}
            >
              {words.saveAndNext}
            </Button>
          )}
          <DraftActions
            failure={saving.error}
            onReload={() => {
              form.forget();
              saving.reset();
              void changed();
            }}
            onDiscard={form.isDirty ? form.forget : undefined}
          />
        </>
      }
    >
      <NumberField
        label={words.score}
        value={values.Score}
        min={0}
        max={homework.MaxScore}
        step={0.1}
        hint={words.scoreHint(most)}
        error={errors['Score']}
        onChange={(Score) => form.change({ Score })}
      />
      <AreaField
        label={words.comment}
        value={values.Comment}
        max={TEXT_LIMITS.homeworkComment}
        rows={5}
        error={errors['Comment']}
        onChange={(Comment) => form.change({ Comment })}
      />
      <FilesField
        label={words.commentFile}
        choose={words.chooseCommentFile}
        files={values.Files}
        types={UPLOAD_TYPES.homeworkComment}
        max={1}
        send={sendCommentFile(courseID, homeworkID)}
        onChange={(Files) => form.change({ Files })}
        onSending={setSending}
      />
    </Form>
  );
}

/** Every change of what was given. */
function History({ changes }: { readonly changes: readonly ScoreChange[] }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const points = (score: number | null): string =>
    score === null ? words.none : pointsText(score);
  const comment = (text: string): string => (text === '' ? words.none : text);
  if (changes.length === 0) return null;
  return (
    <section className="card homework-section" aria-label={words.history}>
      <h2>{words.history}</h2>
      <ul className="homework-history">
        {changes.map((change, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two changes may be of one moment, and none ever changes
          <li key={`${change.At} ${index}`}>
            <span className="muted num">
              {[formatMoment(change.At, language), change.By ?? words.accountGone].join(
                messages.common.dotSeparator,
              )}
            </span>
            {change.ScoreBefore === change.ScoreAfter ? null : (
              <span className="num">
                {words.historyLine(points(change.ScoreBefore), points(change.ScoreAfter))}
              </span>
            )}
            {change.CommentBefore === change.CommentAfter ? null : (
              <span className="homework-comment">
                {words.commentChanged(comment(change.CommentBefore), comment(change.CommentAfter))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Score({ place, homework, score }: ScoreProps): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  const changed = useManagedHomeworkChanged();
  const [isAsking, setAsking] = useState(false);
  const resetting = useMutation({
    mutationFn: () => resetScore(place.courseID, place.homeworkID, score.UserID, score.Version),
    onSuccess: () => void toast('success', words.resetDone),
    onSettled: () => {
      setAsking(false);
      return changed();
    },
  });
  return (
    <>
      <div className="section-head">
        <h2>
          {score.Name}{' '}
          <span className="muted">
            {[score.StudentID ?? '', score.Username]
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </span>{' '}
          {score.HasLeft ? <span className="tag">{words.hasLeft}</span> : null}
        </h2>
        {score.Score === null ? null : (
          <Button look="danger" onClick={() => setAsking(true)}>
            {words.reset}
          </Button>
        )}
      </div>
      <Neighbours place={place} score={score} />
      <div className="homework-grading">
        <Handed score={score} />
        <div className="stack">
          <section className="card homework-section" aria-label={words.score}>
            <ScoreForm
              // After a reset the fields are empty, whatever was in them.
              key={score.History.filter(({ ScoreAfter }) => ScoreAfter === null).length}
              place={place}
              homework={homework}
              score={score}
            />
          </section>
          <History changes={score.History} />
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={words.resetTitle(score.Name)}
          text={words.resetText}
          confirm={words.reset}
          isBusy={resetting.isPending}
          onConfirm={() => resetting.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
