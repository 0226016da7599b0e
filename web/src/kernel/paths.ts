/** Paths of the pages, built in one place. */
import { LabType } from '@hypercube/contract';

export const paths = {
  index: '/',
  labs: '/lab',
  lab: (labID: number) => `/lab/${labID}`,
  notebookTask: (labID: number, taskID: number) => `/lab/${labID}/notebook/task/${taskID}`,
  home: '/home',
  settings: '/settings',
  login: '/login',
  notFound: '/404',
  shortcuts: '/shortcuts',
} as const;

/** The workspace of a task; null for a kind of lab that has no page yet. */
export const taskPath = (type: LabType, labID: number, taskID: number): string | null =>
  type === LabType.notebook ? paths.notebookTask(labID, taskID) : null;

/** The id in a part of an address; null for anything that cannot be one. */
export function readID(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= 2_147_483_647 ? id : null;
}
