/** A homework: what is set, what one hands in, and what came of it. */
import type { HomeworkDetail } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError, serverNowMs } from '../../kernel/api.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { roleThatMay } from '../admin/role.ts';
import { isCourseStaff, mayManage } from '../course/course.ts';
import { courseQuery } from '../course/course.api.ts';
import '../lab/detail.css';
import { FileList } from './Files.tsx';
import { deleteSubmission, homeworkQuery, useHomeworkChanged } from './homework.api.ts';
import { dotOf, isOverdue, leftText, pointsText, stateText, zoneName } from './homework.ts';
import { SubmissionForm, useSubmissionDraft } from './SubmissionForm.tsx';

function Facts({ homework }: { readonly homework: HomeworkDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const isOpen = homework.State === 0 && homework.Score === null;
  return (
    <dl className="facts">
      <div>
        <dt>{words.due}</dt>
        <dd className="num">
          {words.dueAt(formatMoment(homework.DueAt, language), zoneName())}
          {isOpen || isOverdue(homework.DueAt, serverNowMs()) ? (
            <div className={isOpen ? 'homework-soon' : 'muted'}>
              {leftText(homework.DueAt, serverNowMs(), messages)}
            </div>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{words.maxScore}</dt>
        <dd className="num">{pointsText(homework.MaxScore)}</dd>
      </div>
      <div>
        <dt>{words.type}</dt>
        <dd>{words.types[homework.Type]}</dd>
      </div>
    </dl>
  );
}

/** What was given, as its learner sees it. */
function Result({ homework }: { readonly homework: HomeworkDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const result = homework.Submission?.Result;
  if (!result) return null;
  return (
    <section className="card homework-section stack" aria-label={words.result}>
      <h2>{words.result}</h2>
      <p className="homework-points">
        {words.scoreOf(pointsText(result.Score), pointsText(homework.MaxScore))}
      </p>
      {result.Comment === '' ? (
        <p className="muted">{words.noComment}</p>
      ) : (
        <p className="homework-comment">{result.Comment}</p>
      )}
      {result.CommentFile ? (
        <FileList label={words.commentFile} files={[result.CommentFile]} />
      ) : null}
      <p className="muted num">{words.gradedAt(formatMoment(result.GradedAt, language))}</p>
    </section>
  );
}

/** What was handed in, as it is. */
function Submitted({
  homework,
  children,
}: {
  readonly homework: HomeworkDetail;
  readonly children: ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const { Submission } = homework;
  if (Submission === null) return null;
  return (
    <>
      {Submission.SubmittedAt === null ? null : (
        <p className="muted num">
          {words.submittedAt(formatMoment(Submission.SubmittedAt, language))}
        </p>
      )}
      {Submission.Text.trim() === '' ? (
        <p className="muted">{words.noText}</p>
      ) : (
        <div className="homework-text">
          <Markdown text={Submission.Text} mediaPath="" />
        </div>
      )}
      {Submission.Files.length === 0 ? null : (
        <FileList label={words.files} files={Submission.Files} />
      )}
      {children}
    </>
  );
}

function Own({
  courseID,
  homework,
}: {
  readonly courseID: number;
  readonly homework: HomeworkDetail;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.homework;
  const changed = useHomeworkChanged();
  const form = useSubmissionDraft(homework);
  const { Submission } = homework;
  const isSubmitted = Submission !== null && Submission.State !== 0;
  const [isEditing, setEditing] = useState(form.isDirty);
  const [isAsking, setAsking] = useState(false);
  const withdrawing = useMutation({
    mutationFn: (submissionID: number) => deleteSubmission(courseID, homework.ID, submissionID),
    onSuccess: () => {
      form.forget();
      toast('success', words.withdrawn);
    },
    onSettled: () => {
      setAsking(false);
      return changed();
    },
  });
  const isCorrected = Submission?.Result != null;
  return (
    <section className="card homework-section stack" aria-label={words.own}>
      <h2>{words.own}</h2>
      <p className="row homework-state">
        <span className={dotOf(homework)} aria-hidden="true" />
        {stateText(homework, messages)}
      </p>
      {isCorrected ? (
        <Submitted homework={homework}>
          <p className="notice">{words.correctedNote}</p>
        </Submitted>
      ) : isSubmitted && !isEditing ? (
        <Submitted homework={homework}>
          <div className="row row-wrap">
            <Button onClick={() => setEditing(true)}>{words.edit}</Button>
            <Button look="danger" onClick={() => setAsking(true)}>
              {words.withdraw}
            </Button>
          </div>
        </Submitted>
      ) : (
        <SubmissionForm
          courseID={courseID}
          homework={homework}
          form={form}
          onDone={() => setEditing(false)}
        />
      )}
      {isAsking && Submission ? (
        <ConfirmDialog
          title={words.withdrawTitle}
          text={words.withdrawText}
          confirm={words.withdraw}
          isBusy={withdrawing.isPending}
          onConfirm={() => withdrawing.mutate(Submission.ID)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
}

export function HomeworkPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homework;
  const session = useLogin().session ?? null;
  const params: { readonly courseID?: string; readonly homeworkID?: string } = useParams({
    strict: false,
  });
  const [courseID, homeworkID] = [readID(params.courseID), readID(params.homeworkID)];
  const isNamed = courseID !== null && homeworkID !== null;
  const course = useQuery({ ...courseQuery(courseID ?? 0, language), enabled: isNamed });
  const homework = useQuery({
    ...homeworkQuery(courseID ?? 0, homeworkID ?? 0, language),
    enabled: isNamed,
  });
  const failure = course.error ?? homework.error;
  const isGone = failure instanceof ApiError && failure.status === 404;
  const isRead = course.data !== undefined && homework.data !== undefined;
  if (!isNamed || (isGone && !isRead)) return <NotFoundView />;
  if (!isRead)
    return (
      <div className="wrap">
        {failure ? (
          <ErrorState
            error={failure}
            onRetry={() => {
              void course.refetch();
              void homework.refetch();
            }}
          />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 32, width: '40%' }} />
            <Skeleton style={{ height: 240, marginTop: 20 }} />
          </LoadingRegion>
        )}
      </div>
    );
  const data = homework.data;
  const isStaff = isCourseStaff(course.data.MyRole) || course.data.MyRole === null;
  const manages = mayManage(roleThatMay(session, ['score.list']), course.data.MyRole);
  return (
    <div className="wrap">
      <Link to={paths.course(courseID)} search={{ tab: 'homework' }} className="back-link">
        <LeftIcon />
        {course.data.Title}
      </Link>
      <div className="page-head">
        <PageTitle name={data.Title}>{data.Title}</PageTitle>
      </div>
      <div className="homework-page">
        <aside className="lab-side" aria-label={words.facts}>
          <div className="card side-card stack">
            {isStaff && manages ? (
              <ButtonLink look="primary" to={paths.admin.scores(courseID, homeworkID)}>
                {words.toScores}
              </ButtonLink>
            ) : null}
            <Facts homework={data} />
          </div>
        </aside>
        <div className="homework-main stack">
          {isGone ? (
            <p className="notice notice-bad" role="alert">
              {words.gone}
            </p>
          ) : null}
          <article className="card homework-section homework-text">
            {data.Content.trim() === '' ? (
              <p className="muted">{words.noContent}</p>
            ) : (
              <Markdown text={data.Content} mediaPath="" />
            )}
          </article>
          {data.Attachments.length === 0 ? null : (
            <section className="card homework-section" aria-label={words.attachments}>
              <h2>{words.attachments}</h2>
              <FileList label={words.attachments} files={data.Attachments} />
            </section>
          )}
          <Result homework={data} />
          {isStaff ? (
            <p className="notice">{words.staffNote}</p>
          ) : (
            // A correction closes it and a reset opens it again: both begin anew.
            <Own
              key={`${data.ID} ${data.Submission?.Result != null}`}
              courseID={courseID}
              homework={data}
            />
          )}
        </div>
      </div>
    </div>
  );
}
