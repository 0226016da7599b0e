/** Things that staff make: each belongs to whoever made it, and admins look after all. */
import type { Actor } from './access.ts';

/** Whether an actor may change a thing. What came with the platform has no owner: admins only. */
export const managesRow = (actor: Actor, row: { readonly ownerID: number | null }): boolean =>
  actor.userID !== null && (actor.roles.includes('admin') || row.ownerID === actor.userID);
