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
const MAX_RELOADS = 2;

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
    // Of another origin nothing can be seen; its reload stays with the user.
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

/**
 * Watches a frame's page from its `load` event on, and loads it again when it is broken, as long
 * as nobody has touched it: what somebody types must not get lost.
 * @param reloads how often that has been done for this frame already
 * @returns stops watching
 */
export function watchFrame(
  frame: HTMLIFrameElement,
  reloads: number,
  onReload: () => void,
): () => void {
  const page = pageOf(frame);
  if (page === null || reloads >= MAX_RELOADS) return () => undefined;
  const began = performance.now();
  const check = (): void => {
    if (!isBroken(page, performance.now() - began)) return;
    stop();
    onReload();
    page.window.location.reload();
  };
  const onError = (): void => {
    timers.push(setTimeout(check, SETTLE_MS));
  };
  const timers = [setTimeout(check, SETTLE_MS), setTimeout(check, START_MS)];
  page.window.addEventListener('error', onError, true);
  page.window.addEventListener('unhandledrejection', onError);
  const stop = (): void => {
    page.window.removeEventListener('keydown', stop, true);
    page.window.removeEventListener('pointerdown', stop, true);
    for (const timer of timers) clearTimeout(timer);
    page.window.removeEventListener('error', onError, true);
    page.window.removeEventListener('unhandledrejection', onError);
  };
  page.window.addEventListener('keydown', stop, true);
  page.window.addEventListener('pointerdown', stop, true);
  return stop;
}
