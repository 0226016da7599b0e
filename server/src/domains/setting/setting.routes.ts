import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { Settings } from './setting.service.ts';

export function settingHandlers(settings: Settings): HandlersOf<'getSettings' | 'updateSettings'> {
  const answer = async () => {
    const { values, version, updatedAt, updatedBy } = await settings.find();
    return {
      Settings: values,
      Defaults: settings.defaults,
      UpdatedAt: updatedAt?.toISOString() ?? null,
      UpdatedBy: updatedBy,
      Version: version,
    };
  };
  return {
    getSettings: answer,

    updateSettings: async ({ actor, body, note }) => {
      const { values: before } = await settings.find();
      await settings.change(body.Version, body.Values, signedIn(actor).userID);
      const now = await answer();
      note({ kind: 'setting', id: null, title: '', before, after: now.Settings });
      return now;
    },
  };
}
