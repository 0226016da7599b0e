/** Column kinds that every schema uses. */
import { timestamp } from 'drizzle-orm/pg-core';

/** A moment, always with its time zone. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
