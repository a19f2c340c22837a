const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A delivery fails for good, and its webhook is switched off, after this time without a success. */
export const PATIENCE_MS = 3 * DAY_MS;
const FIRST_WAIT_MS = 5 * SECOND_MS;
const WAIT_MAX_MS = HOUR_MS;
const RETRY_AFTER_MAX_MS = DAY_MS;

/** Doubles from five seconds up to an hour. A receiver can ask for more. */
export const waitMs = (attempts: number, retryAfterMs: number | null) =>
  Math.max(
    Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 12)),
    Math.min(RETRY_AFTER_MAX_MS, retryAfterMs ?? 0),
  );

/** The receiver says that it wants no more (410). */
export const isGone = (statusCode: number | null) => statusCode === 410;
