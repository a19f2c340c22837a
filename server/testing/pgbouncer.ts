import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './ports.ts';
import { findProgram } from './programs.ts';

export const pgBouncer = findProgram('pgbouncer');

/** Fewer than a single process opens without a pooler. */
export const SERVER_CONNECTIONS = 4;
const NOBODY = 65_534;

/**
 * Starts a PgBouncer in transaction mode in front of a PostgreSQL, set up as deploy/pgbouncer.ini;
 * `through` returns a database's URL through it.
 */
export async function startPgBouncer(server: string) {
  if (!pgBouncer) throw new Error('PgBouncer is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-pgbouncer-'));
  const [port, behind] = [await freePort(), new URL(server)];
  const settings = path.join(folder, 'pgbouncer.ini');
  writeFileSync(settings, settingsFor(behind, port));
  // PgBouncer refuses to run as root, and its other user must read the settings.
  chmodSync(folder, 0o755);
  const child = spawn(pgBouncer, [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  let output = '';
  for await (const text of child.stderr.setEncoding('utf8')) {
    output += text;
    if (output.includes('process up')) break;
  }
  if (!output.includes('process up')) throw new Error(`PgBouncer did not start: ${output}`);
  return {
    through: (database: string) => {
      const url = new URL(database);
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}

const settingsFor = ({ hostname, port, username }: URL, own: number) => `
[databases]
* = host=${hostname} port=${port} user=${username} connect_query='set statement_timeout = 3000; set lock_timeout = 1000; set idle_in_transaction_session_timeout = 10000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options
`;
