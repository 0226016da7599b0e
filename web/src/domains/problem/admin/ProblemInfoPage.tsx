/** The texts, limits and codes of a problem: making one, and changing one. */
import type { ManagedProblem } from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { DraftForm } from '../../../ui/form/DraftForm.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { createProblem, updateProblem, useProblemsChanged } from './problem-admin.api.ts';
import {
  EMPTY_PROBLEM,
  problemBodyOf,
  problemErrors,
  problemValuesOf,
  type ProblemValues,
} from './problem-values.ts';
import { ProblemFields } from './ProblemFields.tsx';
import { ProblemFrame } from './ProblemFrame.tsx';
import '../problem.css';

export function ProblemCreationPage(): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problemAdmin;
  const changed = useProblemsChanged();
  const navigate = useNavigate();
  const form = useDraft<ProblemValues>('problem-new', EMPTY_PROBLEM);
  const creating = useMutation({
    mutationFn: createProblem,
    onSuccess: (problem) => {
      form.forget();
      void changed();
      void navigate({ to: paths.admin.problem(problem.ID, 'test') });
    },
    meta: { isHandled: true },
  });
  const values = form.values ?? EMPTY_PROBLEM;
  const errors = problemErrors(values, messages);
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
        onSubmit={() => creating.mutate(problemBodyOf(values))}
      >
        <ProblemFields values={values} errors={errors} onChange={form.change} />
      </Form>
    </>
  );
}

export const ProblemInfoPage = (): ReactNode => (
  <ProblemFrame tab="info">
    {(problem) => <InfoForm key={problem.ID} problem={problem} />}
  </ProblemFrame>
);

function InfoForm({ problem }: { readonly problem: ManagedProblem }): ReactNode {
  const { messages } = useLanguage();
  return (
    <DraftForm
      name={`problem-${problem.ID}`}
      label={messages.problemAdmin.tabs.info}
      saved={problemValuesOf(problem)}
      version={problem.Version}
      save={(values, Version) => updateProblem(problem.ID, { ...problemBodyOf(values), Version })}
      errorsOf={(values) => problemErrors(values, messages)}
      onChanged={useProblemsChanged()}
    >
      {(values, errors, change) => (
        <ProblemFields values={values} errors={errors} onChange={change} />
      )}
    </DraftForm>
  );
}
