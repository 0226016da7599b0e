/** In which role staff act in the admin area (specification, section 6: admin first). */
import {
  actingRoles,
  meets,
  type LoginSession,
  type Requirement,
  type Role,
} from '@hypercube/contract';

const STAFF = ['admin', 'teacher', 'machine_admin', 'assistant'] as const;
type StaffRole = (typeof STAFF)[number];

/** The strongest staff role of an account; null for learners and visitors. */
export const staffRole = (session: LoginSession | null): StaffRole | null =>
  STAFF.find((role) => session?.Roles.some(({ Name }) => Name === role)) ?? null;

/** Whether an account may do something in the admin area. */
export function mayStaff(session: LoginSession | null, requirement: Requirement): boolean {
  const role: Role | null = staffRole(session);
  return (
    role !== null &&
    meets(actingRoles(session?.Roles.map(({ Name }) => Name) ?? [], role), requirement)
  );
}
