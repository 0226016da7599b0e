/** This machine's clipboard, where the browser lets a page at it. */

/** Whether the browser lets a page read the clipboard without asking each time. */
export async function mayReadClipboard(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({
      // Not every browser knows it; those that do not say so by throwing.
      name: 'clipboard-read' as PermissionName,
    });
    return state === 'granted';
  } catch {
    return false;
  }
}

/** The text of this machine's clipboard; null where the browser or the user refuses. */
export async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

/** The older way, which also works where the page came without https. */
function writeByEvent(text: string): boolean {
  const fill = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', fill, { capture: true, once: true });
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without https
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', fill, true);
  }
}

/** Puts a text into this machine's clipboard. @returns whether the browser allowed it */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByEvent(text);
  }
}
