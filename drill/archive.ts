import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '#server/testing/ports.ts';
import { findPrograms, unprivilegedUser } from '#tools/postgres.ts';
import { startProgram, until } from './processes.ts';

const settings = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '128MB',
  wal_level: 'replica',
};

/** Whether the programs of a database with an archive are installed. */
export const canArchive = () => programs() !== undefined;
const programs = () => findPrograms(['initdb', 'postgres', 'pg_basebackup']);

/** A PostgreSQL that archives its WAL, so that it can be restored to any moment. */
export async function startArchiving(folder: string) {
  const binaries = programs();
  if (!binaries) throw new Error('PostgreSQL is not installed');
  const as = unprivilegedUser();
  const place = (name: string) => path.join(folder, name);
  for (const name of ['.', 'data', 'base', 'archive']) {
    mkdirSync(place(name), { recursive: true, mode: 0o700 });
    if (as) chownSync(place(name), as.uid, as.gid);
  }
  const run = (program: string, ...args: string[]) => {
    const { status, error, stderr } = spawnSync(path.join(binaries, program), args, {
      ...as,
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim()}`);
  };

  const serve = async (name: string, more: Record<string, string>) => {
    const port = await freePort();
    const all = { ...settings, ...more, port: String(port), unix_socket_directories: folder };
    const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const program = startProgram(name, [path.join(binaries, 'postgres'), '-D', place(name), ...flags], {
      cwd: folder,
      log: place('log'),
      as,
    });
    const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
    const ask = async (text: string) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    };
    await until(`PostgreSQL takes writes, see ${place('log')}`, 120_000, () =>
      ask('select pg_is_in_recovery() as recovering').then(
        ([row]) => row?.['recovering'] === false,
        () => false,
      ),
    );
    return { program, ask, url: urlOf('portico') };
  };

  run('initdb', '-D', place('data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const primary = await serve('data', {
    archive_mode: 'on',
    archive_command: `test ! -f ${place('archive')}/%f && cp %p ${place('archive')}/%f`,
  });
  await primary.ask('create database portico');
  let restored: typeof primary | undefined;
  return {
    url: primary.url,
    /** Creates a second, empty database on it. */
    async empty() {
      await primary.ask('create database fresh');
      return primary.url.replace(/portico$/, 'fresh');
    },
    /** Takes the base backup for the recovery. */
    copy: () => run('pg_basebackup', '-D', place('base'), '-d', primary.url, '-c', 'fast', '-X', 'none'),
    /** The database's own time. */
    now: async () => String((await primary.ask('select clock_timestamp()::text as now'))[0]?.['now']),
    /** Stops the database and starts another one from the base backup and the archive, as of `moment`. */
    async recover(moment: string) {
      await primary.ask('select pg_switch_wal()');
      // A regular shutdown archives the rest of the WAL.
      await primary.program.end('SIGINT');
      writeFileSync(path.join(place('base'), 'recovery.signal'), '');
      restored = await serve('base', {
        restore_command: `cp ${place('archive')}/%f %p`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      });
      return restored.url;
    },
    async stop() {
      for (const one of [primary, restored]) await one?.program.end('SIGQUIT');
    },
  };
}
