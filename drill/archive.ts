import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '#server/testing/ports.ts';
import { answering, type Node, postgresIn, query, urlOf } from './postgres.ts';

const settings = { shared_buffers: '128MB', wal_level: 'replica' };

/** A PostgreSQL that archives its WAL, so that it can be restored to any moment. */
export async function startArchiving(folder: string) {
  const postgres = postgresIn(folder);
  const [base, archive] = [postgres.makeFolder('base'), postgres.makeFolder('archive')];
  const serve = async (name: string, more: Record<string, string>): Promise<Node> => {
    const node = postgres.start(name, await freePort(), { ...settings, ...more });
    await answering(node, { recovered: true });
    return node;
  };

  postgres.initialize('data');
  const primary = await serve('data', {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  await query(primary, 'create database portico');
  const url = urlOf(primary, 'portico');
  let restored: Node | undefined;
  return {
    url,
    async empty() {
      await query(primary, 'create database fresh');
      return urlOf(primary, 'fresh');
    },
    copy: () => postgres.run('pg_basebackup', '-D', base, '-d', url, '-c', 'fast', '-X', 'none'),
    now: async () => String((await query(primary, 'select clock_timestamp()::text as now')).rows[0]?.['now']),
    /** Stops the database and starts another one from the base backup and the archive, as of `moment`. */
    async recover(moment: string) {
      await query(primary, 'select pg_switch_wal()');
      // A regular shutdown archives the rest of the WAL.
      await primary.program.end('SIGINT');
      writeFileSync(path.join(base, 'recovery.signal'), '');
      restored = await serve('base', {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      });
      return urlOf(restored, 'portico');
    },
    async stop() {
      for (const one of [primary, restored]) await one?.program.end('SIGQUIT');
    },
  };
}
