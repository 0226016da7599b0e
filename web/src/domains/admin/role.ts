/**
 * In which role staff act in the admin area (specification, section 6). The route says: the first
 * role of the account that may open it. Who has several can choose by hand; the choice holds in
 * this tab, so that two tabs can act in two roles.
 */
import {
  actingRoles,
  meets,
  type LoginSession,
  type Requirement,
  type Role,
} from '@hypercube/contract';
import { useSyncExternalStore } from 'react';

/** Strongest first. */
export const STAFF_ROLES = ['admin', 'teacher', 'machine_admin', 'assistant'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

const KEY = 'staff-role';

/** The role of a user; another user of the same tab chose nothing. */
interface Acting {
  readonly userID: number;
  readonly role: StaffRole;
}

/** Chosen by hand. */
let chosen: Acting | null = readChosen();
/** Of the page that shows. */
let acting: Acting | null = null;
const listeners = new Set<() => void>();

function readChosen(): Acting | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Acting> | null;
    const role = STAFF_ROLES.find((known) => known === value?.role);
    return typeof value?.userID === 'number' && role ? { userID: value.userID, role } : null;
  } catch {
    return null;
  }
}

function writeChosen(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // The choice lasts as long as the page.
  }
}

/** The staff roles of an account, strongest first. */
export const staffRoles = (session: LoginSession | null): StaffRole[] =>
  STAFF_ROLES.filter((role) => session?.Roles.some(({ Name }) => Name === role));

const may = (session: LoginSession | null, role: Role, requirement: Requirement): boolean =>
  meets(actingRoles(session?.Roles.map(({ Name }) => Name) ?? [], role), requirement);

/** The role of an account that may do something, the strongest one first; null: none may. */
export const roleThatMay = (
  session: LoginSession | null,
  requirement: Requirement,
): StaffRole | null => staffRoles(session).find((role) => may(session, role, requirement)) ?? null;

/**
 * The role in which an account opens a page: the one that was chosen, else the first that may, else
 * the strongest; null for learners and visitors.
 */
export function roleFor(
  session: LoginSession | null,
  requirement: Requirement,
  choice: Acting | null = chosen,
): StaffRole | null {
  const held = staffRoles(session);
  if (choice !== null && choice.userID === session?.ID && held.includes(choice.role))
    return choice.role;
  return roleThatMay(session, requirement) ?? held[0] ?? null;
}

/** The role in which an account acts on the page that shows; null for learners and visitors. */
export const staffRole = (session: LoginSession | null): StaffRole | null =>
  acting !== null && acting.userID === session?.ID && staffRoles(session).includes(acting.role)
    ? acting.role
    : roleFor(session, []);

/** Whether an account may do something in the admin area, in the role in which it acts. */
export function mayStaff(session: LoginSession | null, requirement: Requirement): boolean {
  const role = staffRole(session);
  return role !== null && may(session, role, requirement);
}

/** From now on an account acts in this role; kept when it was chosen by hand. */
export function actAs(session: LoginSession, role: StaffRole, isByHand = false): void {
  const isSame = acting?.userID === session.ID && acting.role === role;
  acting = { userID: session.ID, role };
  if (isByHand) {
    chosen = acting;
    writeChosen();
  }
  if (!isSame) for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The role in which an account acts; the page follows it. */
export const useStaffRole = (session: LoginSession | null): StaffRole | null =>
  useSyncExternalStore(
    subscribe,
    () => staffRole(session),
    () => null,
  );
