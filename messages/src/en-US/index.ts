import { account } from './account.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { lab } from './lab.ts';
import { shell } from './shell.ts';
import { usage } from './usage.ts';

export const catalogue = { account, common, errors, home, lab, shell, usage };
