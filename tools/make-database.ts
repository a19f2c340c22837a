// Makes the empty database that first starts copy, unless one exists for this engine and these migrations.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { overPGlite } from '#server/db/connect.ts';
import { EMPTY_DATABASES, emptyDatabase, setModes } from '#server/db/empty.ts';
import { migrate } from '#server/db/migrate.ts';

const folder = emptyDatabase();
if (!existsSync(folder)) {
  mkdirSync(EMPTY_DATABASES, { recursive: true });
  const part = `${folder}.${process.pid}`;
  const database = overPGlite(await PGlite.create(part));
  await migrate(database);
  await database.close();
  // The portal may run as another user than the build.
  setModes(part, 0o755, 0o644);
  // Another build may have finished first.
  if (existsSync(folder)) rmSync(part, { recursive: true });
  else renameSync(part, folder);
}
for (const name of readdirSync(EMPTY_DATABASES)) {
  const other = path.join(EMPTY_DATABASES, name);
  if (other === folder || name.includes('.')) continue;
  // Rename first, so that a partly deleted database never has a valid name.
  renameSync(other, `${other}.old`);
  rmSync(`${other}.old`, { recursive: true });
}
