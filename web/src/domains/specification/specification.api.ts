/** Calls about specifications and their nodes. */
import { routes, type BodyInputOf, type Specification } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const SPECIFICATIONS_KEY = ['specification'] as const;

export const readSpecifications: ReadList<Specification> = (query, signal) =>
  call(routes.listSpecifications, { query, signal });

export const specificationQuery = (specificationID: number, language: string) =>
  queryOptions({
    queryKey: [...SPECIFICATIONS_KEY, 'one', specificationID, language],
    queryFn: ({ signal }) => call(routes.getSpecification, { params: { specificationID }, signal }),
    meta: { isHandled: true },
  });

/** Those that can be chosen for something of a type, newest first. */
export const choosableSpecifications = (imageType: number, language: string) =>
  queryOptions({
    queryKey: [...SPECIFICATIONS_KEY, 'choosable', imageType, language],
    queryFn: async ({ signal }) => {
      const { List } = await call(routes.listSpecifications, {
        query: { imageType: String(imageType), pageSize: 100 },
        signal,
      });
      return List.filter(({ Nodes }) => Nodes.length > 0);
    },
    meta: { isHandled: true },
  });

export const createSpecification = (body: BodyInputOf<typeof routes.createSpecification>) =>
  call(routes.createSpecification, { body });

export const updateSpecification = (
  specificationID: number,
  body: BodyInputOf<typeof routes.updateSpecification>,
) => call(routes.updateSpecification, { params: { specificationID }, body });

export const deleteSpecification = (specificationID: number) =>
  call(routes.deleteSpecification, { params: { specificationID } });

export type NodeBody = BodyInputOf<typeof routes.createNode>;

/** Adds a node, or changes the one that is named. */
export const saveNode = (specificationID: number, nodeID: number | null, body: NodeBody) =>
  nodeID === null
    ? call(routes.createNode, { params: { specificationID }, body })
    : call(routes.updateNode, { params: { specificationID, nodeID }, body });

export const deleteNode = (specificationID: number, nodeID: number) =>
  call(routes.deleteNode, { params: { specificationID, nodeID } });

export const orderNodes = (specificationID: number, NodeIDList: number[]) =>
  call(routes.orderNodes, { params: { specificationID }, body: { NodeIDList } });
