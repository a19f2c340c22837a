import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findPrograms, INITDB_FLAGS, unprivilegedUser } from '#tools/postgres.ts';
import { type Program, startProgram, until } from './processes.ts';

export interface Node {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  readonly program: Program;
}

const START_LIMIT_MS = 120_000;

/** The folder with PostgreSQL's programs; undefined if one is missing. */
export const databaseProgramsFolder = () => findPrograms(['initdb', 'postgres', 'pg_basebackup', 'pg_ctl']);

/** Runs PostgreSQL's programs in a folder, as an unprivileged user if this process is root. */
export function postgresIn(folder: string) {
  const programs = databaseProgramsFolder();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const as = unprivilegedUser();
  const log = path.join(folder, 'log');
  const makeFolder = (name: string) => {
    const made = path.join(folder, name);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    if (as) chownSync(made, as.uid, as.gid);
    return made;
  };
  const run = (program: string, ...args: string[]) => {
    const result = spawnSync(path.join(programs, program), args, { ...as, cwd: folder, encoding: 'utf8' });
    if (result.status !== 0)
      throw new Error(`${program} failed: ${result.error?.message ?? result.stderr.trim()}`);
  };
  makeFolder('.');
  return {
    makeFolder,
    run,
    initialize: (name: string) => run('initdb', '-D', makeFolder(name), ...INITDB_FLAGS),
    start(name: string, port: number, settings: Readonly<Record<string, string>>): Node {
      const data = path.join(folder, name);
      const all = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings };
      const flags = Object.entries({ ...all, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
      const command = [path.join(programs, 'postgres'), '-D', data, ...flags];
      return { name, port, data, program: startProgram(name, command, { cwd: folder, log, as }) };
    },
  };
}

export const urlOf = ({ port }: Pick<Node, 'port'>, database: string) =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`;

export function clientOf(node: Node, database: string) {
  const client = new pg.Client({
    connectionString: urlOf(node, database),
    connectionTimeoutMillis: 1000,
    query_timeout: 5000,
  });
  client.on('error', () => undefined);
  return client;
}

export async function query(node: Node, text: string, values: unknown[] = []) {
  const client = clientOf(node, 'postgres');
  try {
    await client.connect();
    return await client.query<Record<string, unknown>>(text, values);
  } finally {
    await client.end();
  }
}

export const answers = (node: Node, text = 'select 1') =>
  query(node, text).then(
    () => true,
    () => false,
  );

/** Waits until the node answers; with `recovered`, until it also takes writes. */
export const answering = (node: Node, { recovered = false } = {}) =>
  until(`PostgreSQL ${node.name} answers`, START_LIMIT_MS, () =>
    query(node, 'select pg_is_in_recovery() as recovering').then(
      ({ rows }) => !recovered || rows[0]?.['recovering'] === false,
      () => false,
    ),
  );
