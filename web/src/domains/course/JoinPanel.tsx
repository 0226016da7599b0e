/** The way into a course and out of it: what can be done depends on what one is in it. */
import { CourseJoinMode, type CourseDetail } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError, type FailureCode } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { isCourseStaff, wayIn } from './course.ts';
import { COURSE_KEY, joinCourse, leaveCourse } from './course.api.ts';
import './course.css';

/** Refusals that are about the code, and are told at its field. */
const CODE_REFUSALS: readonly FailureCode[] = [
  'course_code_wrong',
  'course_code_expired',
  'too_many_guesses',
];

interface JoinPanelProps {
  readonly course: CourseDetail;
  /** undefined while it is not known who it is. */
  readonly isSignedIn: boolean | undefined;
  /** Whether the admin area shows the course to the user. */
  readonly manages: boolean;
}

/** Joining by a click, by an application, or with a code. */
function Join({ course }: Pick<JoinPanelProps, 'course'>): ReactNode {
  const messages = useMessages();
  const words = messages.course;
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const [hasTried, setTried] = useState(false);
  const mode = wayIn(course);
  const needsCode = mode === CourseJoinMode.inviteCode;
  const joining = useMutation({
    mutationFn: () => joinCourse(course.ID, needsCode ? code.trim() : null),
    onSuccess: ({ MyRole }) =>
      void toast('success', MyRole === 'member' ? words.joined : words.applied),
    // Also after a refusal: the course may be joined in another way by now.
    onSettled: () => client.invalidateQueries({ queryKey: COURSE_KEY }),
    meta: { handledCodes: [...CODE_REFUSALS] },
  });
  if (!needsCode) {
    const isOpen = mode === CourseJoinMode.public;
    return (
      <>
        <Button look="primary" isBusy={joining.isPending} onClick={() => joining.mutate()}>
          {isOpen ? words.join : words.apply}
        </Button>
        <p className="muted">{isOpen ? words.joinPublic : words.applyText}</p>
      </>
    );
  }
  const isEmpty = code.trim() === '';
  const refusal =
    isApiError(joining.error) && CODE_REFUSALS.includes(joining.error.code)
      ? describeError(messages, joining.error)
      : null;
  return (
    <form
      noValidate
      className="stack"
      aria-label={words.join}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isEmpty && !joining.isPending) joining.mutate();
      }}
    >
      <p className="muted">{words.codeText}</p>
      <TextField
        label={words.code}
        value={code}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        error={hasTried && isEmpty ? messages.form.required(words.code) : refusal}
        onChange={(event) => {
          setCode(event.target.value);
          setTried(false);
          // What was refused is not what stands there any more.
          if (joining.isError) joining.reset();
        }}
      />
      <Button look="primary" type="submit" isBusy={joining.isPending}>
        {words.join}
      </Button>
    </form>
  );
}

/** For somebody who is in the course or waits for it: where they stand, and the way out. */
function Leave({ course }: Pick<JoinPanelProps, 'course'>): ReactNode {
  const words = useMessages().course;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const isWaiting = course.MyRole === 'waiting';
  const leaving = useMutation({
    mutationFn: () => leaveCourse(course.ID),
    onSuccess: () => void toast('success', isWaiting ? words.withdrawn : words.left),
    onSettled: () => {
      setAsking(false);
      return client.invalidateQueries({ queryKey: COURSE_KEY });
    },
  });
  return (
    <>
      <p className="row course-standing">
        {isWaiting ? (
          <span className="dot dot-warn" aria-hidden="true" />
        ) : (
          <span className="course-check">
            <CheckIcon />
          </span>
        )}
        {isWaiting ? words.isWaiting : words.isMember}
      </p>
      <Button onClick={() => setAsking(true)}>{isWaiting ? words.withdraw : words.leave}</Button>
      {isAsking ? (
        <ConfirmDialog
          title={isWaiting ? words.withdrawTitle(course.Title) : words.leaveTitle(course.Title)}
          text={isWaiting ? words.withdrawText : words.leaveText}
          confirm={isWaiting ? words.withdraw : words.leave}
          isBusy={leaving.isPending}
          onConfirm={() => leaving.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

export function JoinPanel({ course, isSignedIn, manages }: JoinPanelProps): ReactNode {
  const words = useMessages().course;
  const { MyRole: role } = course;
  // Not known yet: no way in would be the right one.
  if (isSignedIn === undefined) return <Skeleton style={{ height: 42 }} />;
  if (!isSignedIn) {
    return (
      <>
        <Link
          to={paths.login}
          search={{ redirect: paths.course(course.ID) }}
          className="btn btn-primary"
        >
          {words.loginToJoin}
        </Link>
        <p className="muted">{words.loginText}</p>
      </>
    );
  }
  return (
    <>
      {role === null ? (
        <Join course={course} />
      ) : isCourseStaff(role) ? (
        <p>{words.staffOf(words.roles[role])}</p>
      ) : (
        <Leave course={course} />
      )}
      {manages ? <ButtonLink to={paths.admin.course(course.ID)}>{words.manage}</ButtonLink> : null}
    </>
  );
}
