import type { BodyOf, routes } from '@hypercube/contract';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentImage, presentImageDetail } from './image.present.ts';
import { listImageRows, type ImageListRow, type ImageTexts } from './image.queries.ts';
import type { ImageService } from './image.service.ts';

type Names =
  | 'listImages'
  | 'getImage'
  | 'commitImage'
  | 'updateImage'
  | 'chooseImageVersion'
  | 'deleteImageVersion'
  | 'deleteImage'
  | 'rebuildImage'
  | 'getImageLog';

const textsOf = (body: BodyOf<typeof routes.updateImage>): ImageTexts => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  descriptionZh: body.DescriptionZh,
  descriptionEn: body.DescriptionEn,
  isPublic: body.IsPublic,
});

export function imageHandlers(database: Database, service: ImageService): HandlersOf<Names> {
  const detail = async (row: ImageListRow, actor: Actor) =>
    presentImageDetail(row, await service.getParts(row), actor, actor.language);

  return {
    listImages: async ({ actor, query }) => {
      const { userID } = signedIn(actor);
      const { rows, total } = await listImageRows(database, {
        ...query,
        keyword: query.keyword,
        type: query.type,
        state: query.state,
        visibleTo: actor.roles.includes('admin') ? undefined : userID,
        ownerID: query.mine === 'true' ? userID : undefined,
      });
      return { List: rows.map((row) => presentImage(row, actor, query.lang)), Total: total };
    },

    getImage: async ({ actor, scoped }) => detail(await service.get(scoped.imageID.id), actor),

    commitImage: async ({ actor, scoped: { UsageID: usage, ImageID: image }, body, query }) => {
      if (!usage) throw new Error('a commit came without its usage');
      const row = await service.commit(
        {
          usage,
          image,
          node: body.Node,
          texts: textsOf(body),
          userID: signedIn(actor).userID,
        },
        query.lang,
      );
      return presentImage(row, actor, query.lang);
    },

    updateImage: async ({ actor, scoped, body, query }) =>
      presentImage(
        await service.update(scoped.imageID, textsOf(body), query.lang),
        actor,
        query.lang,
      ),

    chooseImageVersion: async ({ actor, scoped }) =>
      detail(await service.chooseVersion(scoped.imageID, scoped.versionID), actor),

    deleteImageVersion: async ({ actor, scoped, query }) =>
      detail(await service.removeVersion(scoped.imageID, scoped.versionID, query.lang), actor),

    deleteImage: async ({ scoped, query }) => {
      await service.remove(scoped.imageID, query.lang);
      return null;
    },

    rebuildImage: async ({ actor, scoped, query }) =>
      presentImage(await service.rebuild(scoped.imageID), actor, query.lang),

    getImageLog: async ({ scoped }) => {
      const { text, isComplete } = await service.readLog(scoped.imageID);
      return { Text: text, IsComplete: isComplete };
    },
  };
}
