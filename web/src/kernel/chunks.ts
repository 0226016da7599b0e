/** Pages come in pieces; a piece can be gone after a deploy. */
import { TIMES } from '@hypercube/contract';
import { createElement, use, type ComponentType, type ReactNode } from 'react';

/** A piece of the program that could not be loaded, even after one reload. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('a part of the page could not be loaded', { cause });
    this.name = 'ChunkError';
  }
}

export interface ChunkSurroundings {
  readonly now: () => number;
  readonly readMark: () => string | null;
  readonly writeMark: (value: string) => void;
  readonly reload: () => void;
  readonly wait: (ms: number) => Promise<'timeout'>;
}

const MARK = 'chunk-reload';
/** A second failure within this time is not helped by a second reload. */
const RELOAD_PAUSE_MS = 60_000;

const browser: ChunkSurroundings = {
  now: () => Date.now(),
  readMark: () => {
    try {
      return sessionStorage.getItem(MARK);
    } catch {
      return null;
    }
  },
  writeMark: (value) => sessionStorage.setItem(MARK, value),
  reload: () => location.reload(),
  wait: (ms) => new Promise((resolve) => setTimeout(() => resolve('timeout'), ms)),
};

/**
 * Loads a piece of the program. When it fails or takes longer than the limit, the page is reloaded
 * once, since a deploy may have replaced the file; if that did not help, a {@link ChunkError} tells.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  around: ChunkSurroundings = browser,
): Promise<T> {
  let cause: unknown;
  try {
    const result = await Promise.race([load(), around.wait(TIMES.chunkLoadTimeoutMs)]);
    if (result !== 'timeout') return result;
    cause = new Error('timed out');
  } catch (error) {
    cause = error;
  }
  const last = Number(around.readMark() ?? 0);
  if (around.now() - last < RELOAD_PAUSE_MS) throw new ChunkError(cause);
  try {
    around.writeMark(String(around.now()));
  } catch {
    // Without a mark a reload could go on for ever.
    throw new ChunkError(cause);
  }
  around.reload();
  // The page is going away; nothing further should show meanwhile.
  return new Promise<never>(() => undefined);
}

type PageComponent = (() => ReactNode) & { preload: () => Promise<void> };

/**
 * A page that is loaded when it is first wanted. `preload` lets the router begin before it
 * renders; a page that is there already renders at once, without a pause for a promise.
 */
export function lazyPage<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
): PageComponent {
  let loaded: ComponentType | null = null;
  let loading: Promise<ComponentType> | null = null;
  const keep = (module: Record<K, ComponentType>): ComponentType => {
    loaded = module[name];
    return loaded;
  };
  const start = (): Promise<ComponentType> => {
    loading ??= loadChunk(load).then(keep);
    loading.catch(() => {
      // A later visit may try again.
      loading = null;
    });
    return loading;
  };
  const LazyPage = (): ReactNode => createElement(loaded ?? use(start()));
  return Object.assign(LazyPage, {
    // Hovering over a link must not reload the page that somebody is on: a piece that fails here
    // is asked for again, and then in earnest, when its page is shown.
    preload: async () => {
      if (loaded === null) await load().then(keep, () => undefined);
    },
  });
}
