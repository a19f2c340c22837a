const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UNUSED_MS = 15 * MINUTE_MS;
const WHOLE_MS = 4 * HOUR_MS;
const PROOF_MS = 5 * MINUTE_MS;
const NEW_MS = 24 * HOUR_MS;

type Stay = { readonly opened_at: Date; readonly seen_at: Date };
/** When a stay at the desk ends if nobody uses it. */
export const endOf = ({ opened_at: opened, seen_at: seen }: Stay): Date =>
  new Date(Math.min(opened.getTime() + WHOLE_MS, seen.getTime() + UNUSED_MS));

/** Whether a proof is young enough for a change, whatever REAUTH_WINDOW_MINUTES says. */
export const isFresh = (provenAt: Date, now: Date): boolean => now.getTime() - provenAt.getTime() < PROOF_MS;

/** A way in that a thief added today does not serve, unless the operator was named with it. */
export const serves = (addedAt: Date, namedAt: Date, now: Date): boolean =>
  addedAt <= namedAt || now.getTime() - addedAt.getTime() >= NEW_MS;
