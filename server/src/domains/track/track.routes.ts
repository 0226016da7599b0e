import { SessionType } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { UsageService } from '../usage/usage.service.ts';
import type { TrackService } from './track.service.ts';

/** @param zone IANA name of the calendar in which days begin and end */
export const trackHandlers = (
  service: TrackService,
  usages: Pick<UsageService, 'sumRunTimes'>,
  zone: string,
): HandlersOf<'recordTrack' | 'getStudyStatistics' | 'getStudyNext'> => ({
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
    const study = await service.study(userID, query.days);
    const [first] = study.Days;
    const runs = first ? await usages.sumRunTimes(userID, first.Day, zone) : [];
    return {
      ...study,
      Environments: Object.values(SessionType).map((Type) => {
        const run = runs.find(({ type }) => type === Type);
        return { Type, Count: run?.count ?? 0, Minutes: Math.round((run?.seconds ?? 0) / 60) };
      }),
    };
  },

  getStudyNext: ({ actor, query }) => service.next(signedIn(actor).userID, query.lang),
});
