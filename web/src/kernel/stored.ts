/** Choices that are kept in this browser; without storage they last as long as the page. */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts as long as the page.
  }
}

/** The stored choice when it is one of those that exist, else the usual one. */
export const chosen = <T extends string>(
  stored: string | null,
  choices: readonly T[],
  usual: T,
): T => choices.find((choice) => choice === stored) ?? usual;
