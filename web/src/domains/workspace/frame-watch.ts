/**
 * Helps a notebook or web IDE whose page did not load completely. Making an environment changes the machine's
 * networks; a browser on the same machine then drops what it was just loading, and such a page stays
 * empty or half working for ever when one of its scripts is missing.
 */

/** The frame of everything in JupyterLab and in the web IDE: once it is there, the page has started. */
const SHELL = '.jp-LabShell, .monaco-workbench';
/** Without it after this long the page is not merely slow. */
const START_MS = 30_000;
/** The last scripts may still be on their way. */
const SETTLE_MS = 500;
/** How often a page that cannot be seen into, or waits for its link, is looked at. */
const LOOK_MS = 1_000;
/** More often than this is no mishap any more. */
const MAX_RELOADS = 5;

/** What can be seen of a page in a frame. */
export interface FramePage {
  readonly hasStarted: () => boolean;
  /** Whether a script of it could not be fetched. */
  readonly hasLostScript: () => boolean;
}

/** Whether a page should be loaded again, and not only waited for. */
export const isBroken = (page: FramePage, waitedMs: number): boolean =>
  page.hasLostScript() || (waitedMs >= START_MS && !page.hasStarted());

function pageOf(frame: HTMLIFrameElement): (FramePage & { readonly window: Window }) | null {
  try {
    const { contentWindow, contentDocument } = frame;
    // Of another origin nothing can be seen.
    if (contentWindow === null || contentDocument === null) return null;
    return {
      window: contentWindow,
      hasStarted: () => contentDocument.querySelector(SHELL) !== null,
      hasLostScript: () =>
        contentWindow.performance.getEntriesByType('resource').some((entry) => {
          const { initiatorType, responseStatus } = entry as PerformanceResourceTiming;
          return initiatorType === 'script' && responseStatus === 0;
        }),
    };
  } catch {
    return null;
  }
}

export interface WatchOptions {
  /** How often the frame was loaded again already. */
  readonly reloads: number;
  /** Whether the session answers: loading anew meanwhile would show the browser's error page. */
  readonly isLinked: () => boolean;
  /** Loads the frame again. */
  readonly onReload: () => void;
}

/**
 * Watches a frame's page from its `load` event on, and asks to load it again when it is broken, as
 * long as nobody has touched it: what somebody types must not get lost. A page of the session's
 * own origin that cannot be seen into is the browser's word that it found nobody there.
 * @returns stops watching
 */
export function watchFrame(
  frame: HTMLIFrameElement,
  { reloads, isLinked, onReload }: WatchOptions,
): () => void {
  if (reloads >= MAX_RELOADS) return () => undefined;
  // Listeners go by a signal: the window may be another's by then, which must not be touched.
  const watching = new AbortController();
  const { signal } = watching;
  const stop = (): void => watching.abort();
  const after = (ms: number, run: () => void): void => {
    const timer = setTimeout(run, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  };
  const again = (): void => {
    if (!isLinked()) {
      after(LOOK_MS, again);
      return;
    }
    stop();
    onReload();
  };
  const page = pageOf(frame);
  if (page === null) {
    if (new URL(frame.src, location.href).origin === location.origin) after(LOOK_MS, again);
    return stop;
  }
  const began = performance.now();
  const check = (): void => {
    if (isBroken(page, performance.now() - began)) again();
  };
  const onError = (): void => after(SETTLE_MS, check);
  after(SETTLE_MS, check);
  after(START_MS, check);
  page.window.addEventListener('error', onError, { capture: true, signal });
  page.window.addEventListener('unhandledrejection', onError, { signal });
  page.window.addEventListener('keydown', stop, { capture: true, signal });
  page.window.addEventListener('pointerdown', stop, { capture: true, signal });
  return stop;
}
