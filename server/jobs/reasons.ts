import { maskEmail } from '#contract/mask.ts';

const REASON_MAX = 500;

/**
 * Why a job failed, as it may be kept and logged: a mail server's words hold addresses, and bytes that no database takes.
 * Whatever was thrown.
 */
export function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(/[^\s<>()[\]"',;:=]+@[^\s<>()[\]"',;:=]+/g, maskEmail)
    .slice(0, REASON_MAX);
}
