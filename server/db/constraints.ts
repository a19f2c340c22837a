import { Refusal, type RefusalName } from '#contract/errors.ts';

const refusals = {
  users_email_key: 'email_id_exist',
  roles_name_key: 'role_already_exists',
} as const satisfies Record<string, RefusalName>;

/** Runs a write and turns a violation of `constraint` into its refusal. */
export async function claim<T, C extends keyof typeof refusals>(
  constraint: C,
  write: Promise<T>,
): Promise<T | Refusal<(typeof refusals)[C]>> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === constraint)
      return new Refusal(refusals[constraint]);
    throw error;
  }
}

/** The driver's message for a query that got no answer in time. */
export const SILENT = 'Query read timeout';
/** Our message for changes that are refused while commits are not answered. */
export const STALLED = 'Commits are not answered';

/** Whether a connection has lost a prepared statement, or the row type of the statement has changed. */
export const isForgotten = (error: Error) =>
  ('code' in error && error.code === '26000') ||
  ('routine' in error && error.routine === 'RevalidateCachedQuery');

/** Whether the database is unreachable or going away; false if the query itself is wrong. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|57P0|53)/.test(code) ||
    // Lock timeout, cancelled, deadlock, serialization failure; and read-only, as a standby is at first.
    ['55P03', '57014', '40P01', '40001', '25006'].includes(code) ||
    [SILENT, STALLED].includes(error.message) ||
    isForgotten(error) ||
    /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|not queryable|PGlite is clos/.test(
      error.message,
    )
  );
}
