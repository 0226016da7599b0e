/** Texts of the admin area only. */
import { admin } from '../admin.ts';
import { audit } from '../audit.ts';
import { mail } from '../mail.ts';
import { setting } from '../setting.ts';
import { userAdmin } from '../user-admin.ts';

export const staff = {
  admin,
  audit,
  mail,
  setting,
  userAdmin,
};
