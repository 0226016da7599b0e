/** Calls of those who look after the mails. */
import { routes, type MailRow } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const MAILS_KEY = ['mail'] as const;

export const readMails: ReadList<MailRow> = (query, signal) =>
  call(routes.listMails, { query, signal });

export const mailQuery = (mailID: number) =>
  queryOptions({
    queryKey: [...MAILS_KEY, 'one', mailID],
    queryFn: ({ signal }) => call(routes.getMail, { params: { mailID }, signal }),
    // Each reading is recorded: none happens by itself.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isHandled: true },
  });

export const retryMail = (mailID: number) => call(routes.retryMail, { params: { mailID } });
