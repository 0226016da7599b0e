/** Texts of the admin area only. */
import { admin } from '../admin.ts';
import { audit } from '../audit.ts';
import { homeworkAdmin } from '../homework-admin.ts';
import { mail } from '../mail.ts';
import { problemAdmin } from '../problem-admin.ts';
import { setting } from '../setting.ts';
import { userAdmin } from '../user-admin.ts';

export const staff = {
  admin,
  audit,
  homeworkAdmin,
  mail,
  problemAdmin,
  setting,
  userAdmin,
};
