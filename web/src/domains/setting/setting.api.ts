/** Calls about the settings. */
import {
  routes,
  type BodyInputOf,
  type SettingGroup,
  type SettingGroups,
} from '@hypercube/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { upload } from '../../kernel/upload.ts';
import { siteQuery } from '../site/site.api.ts';

export const settingsQuery = queryOptions({
  queryKey: ['setting'],
  queryFn: ({ signal }) => call(routes.getSettings, { signal }),
});

type Body<K extends keyof typeof routes> = BodyInputOf<(typeof routes)[K]>;

export const updateSite = (body: Body<'updateSiteSettings'>) =>
  call(routes.updateSiteSettings, { body });
export const updateRegistration = (body: Body<'updateRegistrationSettings'>) =>
  call(routes.updateRegistrationSettings, { body });
export const updateLimits = (body: Body<'updateLimitSettings'>) =>
  call(routes.updateLimitSettings, { body });
export const updateMail = (body: Body<'updateMailSettings'>) =>
  call(routes.updateMailSettings, { body });
export const updateSignOn = (provider: 'arose' | 'scnet', body: Body<'updateAroseSettings'>) =>
  provider === 'arose'
    ? call(routes.updateAroseSettings, { body })
    : call(routes.updateScnetSettings, { body });
export const updateCaptcha = (body: Body<'updateCaptchaSettings'>) =>
  call(routes.updateCaptchaSettings, { body });
export const updateRetention = (body: Body<'updateRetentionSettings'>) =>
  call(routes.updateRetentionSettings, { body });

export const resetSettings = (group: SettingGroup, version: number) =>
  call(routes.resetSettings, { params: { group }, query: { version: String(version) } });
export const sendTestMail = () => call(routes.sendTestMail, {});
export const uploadLogo = (file: File) => upload(routes.uploadLogo, { params: {}, file });

/** Shows what the server answered, and what follows from it for every page. */
export function showGroups(client: QueryClient, changed: Partial<SettingGroups>): void {
  client.setQueryData(settingsQuery.queryKey, (before) =>
    before === undefined ? before : { Groups: { ...before.Groups, ...changed } },
  );
  if (changed.site || changed.registration || changed.arose || changed.scnet)
    void client.fetchQuery({ ...siteQuery, staleTime: 0 });
  if (changed.arose || changed.scnet)
    void client.invalidateQueries({ queryKey: ['sso-providers'] });
  if (changed.captcha) void client.invalidateQueries({ queryKey: ['captcha'] });
}
