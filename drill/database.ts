import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '#server/testing/ports.ts';
import { findPrograms, unprivilegedUser } from '#tools/postgres.ts';
import { type Program, startProgram, until } from './processes.ts';

/** One of the two PostgreSQL nodes. */
interface Node {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  readonly program: Program;
}

/** A primary, and a synchronous standby that has every write before it is acknowledged. */
export type DatabasePair = Awaited<ReturnType<typeof startDatabasePair>>;

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '128MB',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  // Shortens the reconnection of the standby, because a restarted primary acknowledges nothing until then.
  wal_retrieve_retry_interval: '500ms',
  // Real durability settings, because the drill proves that nothing is lost; speed does not matter.
  fsync: 'on',
  synchronous_commit: 'on',
};

const START_LIMIT_MS = 60_000;

/** The folder with the programs for both nodes; undefined if it is missing. */
export const databaseProgramsFolder = () => findPrograms(['initdb', 'postgres', 'pg_basebackup', 'pg_ctl']);

/** Starts both nodes below a folder, as an unprivileged user if this process is root. */
export async function startDatabasePair(folder: string) {
  const programs = databaseProgramsFolder();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const as = unprivilegedUser();
  if (as) chownSync(folder, as.uid, as.gid);
  const log = path.join(folder, 'log');
  const ports = { one: await freePort(), two: await freePort() };

  const run = (program: string, ...args: string[]) => {
    const result = spawnSync(path.join(programs, program), args, { ...as, cwd: folder, encoding: 'utf8' });
    if (result.status !== 0)
      throw new Error(`${program} failed: ${result.error?.message ?? result.stderr.trim()}`);
  };
  const start = (name: keyof typeof ports): Node => {
    const data = path.join(folder, name);
    const flags = Object.entries({ ...settings, port: String(ports[name]), unix_socket_directories: folder });
    const command = ['-D', data, ...flags.flatMap(([key, value]) => ['-c', `${key}=${value}`])];
    const program = startProgram(name, [path.join(programs, 'postgres'), ...command], {
      cwd: folder,
      log,
      as,
    });
    return { name, port: ports[name], data, program };
  };
  const answering = async (node: Node) => {
    await until(`PostgreSQL ${node.name}: ${readFileSync(log, 'utf8').slice(-500)}`, START_LIMIT_MS, () =>
      query(node, 'select 1').then(
        () => true,
        () => false,
      ),
    );
  };

  /** Starts a standby and waits until writes require it. */
  const startFollowing = async (name: keyof typeof ports) => {
    const node = start(name);
    await answering(node);
    // Requests that wait for a standby may use up every connection.
    await until('the primary lets us in', START_LIMIT_MS, () =>
      query(primary, "alter system set synchronous_standby_names = '*'").then(
        () => true,
        () => false,
      ),
    );
    await query(primary, 'select pg_reload_conf()');
    await until('the standby is synchronous', START_LIMIT_MS, async () => {
      const { rows } = await query(primary, 'select sync_state from pg_stat_replication');
      return rows.some(({ sync_state }) => sync_state === 'sync');
    });
    return node;
  };
  /** Makes a fresh copy of the primary and starts it as the standby. */
  const follow = async (name: keyof typeof ports) => {
    const data = path.join(folder, name);
    rmSync(data, { recursive: true, force: true });
    run('pg_basebackup', '-D', data, '-d', urlOf(primary, 'postgres'), '-R', '-c', 'fast', '-X', 'stream');
    // After its promotion it must not wait for a standby.
    appendFileSync(path.join(data, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    return startFollowing(name);
  };

  mkdirSync(path.join(folder, 'one'), { mode: 0o700 });
  if (as) chownSync(path.join(folder, 'one'), as.uid, as.gid);
  run(
    'initdb',
    '-D',
    path.join(folder, 'one'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  );
  let primary = start('one');
  await answering(primary);
  await query(primary, 'create database portico');
  let standby = await follow('two');

  return {
    ports: Object.values(ports),
    primary: () => primary,
    /** Queries the primary directly. */
    query: (text: string, values: unknown[] = []) => query(primary, text, values),
    /** A separate connection to the primary, closed at the end of the block. */
    client: async () => {
      const client = clientOf(primary, 'portico');
      await client.connect();
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
    },
    /** Whether the primary answers. */
    answers: () =>
      query(primary, 'select 1').then(
        () => true,
        () => false,
      ),
    killPrimary: () => kill(primary),
    /** Writes then wait for it. */
    killStandby: () => kill(standby),
    /** Starts the standby again on its data. */
    async startStandby() {
      standby = await startFollowing(standby.name as keyof typeof ports);
    },
    /** Stops waiting for a standby. Edits the file, because waiting requests may use up every connection. */
    goAlone() {
      appendFileSync(path.join(primary.data, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
      primary.program.signal('SIGHUP');
    },
    /** Promotes the standby. */
    promote() {
      run('pg_ctl', 'promote', '-D', standby.data, '-w');
      [primary, standby] = [standby, primary];
    },
    /** Adds the lost node again as the standby of the new primary. */
    async rejoin() {
      standby = await follow(standby.name as keyof typeof ports);
    },
    /**
     * Stops the primary like `pg_ctl stop -m immediate`: without a checkpoint, so that its start has to
     * recover.
     */
    stopImmediately: () => primary.program.end('SIGQUIT'),
    /** Stops it regularly. */
    stopPrimary: () => primary.program.end('SIGINT'),
    /** Starts it again on its data. */
    startPrimary() {
      primary = start(primary.name as keyof typeof ports);
    },
    /** Freezes all processes of the primary, as a swapping machine or a lost network would. */
    freeze() {
      for (const pid of processesOf(primary)) process.kill(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of processesOf(primary)) process.kill(pid, 'SIGCONT');
    },
    async stop() {
      await Promise.all([primary, standby].map(({ program }) => program.end('SIGQUIT')));
    },
  };
}

const urlOf = ({ port }: Pick<Node, 'port'>, database: string) =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`;

function clientOf(node: Node, database: string) {
  const client = new pg.Client({
    connectionString: urlOf(node, database),
    connectionTimeoutMillis: 1000,
    query_timeout: 5000,
  });
  client.on('error', () => undefined);
  return client;
}

async function query(node: Node, text: string, values: unknown[] = []) {
  const client = clientOf(node, 'postgres');
  try {
    await client.connect();
    return await client.query<Record<string, unknown>>(text, values);
  } finally {
    await client.end();
  }
}

/** Kills all processes of a node at once, like a power failure. */
async function kill(node: Node) {
  for (const pid of processesOf(node)) process.kill(pid, 'SIGKILL');
  await node.program.exit;
}

/** The server's process and its children. */
function processesOf({ program: { pid } }: Node): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').flatMap((child) => Number(child) || [])];
}
