const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A delivery fails for good, and its webhook is switched off, after this time without a success. */
export const PATIENCE_MS = 3 * DAY_MS;
const FIRST_WAIT_MS = 5 * SECOND_MS;
const WAIT_MAX_MS = HOUR_MS;
/** A receiver may ask for a longer wait, but not for ever. */
const RETRY_AFTER_MAX_MS = DAY_MS;

/** Doubles from five seconds up to an hour. A receiver can ask for more. */
export const waitMs = (attempts: number, retryAfterMs: number | null) =>
  Math.max(
    Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 12)),
    Math.min(RETRY_AFTER_MAX_MS, retryAfterMs ?? 0),
  );

/** The wait that a Retry-After header asks for, in seconds or as a date; null without a readable one. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/** Words for an answer that is no success; undefined for a success. */
export function problemOfAnswer(statusCode: number): string | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  return statusCode >= 300 && statusCode < 400
    ? `answered with ${statusCode}, a redirect, which is not followed`
    : `answered with ${statusCode}`;
}

/** The receiver says that it wants no more (410). */
export const isGone = (statusCode: number | null) => statusCode === 410;
