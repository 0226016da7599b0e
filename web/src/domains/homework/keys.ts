/** Names of what is kept of homework, for those who only have to say that it is old. */

/** Answers say how one stands, so they are forgotten with the account. */
export const HOMEWORK_KEY = ['homework'] as const;
