import type { SiteFace } from '@hypercube/contract';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentBuild } from '../image/image.present.ts';
import { listBuiltInImages } from '../image/image.service.ts';
import { countPublished as countCourses } from '../course/course.service.ts';
import { countProblems } from '../problem/problem.service.ts';
import { countPublished } from '../lab/lab.service.ts';
import type { UsageService } from '../usage/usage.service.ts';
import { LOGO_TYPE, type Logos } from './logos.ts';

export interface SiteHandlersOptions {
  readonly database: Database;
  readonly usages: UsageService;
  readonly logos: Logos;
  readonly face: () => SiteFace;
  readonly version: string;
}

export const siteHandlers = ({
  database,
  usages,
  logos,
  face,
  version,
}: SiteHandlersOptions): HandlersOf<'getSite' | 'getLogo'> => ({
  getSite: async ({ actor, query }) => {
    const [counts, courses, problems, running, worker, images] = await Promise.all([
      countPublished(database),
      countCourses(database),
      countProblems(database),
      usages.countRunning(),
      usages.findLiveWorker(),
      listBuiltInImages(database),
    ]);
    // Paths and versions in an engine's own words are for those who run the place.
    const isStaff = actor.roles.includes('admin');
    return {
      Site: face(),
      Counts: {
        Labs: counts.labs,
        Tasks: counts.tasks,
        Courses: courses,
        Problems: problems,
        Tags: counts.tags,
        RunningUsages: running,
      },
      Engine: {
        IsReady: worker?.isEngineReady ?? false,
        Reason: isStaff ? (worker?.engineReason ?? null) : null,
      },
      Images: images.map((image) => presentBuild(image, query.lang)),
      Version: version,
    };
  },

  getLogo: async ({ params, reply }) => {
    const picture = await logos.read(params.name);
    if (!picture) throw new DomainError('not_found');
    return reply
      .headers({
        'content-type': LOGO_TYPE,
        'content-length': picture.sizeBytes,
        'content-security-policy': "default-src 'none'; sandbox",
        // A name is given once and never again to another picture.
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(picture.stream);
  },
});
