import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { type Postgres, startPostgres } from '#tools/postgres.ts';

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The bounds of a figure; `isMissed` if docs/performance.md explains why it is out of them. */
export type Goal = { readonly atLeast?: number; readonly atMost?: number; readonly isMissed?: true };

const misses: string[] = [];
/** ✓ if the goal is reached, else the goal itself. */
export function markOf(what: string, value: number, goal: Goal | undefined): string {
  if (!goal) return '';
  const { atLeast = 0, atMost = Infinity, isMissed = false } = goal;
  if (value >= atLeast && value <= atMost) return ' ✓';
  if (!isMissed) misses.push(what);
  return ` (of ${goal.atLeast ?? goal.atMost})`;
}

/** Prints the goals that were missed without an explanation; returns their number. */
export function goalsMissed(): number {
  for (const what of misses) console.error(`Missed: ${what}`);
  return misses.length;
}

/** Makes a PostgreSQL with large buffers the database of all test apps. Throws if the disk is too small. */
export async function startRoomyPostgres(bytesNeeded: number): Promise<Postgres> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < bytesNeeded)
    throw new Error(`${tmpdir()} has ${inGiB(bavail * bsize)} left; this takes about ${inGiB(bytesNeeded)}.`);
  const postgres = await startPostgres({
    shared_buffers: '512MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '4GB',
    autovacuum: 'on',
  });
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  process.env['TEST_ENGINE'] = 'postgres';
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  return postgres;
}

const inGiB = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

export async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
