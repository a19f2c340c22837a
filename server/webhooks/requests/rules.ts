const SECOND_MS = 1000;

export type Outcome = {
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly response: string;
  readonly error: string | null;
};

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
