/** The title of the browser tab: the page's own, and a countdown before it when time runs out. */

let page = '';
let wrap: ((title: string) => string) | null = null;

function show(): void {
  document.title = wrap === null ? page : wrap(page);
}

/** Sets the page's own title. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

/** Puts something around the title until it is called with null. */
export function wrapTitle(change: ((title: string) => string) | null): void {
  wrap = change;
  show();
}
