import type { BodyOf, routes } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentSpecification } from './specification.present.ts';
import { listSpecificationRows } from './specification.queries.ts';
import type { NodeRequest, SpecificationService } from './specification.service.ts';

type Names =
  | 'listSpecifications'
  | 'getSpecification'
  | 'createSpecification'
  | 'updateSpecification'
  | 'deleteSpecification'
  | 'createNode'
  | 'updateNode'
  | 'deleteNode'
  | 'orderNodes';

const valuesOf = (body: BodyOf<typeof routes.updateSpecification>) => ({
  nameZh: body.NameZh,
  nameEn: body.NameEn,
  isShared: body.IsShared,
  lifetimeSeconds: body.LifetimeSeconds,
});

const nodeOf = (
  body: BodyOf<typeof routes.createNode>,
  image: NodeRequest['image'] | undefined,
): NodeRequest => {
  if (!image) throw new Error('a node came without its image');
  return {
    name: body.Name,
    cpus: body.Cpus,
    memoryBytes: body.MemoryBytes,
    diskBytes: body.DiskBytes,
    image,
  };
};

export const specificationHandlers = (
  database: Database,
  service: SpecificationService,
): HandlersOf<Names> => ({
  listSpecifications: async ({ actor, query }) => {
    const { userID } = signedIn(actor);
    const { rows, total } = await listSpecificationRows(database, {
      ...query,
      keyword: query.keyword,
      imageType: query.imageType,
      visibleTo: actor.roles.includes('admin') ? undefined : userID,
      ownerID: query.mine === 'true' ? userID : undefined,
    });
    return {
      List: rows.map((row) => presentSpecification(row, actor, query.lang)),
      Total: total,
    };
  },

  getSpecification: async ({ actor, scoped, query }) =>
    presentSpecification(scoped.specificationID, actor, query.lang),

  createSpecification: async ({ actor, body, query }) =>
    presentSpecification(
      await service.create({
        ...valuesOf(body),
        imageType: body.ImageType,
        ownerID: signedIn(actor).userID,
      }),
      actor,
      query.lang,
    ),

  updateSpecification: async ({ actor, scoped, body, query }) =>
    presentSpecification(
      await service.update(scoped.specificationID, valuesOf(body), query.lang),
      actor,
      query.lang,
    ),

  deleteSpecification: async ({ scoped, query }) => {
    await service.remove(scoped.specificationID, query.lang);
    return null;
  },

  createNode: async ({ actor, scoped, body, query }) =>
    presentSpecification(
      await service.addNode(scoped.specificationID, nodeOf(body, scoped.ImageID)),
      actor,
      query.lang,
    ),

  updateNode: async ({ actor, scoped, body, query }) =>
    presentSpecification(
      await service.updateNode(scoped.specificationID, scoped.nodeID, nodeOf(body, scoped.ImageID)),
      actor,
      query.lang,
    ),

  deleteNode: async ({ actor, scoped, query }) =>
    presentSpecification(
      await service.removeNode(scoped.specificationID, scoped.nodeID, query.lang),
      actor,
      query.lang,
    ),

  orderNodes: async ({ actor, scoped, query }) =>
    presentSpecification(
      await service.orderNodes(scoped.specificationID, scoped.NodeIDList ?? []),
      actor,
      query.lang,
    ),
});
