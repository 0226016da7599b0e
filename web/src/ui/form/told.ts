/** Errors of a form's fields are told after the first try: nobody is scolded before having typed. */
import { createContext, use } from 'react';

/** Whether the fields may tell their errors; fields outside of a form always may. */
export const ErrorsTold = createContext(true);

/** The error of a field, once it may be told. */
export const useToldError = (error: string | null | undefined): string | null =>
  use(ErrorsTold) ? (error ?? null) : null;
