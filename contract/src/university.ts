/** The list of universities that registration and profiles offer. */
import { z } from 'zod';
import { listOf, route } from './kernel/index.ts';

export const university = z.object({
  /** One of the two stands for the other where only one is known. */
  NameZh: z.string(),
  NameEn: z.string(),
  /** ISO 3166-2 within China (`CN-BJ`), else the country's ISO 3166-1 code (`US`). */
  Region: z.string(),
});
export type University = z.output<typeof university>;

export const listUniversities = route({
  method: 'GET',
  path: '/university.json',
  summary: 'Every university of the list; also at the root of the site',
  access: { public: 'registration shows it to visitors' },
  response: listOf(university),
  errors: [],
  scope: {},
  kind: 'file',
});
