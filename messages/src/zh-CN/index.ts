import { account } from './account.ts';
import { admin } from './admin.ts';
import { audit } from './audit.ts';
import { captcha } from './captcha.ts';
import { common } from './common.ts';
import { computer } from './computer.ts';
import { course } from './course.ts';
import { courseTold } from './course-told.ts';
import { dashboard } from './dashboard.ts';
import { desktop } from './desktop.ts';
import { domain } from './domain.ts';
import { editor } from './editor.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { form } from './form.ts';
import { home } from './home.ts';
import { lab } from './lab.ts';
import { notification } from './notification.ts';
import { mail } from './mail.ts';
import { registration } from './registration.ts';
import { resource } from './resource.ts';
import { setting } from './setting.ts';
import { shell } from './shell.ts';
import { site } from './site.ts';
import { software } from './software.ts';
import { suggestion } from './suggestion.ts';
import { sso } from './sso.ts';
import { table } from './table.ts';
import { terminal } from './terminal.ts';
import { usage } from './usage.ts';
import { userAdmin } from './user-admin.ts';

export const catalogue = {
  account,
  admin,
  audit,
  captcha,
  common,
  computer,
  course,
  courseTold,
  dashboard,
  desktop,
  domain,
  editor,
  errors,
  filters,
  form,
  home,
  lab,
  notification,
  mail,
  registration,
  resource,
  setting,
  shell,
  site,
  software,
  suggestion,
  sso,
  table,
  terminal,
  usage,
  userAdmin,
};
