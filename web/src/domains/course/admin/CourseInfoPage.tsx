/** The texts of a course: making one, and changing one. */
import type { ManagedCourse } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { DraftForm } from '../../../ui/form/DraftForm.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import {
  EMPTY_TEXTS,
  TextFields,
  textBodyOf,
  textErrors,
  textValuesOf,
  type TextValues,
} from '../../lab/admin/ItemFields.tsx';
import { createCourse, updateCourse, useCoursesChanged } from './course-admin.api.ts';
import './course-admin.css';
import { CourseFrame } from './CourseFrame.tsx';
import { JoinFields } from './JoinFields.tsx';
import { EMPTY_JOINING, joinBodyOf, joinErrors, type JoinValues } from './joining.ts';

type NewCourse = TextValues & JoinValues;
const EMPTY: NewCourse = { ...EMPTY_TEXTS, ...EMPTY_JOINING };

export function CourseCreationPage(): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const navigate = useNavigate();
  const changed = useCoursesChanged();
  const form = useDraft<NewCourse>('course-new', EMPTY);
  const creating = useMutation({
    mutationFn: (values: NewCourse) =>
      createCourse({ ...textBodyOf(values), ...joinBodyOf(values), IsPublished: false }),
    onSuccess: (course) => {
      form.forget();
      void changed();
      void navigate({ to: paths.admin.course(course.ID) });
    },
    meta: { isHandled: true },
  });
  const values = form.values ?? EMPTY;
  const errors = { ...textErrors(values, messages), ...joinErrors(values, messages) };
  return (
    <>
      <div className="page-head">
        <PageTitle name={words.create}>{words.create}</PageTitle>
      </div>
      <Form
        label={words.create}
        errors={errors}
        failure={creating.error}
        isBusy={creating.isPending}
        isDirty={form.isDirty && !creating.isSuccess}
        submit={messages.form.create}
        onSubmit={() => creating.mutate(values)}
      >
        <TextFields values={values} errors={errors} onChange={form.change} />
        <h2 className="course-section">{words.joining}</h2>
        <JoinFields values={values} errors={errors} onChange={form.change} />
      </Form>
    </>
  );
}

export const CourseInfoPage = (): ReactNode => (
  <CourseFrame tab="info">{(course) => <InfoForm key={course.ID} course={course} />}</CourseFrame>
);

function InfoForm({ course }: { readonly course: ManagedCourse }): ReactNode {
  const messages = useMessages();
  return (
    <DraftForm
      name={`course-${course.ID}`}
      label={messages.course.admin.tabs.info}
      saved={textValuesOf(course)}
      version={course.Version}
      save={(values, Version) =>
        updateCourse(course.ID, {
          ...textBodyOf(values),
          IsPublished: course.IsPublished,
          Version,
        })
      }
      errorsOf={(values) => textErrors(values, messages)}
      onChanged={useCoursesChanged()}
    >
      {(values, errors, change) => <TextFields values={values} errors={errors} onChange={change} />}
    </DraftForm>
  );
}
