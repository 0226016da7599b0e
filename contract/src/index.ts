/** What is said over the wire. Everything else is derived from this package. */
export * from './kernel/index.ts';
export * from './computer.ts';
export * from './domain.ts';
export * from './environment.ts';
export * from './image.ts';
export { type Cover } from './item.ts';
export * from './lab.ts';
export * from './setting.ts';
export * from './site.ts';
export * from './software.ts';
export * from './specification.ts';
export * from './usage.ts';
export * from './user.ts';
export { routes, type Routes } from './routes.ts';
