import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { sha256 } from '#server/keys.ts';

const modules = path.join(import.meta.dirname, '../../node_modules');
const migrations = path.join(import.meta.dirname, 'migrations');

/** `npm run build` leaves an empty embedded database here; the first start copies it. */
export const EMPTY_DATABASES = path.join(modules, '.cache/portico/empty');

/** The folder of the empty database for the installed engine and these migrations; it may not exist. */
export function emptyDatabase(): string {
  const engine = readFileSync(path.join(modules, '@electric-sql/pglite/package.json'), 'utf8');
  const steps = readdirSync(migrations)
    .toSorted()
    .flatMap((name) => [name, readFileSync(path.join(migrations, name), 'utf8')]);
  return path.join(
    EMPTY_DATABASES,
    sha256([engine, ...steps].join('\0'))
      .toString('hex')
      .slice(0, 16),
  );
}

export function setModes(folder: string, ofFolders: number, ofFiles: number): void {
  chmodSync(folder, ofFolders);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) setModes(inside, ofFolders, ofFiles);
    else chmodSync(inside, ofFiles);
  }
}

/** Built beside its place and renamed, so a kill leaves nothing half made. Without a copy it takes seconds. */
export async function createEmbedded(folder: string, from = emptyDatabase()): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  if (existsSync(from)) {
    cpSync(from, unfinished, { recursive: true });
    // The files of an installation may be readable by all users and read-only.
    setModes(unfinished, 0o700, 0o600);
  } else {
    const { PGlite } = await import('@electric-sql/pglite');
    await (await PGlite.create(unfinished)).close();
  }
  renameSync(unfinished, folder);
}
