import { account } from './account.ts';
import { admin } from './admin.ts';
import { common } from './common.ts';
import { computer } from './computer.ts';
import { desktop } from './desktop.ts';
import { editor } from './editor.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { form } from './form.ts';
import { home } from './home.ts';
import { lab } from './lab.ts';
import { shell } from './shell.ts';
import { software } from './software.ts';
import { table } from './table.ts';
import { terminal } from './terminal.ts';
import { usage } from './usage.ts';

export const catalogue = {
  account,
  admin,
  common,
  computer,
  desktop,
  editor,
  errors,
  filters,
  form,
  home,
  lab,
  shell,
  software,
  table,
  terminal,
  usage,
};
