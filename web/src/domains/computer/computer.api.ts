/** Calls about the personal computer. */
import { routes } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

/** The user's computer; begins with `user`, because it goes with the account that signs out. */
export const COMPUTER_KEY = ['user', 'computer'] as const;

// The language is part of the answer (names of sizes), so it is part of the key.
export const computerQuery = (language: string) =>
  queryOptions({
    queryKey: [...COMPUTER_KEY, language],
    queryFn: ({ signal }) => call(routes.getComputer, { signal }),
    staleTime: 15_000,
    meta: { isHandled: true },
  });

export const createComputer = (specificationID: number) =>
  call(routes.createComputer, { body: { SpecificationID: specificationID } });

/** @param name its name, as the user typed it */
export const deleteComputer = (computerID: number, name: string) =>
  call(routes.deleteComputer, { params: { computerID }, query: { confirm: name } });
