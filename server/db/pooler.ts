import type pg from 'pg';

export const BACKEND_PID = 'select pg_backend_pid() as pid';

/** Behind a pooler, which may give each transaction another process, the announced pid differs. Rejects if nobody answers. */
export async function isDirect(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(BACKEND_PID);
  return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID;
}
