/** What the gateway may ask of usages. */
export { findBySessionName, type UsageRow } from './usage.queries.ts';
export { proxyKindOf } from './usage.present.ts';
export { serverOf } from './usage.session.ts';
