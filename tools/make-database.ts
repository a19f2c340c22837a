// Makes the empty database that first starts begin with, unless there is one of today's engine and migrations.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { overPGlite } from '#server/db/connect.ts';
import { EMPTY_DATABASES, emptyDatabase } from '#server/db/empty.ts';
import { migrate } from '#server/db/migrate.ts';

const folder = emptyDatabase();
if (!existsSync(folder)) {
  rmSync(EMPTY_DATABASES, { recursive: true, force: true });
  mkdirSync(EMPTY_DATABASES, { recursive: true });
  const part = `${folder}.${process.pid}`;
  const database = overPGlite(await PGlite.create(part));
  await migrate(database);
  await database.close();
  // Whoever runs the portal may be another user than whoever has built it.
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true }))
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  chmodSync(part, 0o755);
  renameSync(part, folder);
}
