import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentMail, presentMailRow } from './mail.present.ts';
import { dueAgain, listMailRows } from './mail.queries.ts';

export const mailHandlers = (
  database: Database,
  clock: Clock,
): HandlersOf<'listMails' | 'getMail' | 'retryMail'> => ({
  listMails: async ({ query }) => {
    const { rows, total } = await listMailRows(database, {
      ...query,
      keyword: query.keyword,
      state: query.state,
      template: query.template,
    });
    return { List: rows.map(presentMailRow), Total: total };
  },

  getMail: async ({ scoped }) => presentMail(scoped.mailID),

  retryMail: async ({ scoped }) =>
    database.transaction(async (tx) => {
      const row = await dueAgain(tx, scoped.mailID.id, clock.now());
      if (!row) throw new DomainError('mail_not_failed');
      await notify(tx, 'mail', '');
      return presentMailRow(row);
    }),
});
