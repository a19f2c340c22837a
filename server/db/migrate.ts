import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#server/clock.ts';
import type { Database, Row } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

const ownFolder = path.join(import.meta.dirname, 'migrations');
const LOCK = 7_041_776;
/** Queries queue behind it meanwhile, for a second at most (connect.ts). It also bounds deadlocks. */
const LOCK_TIMEOUT_MS = 100;
const TRIES = 80;

export class WrongMigrations extends Error {}

type File = { readonly name: string; readonly text: string };
type Script = (text: string) => Promise<Row[]>;

/** Applies new files in one transaction under a lock; refuses changed ones. Retries for a locked table (docs/migrations.md). */
export async function migrate(database: Database, folder = ownFolder): Promise<string[]> {
  const files = filesIn(folder);
  for (let tries = 1; ; tries += 1)
    try {
      return await database.exclusively((script) => applyAll(script, files));
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tries === TRIES)
        throw new WrongMigrations(
          'the tables can’t be brought forward while something holds them, such as a backup: start again when it is over',
        );
      await pause(SECOND_MS);
    }
}

const filesIn = (folder: string): File[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));

/** Changes nothing. Throws WrongMigrations if this release cannot read it; a sentence if a newer release migrated it. */
export function compareRelease(database: Database, folder = ownFolder): Promise<string | undefined> {
  const files = filesIn(folder);
  return database.exclusively(async (script) => {
    const [table] = await script(`select to_regclass('migrations') as name`);
    const rows = table?.['name'] ? await appliedRows(script) : [];
    const [missing] = missingFiles(rows, files);
    if (missing)
      throw new WrongMigrations(
        `the database is of an older release: it lacks ${missing.name}, and looking things up changes nothing. Take the commands of that release, or start the portal of this one first`,
      );
    return rows.length > files.length
      ? 'The database is of a newer release: these commands may not show everything in it.'
      : undefined;
  });
}

const appliedRows = (script: Script) => script('select name, checksum, needs from migrations');

/** The files that are not applied yet; refuses a file that changed, and a database that is ahead. */
function missingFiles(rows: readonly Row[], files: readonly File[]): File[] {
  refuseIncompatible(rows, files);
  const applied = new Map(rows.map((row) => [row['name'], row['checksum']]));
  const changed = files.find(({ name, text }) => applied.has(name) && applied.get(name) !== checksumOf(text));
  if (changed)
    throw new WrongMigrations(
      `migration ${changed.name} was changed after it was applied; add a new file instead`,
    );
  return files.filter(({ name }) => !applied.has(name));
}
const checksumOf = (text: string) => sha256(text).toString('hex');

async function applyAll(script: Script, files: readonly File[]): Promise<string[]> {
  await script(`select pg_advisory_xact_lock(${LOCK})`);
  await script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await script(`create table if not exists migrations (
    name text constraint migrations_pkey primary key, checksum text not null, needs text,
    applied_at timestamptz not null default now())`);
  const names: string[] = [];
  for (const { name, text } of missingFiles(await appliedRows(script), files)) {
    await script(text);
    await script(`insert into migrations (name, checksum, needs)
      values ('${name}', '${checksumOf(text)}', nullif('${neededBy(text) ?? ''}', ''))`);
    names.push(name);
  }
  return names;
}

/** The number of the migration that a process must know to run after this file: its line `-- needs 0016`. */
export const neededBy = (text: string): string | undefined => /^-- needs (\d{4})\b/m.exec(text)?.[1];

function refuseIncompatible(rows: readonly Row[], files: readonly File[]) {
  const newest = files.at(-1)?.name ?? '';
  const tooNew = rows.find(({ needs }) => typeof needs === 'string' && needs > newest.slice(0, 4));
  if (tooNew)
    throw new WrongMigrations(
      `the database is ahead of this release: ${String(tooNew['name'])} is for those that know ${String(tooNew['needs'])}, and this one ends with ${newest}. Start a newer one`,
    );
}
