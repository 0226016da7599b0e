import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { UsageService } from '../usage/usage.service.ts';
import type { TrackService } from './track.service.ts';

export const trackHandlers = (
  service: TrackService,
  usages: Pick<UsageService, 'sumRunTime'>,
): HandlersOf<'recordTrack' | 'getStudyStatistics'> => ({
  recordTrack: async ({ actor, body }) => {
    service.record({
      type: body.Type,
      fields: body.Field,
      sessionID: body.SessionId,
      userID: actor.userID,
      url: body.URL,
      fromURL: body.FromURL,
    });
    return null;
  },

  getStudyStatistics: async ({ actor, query }) => {
    const { userID } = signedIn(actor);
    const [study, run] = await Promise.all([
      service.study(userID, query.days),
      usages.sumRunTime(userID, query.days),
    ]);
    return { ...study, Environments: run.count, EnvironmentMinutes: Math.round(run.seconds / 60) };
  },
});
