/** After a navigation inside the site, focus belongs to the new page's heading. */
let isWaiting = false;

/** Called when the path has changed. */
export function announceArrival(): void {
  isWaiting = true;
}

/** Whether a heading that has just appeared should take the focus; true once for each navigation. */
export function takeArrival(): boolean {
  const was = isWaiting;
  isWaiting = false;
  return was;
}
