/** Personal computers: one per user, with a home folder of its own that outlives every session (decision 11). */
import { z } from 'zod';
import { id, pathID, route } from './kernel/index.ts';
import { specificationSummary } from './lab.ts';

export const computer = z.object({
  ID: id(),
  Name: z.string(),
  Specification: specificationSummary,
  /** What the home folder takes; null while it has not been looked at. */
  HomeBytes: z.int().nullable(),
  CreatedAt: z.iso.datetime(),
  LastStartedAt: z.iso.datetime().nullable(),
});
export type Computer = z.output<typeof computer>;

const answer = z.object({
  Computer: computer.nullable(),
  /** What a new one can be made of. */
  Specifications: z.array(specificationSummary),
});

export const getComputer = route({
  method: 'GET',
  path: '/computer',
  summary: 'The personal computer of the user, and what one can be made of',
  access: { need: ['computer.detail'] },
  response: answer,
  errors: [],
  scope: {},
});

export const createComputer = route({
  method: 'POST',
  path: '/computer',
  summary: 'Make the personal computer; it is started by POST /usage with its id',
  access: { need: ['computer.create'] },
  body: { SpecificationID: id() },
  response: answer,
  status: 201,
  errors: ['computer_exists', 'image_type_differs'],
  scope: { SpecificationID: 'specification' },
});

export const deleteComputer = route({
  method: 'DELETE',
  path: '/computer/:computerID',
  summary: 'Delete it with its home folder; personal files stay',
  access: { need: ['computer.delete'] },
  params: { computerID: pathID() },
  /** Its name, typed by the user. */
  query: { confirm: z.string().max(60) },
  response: z.null(),
  errors: ['computer_name_differs'],
  scope: { computerID: 'ownComputer' },
});
