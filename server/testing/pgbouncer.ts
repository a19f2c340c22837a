import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#server/testing/ports.ts';

/** Where PgBouncer is installed, as Debian packages it too; undefined where it is not. */
export const pgBouncer = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
  .map((folder) => path.join(folder, 'pgbouncer'))
  .find((program) => existsSync(program));

/** Fewer than one process would open by itself. */
export const SERVER_CONNECTIONS = 4;
const NOBODY = 65_534;

/**
 * A PgBouncer in transaction mode before a PostgreSQL, set up as docs/operating.md says; `through` is a database's address
 * by way of it.
 */
export async function startPgBouncer(server: string) {
  if (!pgBouncer) throw new Error('PgBouncer is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-pgbouncer-'));
  const [port, behind] = [await freePort(), new URL(server)];
  const settings = path.join(folder, 'pgbouncer.ini');
  writeFileSync(settings, settingsFor(behind, port));
  // It refuses to run as root, and who it becomes has to get at its settings.
  chmodSync(folder, 0o755);
  const child = spawn(pgBouncer, [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  let told = '';
  for await (const text of child.stderr.setEncoding('utf8')) {
    told += text;
    if (told.includes('process up')) break;
  }
  if (!told.includes('process up')) throw new Error(`PgBouncer did not start: ${told}`);
  return {
    through: (database: string) => {
      const url = new URL(database);
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
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
