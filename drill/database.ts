import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '#server/testing/ports.ts';
import { answering, answers, clientOf, type Node, postgresIn, query, urlOf } from './postgres.ts';
import { until } from './processes.ts';

/** A primary, and a synchronous standby that has every write before it is acknowledged. */
export type DatabasePair = Awaited<ReturnType<typeof startDatabasePair>>;

const settings = {
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

const SYNCHRONOUS_LIMIT_MS = 60_000;

export async function startDatabasePair(folder: string) {
  const postgres = postgresIn(folder);
  const ports: Readonly<Record<string, number>> = { one: await freePort(), two: await freePort() };
  const start = (name: string) => postgres.start(name, ports[name] ?? 0, settings);

  const follow = async (name: string) => {
    const data = path.join(folder, name);
    rmSync(data, { recursive: true, force: true });
    const from = urlOf(primary, 'postgres');
    postgres.run('pg_basebackup', '-D', data, '-d', from, '-R', '-c', 'fast', '-X', 'stream');
    // After its promotion it must not wait for a standby.
    appendFileSync(path.join(data, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    const node = start(name);
    await answering(node);
    // Requests that wait for a standby may use up every connection.
    await until('the primary lets us in', SYNCHRONOUS_LIMIT_MS, () =>
      answers(primary, "alter system set synchronous_standby_names = '*'"),
    );
    await query(primary, 'select pg_reload_conf()');
    await until('the standby is synchronous', SYNCHRONOUS_LIMIT_MS, async () => {
      const { rows } = await query(primary, 'select sync_state from pg_stat_replication');
      return rows.some(({ sync_state }) => sync_state === 'sync');
    });
    return node;
  };

  postgres.initialize('one');
  let primary = start('one');
  await answering(primary);
  await query(primary, 'create database portico');
  let standby = await follow('two');

  return {
    ports: Object.values(ports),
    query: (text: string, values: unknown[] = []) => query(primary, text, values),
    client: async () => {
      const client = clientOf(primary, 'portico');
      await client.connect();
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
    },
    answers: () => answers(primary),
    /** Kills all processes of the primary at once, like a power failure. */
    async killPrimary() {
      signalAll(primary, 'SIGKILL');
      await primary.program.exit;
    },
    promote() {
      postgres.run('pg_ctl', 'promote', '-D', standby.data, '-w');
      [primary, standby] = [standby, primary];
    },
    /** Adds the lost node again as the standby of the new primary. */
    async rejoin() {
      standby = await follow(standby.name);
    },
    /** Like `pg_ctl stop -m immediate`: without a checkpoint, so that its start has to recover. */
    stopImmediately: () => primary.program.end('SIGQUIT'),
    stopPrimary: () => primary.program.end('SIGINT'),
    startPrimary() {
      primary = start(primary.name);
    },
    /** Freezes all processes of the primary, as a swapping machine or a lost network would. */
    freeze: () => signalAll(primary, 'SIGSTOP'),
    thaw: () => signalAll(primary, 'SIGCONT'),
    async stop() {
      await Promise.all([primary, standby].map(({ program }) => program.end('SIGQUIT')));
    },
  };
}

function signalAll({ program: { pid } }: Node, signal: NodeJS.Signals) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const one of [pid, ...children.split(' ').flatMap((child) => Number(child) || [])])
    process.kill(one, signal);
}
