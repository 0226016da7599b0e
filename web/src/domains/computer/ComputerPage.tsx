/** The personal computer: made once, and a workspace of its own from then on. */
import type { Computer } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { useUsage } from '../usage/watch.ts';
import { Workspace } from '../workspace/Workspace.tsx';
import { COMPUTER_KEY, computerQuery, createComputer, deleteComputer } from './computer.api.ts';
import { ComputerDocument } from './ComputerDocument.tsx';
import { MakeComputerView } from './MakeComputerView.tsx';

export function ComputerPage(): ReactNode {
  const { language, messages } = useLanguage();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(computerQuery(language));
  const make = useMutation({
    mutationFn: createComputer,
    onSuccess: (answer) => {
      client.setQueryData(computerQuery(language).queryKey, answer);
      toast('success', messages.computer.made);
    },
    // Another tab has made it: that one shows.
    onError: () => void client.invalidateQueries({ queryKey: COMPUTER_KEY }),
  });
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 48, borderRadius: 0 }} />
      </LoadingRegion>
    );
  }
  if (data.Computer === null) {
    return (
      <MakeComputerView
        specifications={data.Specifications}
        isBusy={make.isPending}
        onMake={make.mutate}
      />
    );
  }
  return <ComputerWorkspace key={data.Computer.ID} computer={data.Computer} />;
}

function ComputerWorkspace({ computer }: { readonly computer: Computer }): ReactNode {
  const { messages } = useLanguage();
  const client = useQueryClient();
  const { usage } = useUsage();
  const opened = usage?.ComputerID === computer.ID ? `${usage.ID} ${usage.Phase}` : '';
  // When it was started last, and what its home takes, is known anew after each start and end.
  useEffect(() => void client.invalidateQueries({ queryKey: COMPUTER_KEY }), [client, opened]);
  const words = messages.computer;
  const remove = useMutation({
    mutationFn: (name: string) => deleteComputer(computer.ID, name),
    onSuccess: () => {
      toast('success', words.deleted);
      void client.invalidateQueries({ queryKey: ['usage'] });
      return client.invalidateQueries({ queryKey: COMPUTER_KEY });
    },
  });
  return (
    <Workspace
      title={computer.Name}
      back={{ to: paths.index, label: words.back }}
      documentLabel={words.documentRegion}
      document={
        <ComputerDocument
          computer={computer}
          isRunning={usage?.ComputerID === computer.ID}
          isDeleting={remove.isPending}
          onDelete={remove.mutate}
        />
      }
      createBody={{
        RouteName: 'personalComputer',
        RoutePath: paths.computer,
        ComputerID: computer.ID,
      }}
      matches={(of) => of.ComputerID === computer.ID}
      // One may come only to look, or to delete it.
      startsItself={false}
    />
  );
}
