/** autocannon ships no types; this is what we use of it. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly method?: 'POST';
    readonly body?: string;
  }
  interface Outcome {
    readonly errors: number;
    readonly non2xx: number;
    readonly requests: { readonly average: number };
    readonly latency: { readonly p50: number };
  }
  export default function autocannon(options: Options): Promise<Outcome>;
}
