import pg from 'pg';

/**
 * Whether PostgreSQL itself answers, and no pooler that may give each transaction another of its connections: a pooler
 * tells of a process that is not the one that answers. Rejects where nobody does.
 */
export async function isDirect(options: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID;
  } finally {
    void client.end();
  }
}
