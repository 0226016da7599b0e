/** Errors are codes, thrown by the rules in the domain's words and mapped to HTTP once. */
import type { ErrorCode } from '@hypercube/contract';

export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, unknown>>;
  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'DomainError';
    this.code = code;
    this.params = params;
  }
}

/** Whether an error of the file system says that there is no space (or no quota) left. */
export const isNoSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
