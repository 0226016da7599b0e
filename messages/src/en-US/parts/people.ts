/** Texts of accounts: coming in, one's own settings and figures, suggestions. */
import { account } from '../account.ts';
import { dashboard } from '../dashboard.ts';
import { registration } from '../registration.ts';
import { sso } from '../sso.ts';
import { suggestion } from '../suggestion.ts';

export const people = {
  account,
  dashboard,
  registration,
  sso,
  suggestion,
};
