/** Who finds a course, how it is joined, and who works on it. */
import type { CourseStaff, ManagedCourse } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatDay, formatMoment } from '../../../kernel/format.ts';
import { describeError, useLanguage, useMessages } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { DraftForm } from '../../../ui/form/DraftForm.tsx';
import { useKeptFocus } from '../../../ui/kept-focus.ts';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import { staffRole } from '../../admin/role.ts';
import { mayOwn, wayIn } from '../course.ts';
import {
  addHelper,
  helpersQuery,
  removeHelper,
  updatePermission,
  useCoursesChanged,
  type Helper,
} from './course-admin.api.ts';
import { CourseFrame } from './CourseFrame.tsx';
import { CopyCode, JoinFields } from './JoinFields.tsx';
import { joinBodyOf, joinErrors, joinValuesOf, needsCode } from './joining.ts';

export const CoursePermissionPage = (): ReactNode => (
  <CourseFrame tab="permission">
    {(course) => <Permission key={course.ID} course={course} />}
  </CourseFrame>
);

function Permission({ course }: { readonly course: ManagedCourse }): ReactNode {
  const words = useMessages().course.admin;
  const session = useLogin().session ?? null;
  const isOwn = mayOwn(staffRole(session), course.MyRole);
  return (
    <>
      {isOwn ? (
        <JoinForm course={course} />
      ) : (
        <>
          <p className="notice">{words.ownerOnly}</p>
          <Joining course={course} />
        </>
      )}
      <Helpers course={course} helper="assistant" isOwn={isOwn} />
      <Helpers course={course} helper="collaborator" isOwn={isOwn} />
    </>
  );
}

/** How the course is joined, for those who cannot change it but invite people as well. */
function Joining({ course }: { readonly course: ManagedCourse }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const { InviteFrom: from, InviteUntil: until } = course;
  const moment = (iso: string | null): string =>
    iso === null ? words.noLimit : formatMoment(iso, language);
  return (
    <section aria-label={words.joining}>
      <div className="section-head">
        <h2>{words.joining}</h2>
      </div>
      <dl className="course-joining">
        <dt>{words.joinMode}</dt>
        <dd>{messages.course.modes[wayIn(course)]}</dd>
        {needsCode(joinValuesOf(course)) ? (
          <>
            <dt>{messages.course.code}</dt>
            <dd className="row row-wrap">
              <span className="mono">{course.InviteCode}</span>
              <CopyCode code={course.InviteCode ?? ''} />
            </dd>
            <dt>{words.period}</dt>
            <dd className="num">
              {from === null && until === null
                ? words.noLimit
                : words.between(moment(from), moment(until))}
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  );
}

function JoinForm({ course }: { readonly course: ManagedCourse }): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const changed = useCoursesChanged();
  return (
    <section aria-label={words.joining}>
      <h2 className="course-section">{words.joining}</h2>
      <DraftForm
        name={`course-joining-${course.ID}`}
        label={words.joining}
        saved={joinValuesOf(course)}
        version={course.Version}
        save={(values, Version) => updatePermission(course.ID, { ...joinBodyOf(values), Version })}
        errorsOf={(values) => joinErrors(values, messages)}
        onChanged={changed}
      >
        {(values, errors, change) => (
          <JoinFields values={values} errors={errors} onChange={change} />
        )}
      </DraftForm>
    </section>
  );
}

/** What is said of the two kinds of people who work on a course beside its owner. */
function useHelperWords(helper: Helper) {
  const words = useMessages().course.admin;
  return helper === 'assistant'
    ? {
        title: words.assistants,
        text: words.assistantsText,
        none: words.noAssistants,
        add: words.addAssistant,
        hint: words.personHint,
        removeTitle: words.removeAssistantTitle,
        removeText: words.removeAssistantText,
      }
    : {
        title: words.collaborators,
        text: words.collaboratorsText,
        none: words.noCollaborators,
        add: words.addCollaborator,
        hint: words.collaboratorHint,
        removeTitle: words.removeCollaboratorTitle,
        removeText: words.removeCollaboratorText,
      };
}

interface HelperProps {
  readonly course: ManagedCourse;
  readonly helper: Helper;
}

function AddHelper({ course, helper }: HelperProps): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const own = useHelperWords(helper);
  const changed = useCoursesChanged();
  const [name, setName] = useState('');
  const [hasTried, setTried] = useState(false);
  const isEmpty = name.trim() === '';
  const adding = useMutation({
    mutationFn: () => addHelper(course.ID, helper, name.trim()),
    onSuccess: async (person) => {
      setName('');
      setTried(false);
      toast('success', words.added(person.Nickname));
      await changed();
    },
    meta: { isHandled: true },
  });
  return (
    <form
      noValidate
      className="course-add"
      aria-label={own.add}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isEmpty && !adding.isPending) adding.mutate();
      }}
    >
      <TextField
        label={words.personName}
        hint={own.hint}
        value={name}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={
          hasTried && isEmpty
            ? messages.form.required(words.personName)
            : adding.error
              ? describeError(messages, adding.error)
              : null
        }
        onChange={(event) => {
          setName(event.target.value);
          setTried(false);
          if (adding.isError) adding.reset();
        }}
      />
      <Button type="submit" aria-label={own.add} isBusy={adding.isPending}>
        {words.add}
      </Button>
    </form>
  );
}

function Helpers({ course, helper, isOwn }: HelperProps & { readonly isOwn: boolean }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const own = useHelperWords(helper);
  const changed = useCoursesChanged();
  const kept = useKeptFocus<HTMLElement>();
  const { data, error, refetch } = useQuery(helpersQuery(course.ID, helper));
  const [removed, setRemoved] = useState<CourseStaff | null>(null);
  const removing = useMutation({
    mutationFn: (person: CourseStaff) => removeHelper(course.ID, helper, person.ID),
    onSuccess: () => void toast('success', words.removed),
    onSettled: () => {
      setRemoved(null);
      return changed();
    },
  });
  return (
    <section aria-label={own.title} {...kept}>
      <div className="section-head">
        <h2>{own.title}</h2>
      </div>
      <p className="muted course-about">{own.text}</p>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : data.length === 0 ? (
        <p>{own.none}</p>
      ) : (
        <ul className="card course-people" aria-label={own.title}>
          {data.map((person) => (
            <li key={person.ID} className="row">
              <Avatar name={person.Nickname} path={person.Avatar} size={36} />
              <span>
                <span>
                  <b>{person.RealName ?? person.Nickname}</b>{' '}
                  <span className="muted">{person.Username}</span>
                </span>
                <span className="muted num">
                  {[person.Organisation ?? '', words.since(formatDay(person.Since, language))]
                    .filter((text) => text !== '')
                    .join(messages.common.dotSeparator)}
                </span>
              </span>
              {isOwn ? (
                <Button
                  isSmall
                  look="danger"
                  aria-label={words.removeNamed(person.Nickname)}
                  onClick={() => setRemoved(person)}
                >
                  {words.remove}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {isOwn ? <AddHelper course={course} helper={helper} /> : null}
      {removed ? (
        <ConfirmDialog
          title={own.removeTitle(removed.Nickname)}
          text={own.removeText}
          confirm={words.remove}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(removed)}
          onClose={() => setRemoved(null)}
        />
      ) : null}
    </section>
  );
}
