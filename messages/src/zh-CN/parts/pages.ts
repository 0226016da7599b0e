/** Texts that pages of any kind show: they come with the first page that is not the home page. */
import { captcha } from '../captcha.ts';
import { computer } from '../computer.ts';
import { desktop } from '../desktop.ts';
import { domain } from '../domain.ts';
import { editor } from '../editor.ts';
import { filters } from '../filters.ts';
import { form } from '../form.ts';
import { problem } from '../problem.ts';
import { software } from '../software.ts';
import { table } from '../table.ts';
import { terminal } from '../terminal.ts';

export const pages = {
  captcha,
  computer,
  desktop,
  domain,
  editor,
  filters,
  form,
  problem,
  software,
  table,
  terminal,
};
