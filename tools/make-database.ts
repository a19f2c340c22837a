// Makes the empty database that first starts copy, unless there is one of today's engine and migrations.
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
  // Whoever runs the portal may be another user than whoever has built it.
  setModes(part, 0o755, 0o644);
  // Another build may have been quicker.
  if (existsSync(folder)) rmSync(part, { recursive: true });
  else renameSync(part, folder);
}
for (const name of readdirSync(EMPTY_DATABASES)) {
  const other = path.join(EMPTY_DATABASES, name);
  if (other === folder || name.includes('.')) continue;
  // Half of one is not to stand under its name.
  renameSync(other, `${other}.old`);
  rmSync(`${other}.old`, { recursive: true });
}
