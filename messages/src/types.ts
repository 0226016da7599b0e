/** Types that hold the languages together. zh-CN is the source; every other language satisfies its type. */
import type { ErrorCode, MailTemplate } from '@hypercube/contract';

/** Values of an error as they come over the wire: nothing is known of their types. */
export type ErrorParams = Readonly<Record<string, unknown>>;

/** The text of an error code, with or without values. */
export type ErrorText = string | ((params: ErrorParams) => string);
export type ErrorTexts = Readonly<Record<ErrorCode, ErrorText>>;

/** What a mail tells of; each template says in the contract which values it has, and all have `site`. */
export type MailValues = Readonly<Record<string, string>>;

/** A mail before it is laid out: its subject, its paragraphs, and the one thing to do. */
export interface MailText {
  readonly subject: string;
  readonly lines: readonly string[];
  /** A code to be typed: stands alone, large. */
  readonly code?: string;
  readonly action?: { readonly label: string; readonly url: string };
}
export type MailTexts = Readonly<Record<MailTemplate, (values: MailValues) => MailText>>;

/**
 * The shape that a translation must have: the same keys, text for text, and functions of the same
 * parameters. A missing key, an extra key in a literal or another parameter type does not compile.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : { readonly [K in keyof T]: Translation<T[K]> };
