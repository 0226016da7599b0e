/** What keeps a process from starting and is no fault of ours: the message says what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
