import { refuse, type Refusal, type RefusalName } from '#contract/errors.ts';

/** Which refusal a broken constraint means; the database decides, an if-statement only words it earlier. */
const refusals = {
  users_email_key: 'email_id_exist',
  roles_name_key: 'role_already_exists',
} as const satisfies Record<string, RefusalName>;

/** Runs a write whose constraint may refuse it, and turns that break into the refusal it means. */
export async function claim<T, C extends keyof typeof refusals>(
  constraint: C,
  write: Promise<T>,
): Promise<T | Refusal<(typeof refusals)[C]>> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === constraint)
      return refuse(refusals[constraint]);
    throw error;
  }
}

/** What the driver says of a query that nobody answers. */
export const SILENT = 'Query read timeout';
/** What is said to whoever comes after it, while commits are not answered. */
export const STALLED = 'Commits are not answered';

/** Whether an error says that a connection has lost a statement that it was to keep, or that its rows have another form now. */
export const isForgotten = (error: Error) =>
  ('code' in error && error.code === '26000') ||
  ('routine' in error && error.routine === 'RevalidateCachedQuery');

/** Whether an error says that the database can't be reached or is going away, rather than that the query is wrong. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|57P0|53)/.test(code) ||
    // Locked, cancelled, given way to another; and read-only, as a standby is before it takes over.
    ['55P03', '57014', '40P01', '40001', '25006'].includes(code) ||
    [SILENT, STALLED].includes(error.message) ||
    isForgotten(error) ||
    /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|not queryable|PGlite is clos/.test(
      error.message,
    )
  );
}
