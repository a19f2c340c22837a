import type { Deps } from '#server/deps.ts';

const tables = [
  'challenges',
  'passkey_challenges',
  'redirect_codes',
  'remembered_browsers',
  'social_visits',
  'sign_in_waits',
  'processes',
] as const;

/** A sweep for each table whose rows serve no more once they have expired. */
export const deletingExpired = tables.map(
  (table) =>
    ({ sql, clock }: Pick<Deps, 'sql' | 'clock'>) =>
      sql.deleteFrom(table).where('expires_at', '<=', clock.now()).execute(),
);
