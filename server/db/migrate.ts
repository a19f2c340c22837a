import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

const folder = path.join(import.meta.dirname, 'migrations');
const LOCK = 7_041_776;

/**
 * Brings the database to the newest form: every file of migrations/ not yet applied, in the order of its name,
 * in one transaction under a lock, so processes that start together apply each once. Forward only; a file that
 * changed after it was applied is refused by name.
 */
export async function migrate(database: Database): Promise<string[]> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
  return database.exclusively(async (script) => {
    await script(`select pg_advisory_xact_lock(${LOCK})`);
    await script(`create table if not exists migrations (
      name text constraint migrations_pkey primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const rows = await script('select name, checksum from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const done: string[] = [];
    for (const { name, text } of files) {
      const checksum = sha256(text).toString('hex');
      if (applied.has(name)) {
        if (applied.get(name) !== checksum)
          throw new Error(`migration ${name} was changed after it was applied; add a new file instead`);
        continue;
      }
      await script(text);
      await script(`insert into migrations (name, checksum) values ('${name}', '${checksum}')`);
      done.push(name);
    }
    return done;
  });
}
