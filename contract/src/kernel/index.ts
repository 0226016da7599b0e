export * from './enums.ts';
export * from './errors.ts';
export * from './limits.ts';
export * from './permissions.ts';
export * from './route.ts';
