import { maskEmail } from '#contract/accounts/mask.ts';

const REASON_MAX = 500;

/** Fit to store and to log: a mail server's message contains addresses, and bytes that no database takes. */
export function reasonOf(error: unknown): string {
  // A connection that fails at each address of a name has a message for each, and none of its own.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const words = first instanceof Error ? first.message : String(first);
  return words
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(/[^\s<>()[\]"',;:=]+@[^\s<>()[\]"',;:=]+/g, maskEmail)
    .slice(0, REASON_MAX);
}
