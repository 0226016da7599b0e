/** What the gateway may ask of usages. */
export { findBySessionName, type UsageRow } from './usage.queries.ts';
export { PROXY_KINDS } from './usage.present.ts';
