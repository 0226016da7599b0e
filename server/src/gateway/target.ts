/** Where a request may go: from our own records, never from what a client wrote. */
export interface Target {
  readonly usageID: number;
  /** `ip:port`. */
  readonly address: string;
  /** The path under which the session's own server knows the address. */
  readonly path: string;
  /** Header pairs of our own on every answer of the session. */
  readonly added: readonly string[];
}
