/** Types that hold the languages together. zh-CN is the source; every other language satisfies its type. */
import type { ErrorCode } from '@hypercube/contract';

/** Values of an error as they come over the wire: nothing is known of their types. */
export type ErrorParams = Readonly<Record<string, unknown>>;

/** The text of an error code, with or without values. */
export type ErrorText = string | ((params: ErrorParams) => string);
export type ErrorTexts = Readonly<Record<ErrorCode, ErrorText>>;

/**
 * The shape that a translation must have: the same keys, text for text, and functions of the same
 * parameters. A missing key, an extra key in a literal or another parameter type does not compile.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : { readonly [K in keyof T]: Translation<T[K]> };
