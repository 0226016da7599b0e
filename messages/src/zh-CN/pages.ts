/** Texts that come with the first page that is not the home page. */
import { account } from './account.ts';
import { captcha } from './captcha.ts';
import { computer } from './computer.ts';
import { course } from './course.ts';
import { dashboard } from './dashboard.ts';
import { desktop } from './desktop.ts';
import { domain } from './domain.ts';
import { editor } from './editor.ts';
import { filters } from './filters.ts';
import { form } from './form.ts';
import { registration } from './registration.ts';
import { resource } from './resource.ts';
import { software } from './software.ts';
import { sso } from './sso.ts';
import { suggestion } from './suggestion.ts';
import { table } from './table.ts';
import { terminal } from './terminal.ts';

export const pages = {
  account,
  captcha,
  computer,
  course,
  dashboard,
  desktop,
  domain,
  editor,
  filters,
  form,
  registration,
  resource,
  software,
  sso,
  suggestion,
  table,
  terminal,
};
