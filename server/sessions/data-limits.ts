import { sql } from 'kysely';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';

/** Sessions last used before `idle` or opened before `oldest` have ended. */
export type Limits = { readonly idle: Date; readonly oldest: Date };
export const limitsNow = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Limits => ({
  idle: fromNow(clock, -config.sessionIdleHours * HOUR_MS),
  oldest: fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS),
});
export const isOpen = ({ idle, oldest }: Limits) =>
  sql<boolean>`(sessions.last_seen_at > ${idle} and sessions.created_at > ${oldest})`;
