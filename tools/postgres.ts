// A throw-away PostgreSQL for tests, if its programs are installed. Standalone: `node tools/postgres.ts npx
// vitest --project postgres` runs a command with TEST_POSTGRES_URL set.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '#server/testing/ports.ts';

export interface Postgres {
  /** Connection string of a superuser on 127.0.0.1. */
  url: string;
  stop: () => Promise<void>;
}

const START_LIMIT_SECONDS = 60;
const LOCALE = process.platform === 'linux' ? 'C.UTF-8' : 'C';
/** A new cluster has one superuser, who needs no password. */
export const INITDB_FLAGS = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${LOCALE}`];

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '16MB',
  fsync: 'off',
  synchronous_commit: 'off',
  // A test that sets synchronous_commit to on waits for a standby that never connects.
  synchronous_standby_names: 'nobody',
  full_page_writes: 'off',
  autovacuum: 'off',
};

// Keeps the server until its standard input closes, which also happens when this process is killed.
const keeper = `
  "$@" >log 2>&1 </dev/null &
  server=$!
  cat >/dev/null
  kill -INT $server 2>/dev/null
  wait $server
  cd / && rm -rf "$FOLDER"
`;

/** Undefined if PostgreSQL is not installed; throws if it does not start. `more` adds settings or replaces them. */
export async function startPostgres(more: Record<string, string> = {}): Promise<Postgres | undefined> {
  const programs = findPrograms();
  if (!programs) return undefined;
  const user = unprivilegedUser();
  // An unprivileged user may not have access to root's own temporary folder.
  const folder = mkdtempSync(path.join(user ? '/tmp' : tmpdir(), 'portico-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder, env: { ...process.env, FOLDER: folder } };

  const initdb = spawnSync(path.join(programs, 'initdb'), ['-D', 'data', ...INITDB_FLAGS, '--no-sync'], {
    ...options,
    encoding: 'utf8',
  });
  if (initdb.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr.trim()}`);
  }

  const port = await freePort();
  const flags = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const command = [path.join(programs, 'postgres'), '-D', 'data', '-p', `${port}`, '-k', folder, ...flags];
  const child = spawn('sh', ['-c', keeper, 'sh', ...command], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate session, so that Ctrl-C reaches the tests first and the database last.
    detached: true,
  });
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const stop = () => stopKeeper(child);
  try {
    await answering(url);
  } catch (error) {
    const log = readFileSync(path.join(folder, 'log'), 'utf8').trim();
    await stop();
    throw new Error(`PostgreSQL did not answer within ${START_LIMIT_SECONDS} s: ${log}`, { cause: error });
  }
  return { url, stop };
}

async function stopKeeper(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}

/** The folder of PostgreSQL's programs: the newest version with all that are needed. */
export function findPrograms(needed = ['initdb', 'postgres']): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...newestFirst.map((version) => path.join(debian, version, 'bin')),
  ];
  return folders.find((folder) => needed.every((name) => existsSync(path.join(folder, name))));
}

/** The user for PostgreSQL, which refuses to run as root; undefined if this process is not root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const users = lines.map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}

async function answering(url: string): Promise<void> {
  const giveUpAt = Date.now() + START_LIMIT_SECONDS * 1000;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await pause(100);
    }
  }
}

if (import.meta.main) {
  const [command, ...args] = process.argv.slice(2);
  if (!command) throw new Error('Name the command to run with TEST_POSTGRES_URL set.');
  const postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL not found.');
  // Ctrl-C reaches the command directly; this process only has to outlive it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, TEST_POSTGRES_URL: postgres.url },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  await postgres.stop();
  process.exitCode = code ?? 1;
}
