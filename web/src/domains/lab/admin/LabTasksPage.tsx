/** The tasks of a lab, in their order. */
import type { ManagedLab, ManagedLabTask } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { Order } from '../../../ui/Order.tsx';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import { MANAGED_LABS_KEY, deleteTask, managedTasksQuery, orderTasks } from './lab-admin.api.ts';
import { LabFrame } from './LabFrame.tsx';

export const LabTasksPage = (): ReactNode => (
  <LabFrame tab="task">{(lab) => <Tasks lab={lab} />}</LabFrame>
);

function Tasks({ lab }: { readonly lab: ManagedLab }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const query = managedTasksQuery(lab.ID);
  const { data, error, refetch } = useQuery(query);
  const [deleting, setDeleting] = useState<ManagedLabTask | null>(null);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
    void client.invalidateQueries({ queryKey: ['lab'] });
  };
  const ordering = useMutation({
    mutationFn: (tasks: readonly ManagedLabTask[]) =>
      orderTasks(
        lab.ID,
        tasks.map(({ ID }) => ID),
      ),
    onMutate: (tasks) => client.setQueryData(query.queryKey, [...tasks]),
    onSuccess: () => void toast('success', words.orderSaved),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: (task: ManagedLabTask) => deleteTask(lab.ID, task.ID),
    onSuccess: () => {
      toast('success', words.deleted);
      refresh();
    },
    onError: (failure) => void toast('error', describeError(messages, failure)),
    onSettled: () => setDeleting(null),
    meta: { isHandled: true },
  });
  const titleOf = (task: ManagedLabTask): string =>
    (language === 'zh-CN' ? task.TitleZh : task.TitleEn) || task.TitleZh;
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRegion />;
  return (
    <section aria-label={words.tasks}>
      <div className="section-head">
        <h2>{words.tasks}</h2>
        <ButtonLink isSmall look="primary" to={paths.admin.labTaskCreation(lab.ID)}>
          {words.addTask}
        </ButtonLink>
      </div>
      {data.length === 0 ? <p className="muted">{words.noTasks}</p> : null}
      <Order
        label={words.tasks}
        items={data}
        keyOf={(task) => task.ID}
        nameOf={titleOf}
        isBusy={ordering.isPending}
        onOrder={(tasks) => ordering.mutate(tasks)}
        render={(task, index) => (
          <>
            <span>
              <b>{`${index + 1}. ${titleOf(task)}`}</b>{' '}
              <span className="muted">{messages.common.minutes(task.Minutes)}</span>
            </span>
            <span className="row">
              <ButtonLink isSmall to={paths.admin.labTask(lab.ID, task.ID)}>
                {messages.form.edit}
              </ButtonLink>
              <Button isSmall look="danger" onClick={() => setDeleting(task)}>
                {messages.form.delete}
              </Button>
            </span>
          </>
        )}
      />
      {deleting ? (
        <ConfirmDialog
          title={words.deleteTask(titleOf(deleting))}
          text={words.deleteTaskText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </section>
  );
}
