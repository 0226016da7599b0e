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
  /** Whether the server answers at all. */
  readonly isServerThere: () => Promise<boolean>;
}

const MARK = 'chunk-reload';
/** A second failure within this time is not helped by a second reload. */
const RELOAD_PAUSE_MS = 60_000;
/** How often a server that does not answer is asked again. */
const ASK_AGAIN_MS = 2_000;

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
  isServerThere: () =>
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
};

/** One try to load a piece, or why it did not come. */
async function attempt<T>(
  load: () => Promise<T>,
  around: ChunkSurroundings,
): Promise<{ readonly result: T } | { readonly cause: unknown }> {
  try {
    const result = await Promise.race([load(), around.wait(TIMES.chunkLoadTimeoutMs)]);
    return result === 'timeout' ? { cause: new Error('timed out') } : { result };
  } catch (error) {
    return { cause: error };
  }
}

/**
 * Loads a piece of the program. While the server does not answer, what is on the page stays, and
 * the piece is asked for again once it is back: a reload would leave the browser's own error page.
 * When the server is there and the piece does not come, the page is reloaded once, since a deploy
 * may have replaced the file; if that did not help, a {@link ChunkError} tells.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  around: ChunkSurroundings = browser,
): Promise<T> {
  let tried = await attempt(load, around);
  if ('cause' in tried && !(await around.isServerThere())) {
    do await around.wait(ASK_AGAIN_MS);
    while (!(await around.isServerThere()));
    tried = await attempt(load, around);
  }
  if ('result' in tried) return tried.result;
  const { cause } = tried;
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
