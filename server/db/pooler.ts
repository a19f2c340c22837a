import type pg from 'pg';

/** What each connection is asked first. */
export const WHO_ANSWERS = 'select pg_backend_pid() as pid';

/**
 * Whether a connection leads to a process of PostgreSQL, and not to a pooler that may give each transaction another one: a
 * pooler tells of a process that is not the one that answers. Rejects where nobody does.
 */
export async function isDirect(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(WHO_ANSWERS);
  return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID;
}
