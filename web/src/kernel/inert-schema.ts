/**
 * Stands in for the validator in the browser. The contract builds its schemas when it is loaded;
 * here every call and every property of a schema is this same inert value. Types come from the
 * real one, and the server validates what arrives.
 */
type Inert = ((...values: unknown[]) => Inert) & { readonly [key: string]: Inert };

export const z: Inert = new Proxy((() => undefined) as unknown as Inert, {
  get: (_target, key) => (typeof key === 'symbol' ? undefined : z),
  apply: () => z,
});
