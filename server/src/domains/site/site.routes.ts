import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentBuild } from '../image/image.present.ts';
import { listBuiltInImages } from '../image/image.service.ts';
import { countPublished } from '../lab/lab.service.ts';
import type { UsageService } from '../usage/usage.service.ts';

export const siteHandlers = (
  database: Database,
  usages: UsageService,
  version: string,
): HandlersOf<'getSite'> => ({
  getSite: async ({ actor, query }) => {
    const [counts, running, worker, images] = await Promise.all([
      countPublished(database),
      usages.countRunning(),
      usages.findLiveWorker(),
      listBuiltInImages(database),
    ]);
    // Paths and versions in an engine's own words are for those who run the place.
    const isStaff = actor.roles.includes('admin');
    return {
      Counts: { Labs: counts.labs, Tasks: counts.tasks, Tags: counts.tags, RunningUsages: running },
      Engine: {
        IsReady: worker?.isEngineReady ?? false,
        Reason: isStaff ? (worker?.engineReason ?? null) : null,
      },
      Images: images.map((image) => presentBuild(image, query.lang)),
      Version: version,
    };
  },
});
