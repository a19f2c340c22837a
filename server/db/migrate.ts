import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#server/clock.ts';
import type { Database, DatabaseRow } from './connect.ts';
import { sha256 } from '#server/keys.ts';
import { release } from '#server/local-address.ts';

const ownFolder = path.join(import.meta.dirname, 'migrations');
const LOCK = 7_041_776;
/** Queries queue behind it meanwhile, for a second at most (connect.ts). It also bounds deadlocks. */
const LOCK_TIMEOUT_MS = 100;
const TRIES = 80;
const LOCK_NOT_AVAILABLE = '55P03';
const DUPLICATE_TABLE = '42P07';

/** The tables are of a release that does not fit this one. Only an operator can help. */
export class WrongMigrations extends Error {}
/** Something holds the tables for now. */
export class TablesHeld extends Error {}

type File = { readonly name: string; readonly text: string };
type Script = (text: string) => Promise<DatabaseRow[]>;

/** Applies new files in one transaction under a lock; refuses changed ones. Retries for a locked table (docs/migrations.md). */
export async function migrate(database: Database, folder = ownFolder): Promise<string[]> {
  const files = filesIn(folder);
  for (let tries = 1; ; tries += 1)
    try {
      return await database.exclusively((script) => applyAll(script, files));
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string };
      if (code === DUPLICATE_TABLE)
        throw new WrongMigrations(
          `the database holds tables that this product did not make (${message}): take an empty one`,
        );
      if (code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES)
        throw new TablesHeld(
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

/** The note of a backup about this release's tables, so that another release can refuse it before it unpacks anything. */
export const ownMigrations = (): Required<Applied>[] =>
  filesIn(ownFolder).map(({ name, text }) => ({
    name,
    checksum: checksumOf(text),
    needs: neededBy(text) ?? null,
    release,
  }));
/** Throws WrongMigrations if this release cannot bring such tables forward. */
export const refuseForeign = (applied: readonly Applied[]): void =>
  void missingFiles(applied, filesIn(ownFolder));

/** Changes nothing. Throws WrongMigrations if this release cannot read it; a sentence if a newer release migrated it. */
export function compareRelease(database: Database, folder = ownFolder): Promise<string | undefined> {
  const files = filesIn(folder);
  return database.exclusively(async (script) => {
    const [table] = await script(`select to_regclass('migrations') as name`);
    const applied = table?.['name'] ? await appliedIn(script) : [];
    const [missing] = missingFiles(applied, files);
    if (missing)
      throw new WrongMigrations(
        `the database is of an older release: it lacks ${missing.name}, and looking things up changes nothing. Take the commands of that release, or start the portal of this one first`,
      );
    return applied.length > files.length
      ? 'The database is of a newer release: these commands may not show everything in it.'
      : undefined;
  });
}

/** A migration that a database knows. Earlier releases noted less. */
export type Applied = {
  readonly name: string;
  readonly checksum: string;
  readonly needs?: string | null;
  readonly release?: string | null;
};
const appliedIn = async (script: Script) => (await script('select * from migrations')) as Applied[];

/** The files that are not applied yet; refuses a file that changed, and a database that is ahead. */
function missingFiles(applied: readonly Applied[], files: readonly File[]): File[] {
  refuseIncompatible(applied, files);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing = files.filter(({ name }) => !checksums.has(name));
  const changed = files.find(
    ({ name, text }) => checksums.has(name) && checksums.get(name) !== checksumOf(text),
  );
  const unknown = applied.find(({ name }) => !files.some((file) => file.name === name));
  const foreign = changed ?? (missing.length > 0 ? unknown : undefined);
  if (foreign) throw otherRelease(foreign.name, applied);
  return missing;
}
function otherRelease(name: string, applied: readonly Applied[]) {
  const maker = applied.find((one) => one.name === name)?.release;
  return new WrongMigrations(
    `the database is of ${maker ? `release ${maker}` : 'an earlier release'}, whose ${name} this one (${release}) can’t read. Start that release again, or give this one an empty database`,
  );
}
const checksumOf = (text: string) => sha256(text).toString('hex');

async function applyAll(script: Script, files: readonly File[]): Promise<string[]> {
  await script(`select pg_advisory_xact_lock(${LOCK})`);
  await script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await script(`create table if not exists migrations (
    name text constraint migrations_pkey primary key, checksum text not null, needs text, release text,
    applied_at timestamptz not null default now())`);
  const names: string[] = [];
  for (const { name, text } of missingFiles(await appliedIn(script), files)) {
    await script(text);
    await script(`insert into migrations (name, checksum, needs, release)
      values ('${name}', '${checksumOf(text)}', nullif('${neededBy(text) ?? ''}', ''), '${release}')`);
    names.push(name);
  }
  return names;
}

/** The number of the migration that a process must know to run after this file: its line `-- needs 0016`. */
export const neededBy = (text: string): string | undefined => /^-- needs (\d{4})\b/m.exec(text)?.[1];

function refuseIncompatible(applied: readonly Applied[], files: readonly File[]) {
  const newest = files.at(-1)?.name ?? '';
  const tooNew = applied.find(({ needs }) => needs && needs > newest.slice(0, 4));
  if (tooNew)
    throw new WrongMigrations(
      `the database is ahead of this release: ${tooNew.name} is for those that know ${tooNew.needs}, and this one ends with ${newest}. Start a newer one`,
    );
}
