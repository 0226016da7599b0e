/** What other domains may ask of software. */
export { countSoftwareUse, seedSoftware, type SoftwareRow } from './software.queries.ts';
