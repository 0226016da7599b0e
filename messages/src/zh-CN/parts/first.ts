/** Texts of the frame, and of what stands on the home page: they come with the first script. */
import { common } from '../common.ts';
import { errors } from '../errors.ts';
import { home } from '../home.ts';
import { lab } from '../lab.ts';
import { notification } from '../notification.ts';
import { shell } from '../shell.ts';
import { site } from '../site.ts';
import { usage } from '../usage.ts';

export const first = {
  common,
  errors,
  home,
  lab,
  notification,
  shell,
  site,
  usage,
};
