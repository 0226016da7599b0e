/** Every route by name: the server registers these, and the access table is made from them. */
import * as domain from './domain.ts';
import * as lab from './lab.ts';
import * as site from './site.ts';
import * as usage from './usage.ts';
import * as user from './user.ts';

export const routes = {
  getLoginSession: user.getLoginSession,
  login: user.login,
  logout: user.logout,
  getUser: user.getUser,
  changePassword: user.changePassword,
  getSite: site.getSite,
  listDomains: domain.listDomains,
  listTags: domain.listTags,
  listLabs: lab.listLabs,
  getLab: lab.getLab,
  listLabTasks: lab.listLabTasks,
  getLabTask: lab.getLabTask,
  listLabResources: lab.listLabResources,
  copyLabResources: lab.copyLabResources,
  getLabMedia: lab.getLabMedia,
  getUsage: usage.getUsage,
  createUsage: usage.createUsage,
  updateUsage: usage.updateUsage,
  renewUsage: usage.renewUsage,
  deleteUsage: usage.deleteUsage,
  listUsageContainers: usage.listUsageContainers,
  listUsageHistory: usage.listUsageHistory,
  watchUsage: usage.watchUsage,
  createUsageTicket: usage.createUsageTicket,
} as const;
export type Routes = typeof routes;
