/** Column kinds that every schema uses. */
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A moment, always with its time zone. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Words for full-text search, cut by us: PostgreSQL has no Chinese parser. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
