/** What is said over the wire. Everything else is derived from this package. */
export * from './kernel/index.ts';
export * from './domain.ts';
export * from './lab.ts';
export * from './site.ts';
export * from './usage.ts';
export * from './user.ts';
export { routes, type Routes } from './routes.ts';
