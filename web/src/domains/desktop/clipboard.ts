/** The clipboards of both sides, kept alike where the browser allows it. */

/** Line ends as X programs write them. */
export const toRemote = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/**
 * Remembers what came last from the other side, so that neither side gets its own text back, and
 * an unchanged clipboard is not sent again.
 */
export class ClipboardMemory {
  #last: string | null = null;

  /** Whether a text is new to the other side; from now on it is not. */
  isNew(text: string): boolean {
    const wanted = toRemote(text);
    if (wanted === '' || wanted === this.#last) return false;
    this.#last = wanted;
    return true;
  }
}
