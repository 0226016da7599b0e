/** What other domains may ask of software. */
export {
  countSoftwareUse,
  findSoftware,
  seedSoftware,
  type SoftwareRow,
} from './software.queries.ts';
