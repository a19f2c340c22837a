// Makes a backup of a site in one file and brings a site back from it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, copyFile, mkdir, opendir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { WIRE_NAME } from '#contract/limits.ts';
import type { Config } from '#server/config.ts';
import { DAY_MS } from '#server/clock.ts';
import { openPostgres } from '#server/db/connect.ts';
import { lockFolder } from '#server/db/lock.ts';
import { ownMigrations, refuseForeign } from '#server/db/migrate.ts';
import { openKeys } from '#server/keys.ts';
import { plainly } from './here.ts';
import { Plain } from './plain.ts';
import type { Site } from './site.ts';

const note = z.object({
  product: z.literal(WIRE_NAME),
  engine: z.enum(['pglite', 'postgres']),
  madeAt: z.string(),
  keyId: z.string(),
  holds: z.array(z.string()),
  migrations: z.array(
    z.object({
      name: z.string(),
      checksum: z.string(),
      needs: z.nullable(z.string()),
      release: z.nullable(z.string()),
    }),
  ),
});
const NOTE = `${WIRE_NAME}.json`;
const DUMP = 'database.dump';
/** The contents of the data folder besides the embedded database; images may be elsewhere. */
const beside = ['secret', 'images', 'anchors'] as const;

const engineOf = ({ databaseUrl }: Config) => (databaseUrl ? 'postgres' : 'pglite');
const placeOf = ({ dataDir, storage }: Config, name: (typeof beside)[number]) =>
  name === 'images' && 'folder' in storage ? storage.folder : path.join(dataDir, name);
const isHere = (config: Config, name: (typeof beside)[number]) => {
  if (name === 'images' && !('folder' in config.storage)) return false;
  // A key from the environment does not belong in a file.
  return !(name === 'secret' && config.secretKeys) && existsSync(placeOf(config, name));
};

/** Copies files before and after the database, so that none is missing that the database names. */
export const backUp = ({ config, ask }: Site, file: string) =>
  plainly(async () => {
    if (existsSync(file)) throw new Plain(`${file} is there already: name another file.`);
    refuseUnlessWritable(path.dirname(file));
    if (config.databaseUrl) mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    removeLeftovers(config.dataDir);
    const staging = mkdtempSync(path.join(config.dataDir, 'backing-up-'));
    const part = `${file}.part`;
    try {
      const holds = beside.filter((name) => isHere(config, name));
      const copyFiles = async () => {
        for (const name of holds.filter((one) => one !== 'secret'))
          await copyMissing(placeOf(config, name), path.join(staging, name));
      };
      await copyFiles();
      if (config.databaseUrl)
        await run('pg_dump', ['--format=custom', '--no-owner', '--file', path.join(staging, DUMP)], config);
      else await ask('copy', { folder: path.basename(staging) });
      await copyFiles();
      if (holds.includes('secret')) symlinkSync(placeOf(config, 'secret'), path.join(staging, 'secret'));
      const about: z.output<typeof note> = {
        product: WIRE_NAME,
        engine: engineOf(config),
        madeAt: new Date().toISOString(),
        keyId: openKeys(config)[0].id,
        holds,
        migrations: ownMigrations(),
      };
      writeFileSync(path.join(staging, NOTE), JSON.stringify(about, null, 2));
      writeFileSync(part, '', { mode: 0o600 });
      await run('tar', ['-czhf', part, '-C', staging, '.'], config);
      renameSync(part, file);
    } finally {
      rmSync(staging, { recursive: true });
      rmSync(part, { force: true });
    }
    return ask('backup', { file });
  });

/** Folders of backups that were killed. None takes a day. */
function removeLeftovers(dataDir: string) {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith('backing-up-'))) {
    const place = path.join(dataDir, name);
    if (Date.now() - statSync(place).mtimeMs > DAY_MS) rmSync(place, { recursive: true });
  }
}

function refuseUnlessWritable(folder: string) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new Plain(`${folder} is no folder that this user may write to.`);
  }
}

/** Copies missing files. A file never changes under its name, but may be deleted at any time. */
async function copyMissing(from: string, to: string) {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for await (const { name } of await opendir(from)) {
    const copy = path.join(to, name);
    if (name.endsWith('.part') || existsSync(copy)) continue;
    await copyFile(path.join(from, name), copy, constants.COPYFILE_FICLONE).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
}

export const bringBack = ({ config, ask }: Site, file: string) =>
  plainly(async () => {
    if (!existsSync(file)) throw new Plain(`${file} is not there.`);
    const release = await lockFolder(config.dataDir);
    try {
      await refuseUnlessEmpty(config);
      const fresh = mkdtempSync(path.join(config.dataDir, 'restoring-'));
      try {
        const { holds } = await unpack(config, file, fresh);
        for (const name of beside.filter((one) => holds.includes(one)))
          move(path.join(fresh, name), placeOf(config, name));
        // The database comes last, because the portal ignores the rest without it.
        if (config.databaseUrl) {
          const into = ['--dbname', databaseName(config.databaseUrl), path.join(fresh, DUMP)];
          await run('pg_restore', ['--no-owner', '--single-transaction', ...into], config);
        } else move(path.join(fresh, 'database'), path.join(config.dataDir, 'database'));
      } finally {
        rmSync(fresh, { recursive: true });
      }
    } finally {
      release();
    }
    return ask('restore', { file });
  });

/** A fresh volume is an empty folder. */
const isEmpty = (place: string) => statSync(place).isDirectory() && readdirSync(place).length === 0;

async function refuseUnlessEmpty(config: Config) {
  const there = beside.filter((name) => isHere(config, name)).map((name) => placeOf(config, name));
  const inTheWay = [
    ...there.filter((place) => !isEmpty(place)),
    ...(existsSync(path.join(config.dataDir, 'database')) ? [path.join(config.dataDir, 'database')] : []),
  ];
  if (inTheWay.length > 0)
    throw new Plain(`${inTheWay.join(', ')}: there is an installation already. Take an empty DATA_DIR.`);
  if (!config.databaseUrl) return;
  const database = openPostgres(config.databaseUrl.href, 1);
  try {
    const tables = await database.exclusively((script) =>
      script(`select 1 from pg_tables where schemaname = 'public' limit 1`),
    );
    if (tables.length > 0)
      throw new Plain('The database of DATABASE_URL has tables already. Take an empty one.');
  } finally {
    await database.close();
  }
}

async function unpack(config: Config, file: string, folder: string) {
  await run('tar', ['-xzf', file, '-C', folder], config).catch(() => {
    throw new Plain(`${file} can't be unpacked: it is no backup, or it was cut short.`);
  });
  const text = existsSync(path.join(folder, NOTE)) ? readFileSync(path.join(folder, NOTE), 'utf8') : 'null';
  const parsedNote = note.safeParse(JSON.parse(text));
  if (!parsedNote.success) throw new Plain(`${file} is no backup of this product.`);
  const { engine, holds, keyId, migrations } = parsedNote.data;
  refuseForeign(migrations);
  if (engine !== engineOf(config))
    throw new Plain(
      engine === 'postgres'
        ? 'This backup is of PostgreSQL: set DATABASE_URL to an empty database.'
        : 'This backup is of the embedded database: leave DATABASE_URL out.',
    );
  if (holds.includes('secret') === (config.secretKeys !== null))
    throw new Plain(
      config.secretKeys
        ? 'This backup holds its own secret: leave SECRET_KEY out.'
        : 'This backup was made with a SECRET_KEY: set the same one.',
    );
  if (config.secretKeys && !openKeys(config).some(({ id }) => id === keyId))
    throw new Plain('This backup was made with another SECRET_KEY: set that one.');
  return parsedNote.data;
}

function move(from: string, to: string) {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    // Another disk, or a mount point.
    if (!['EXDEV', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  }
  if (path.basename(to) === 'secret') chmodSync(to, 0o600);
}

const databaseName = ({ pathname }: URL) => decodeURIComponent(pathname.slice(1));

/** PostgreSQL's programs get the connection in the environment, so that no password appears in the process list. */
async function run(program: string, args: readonly string[], { databaseUrl }: Config): Promise<void> {
  const env = {
    ...process.env,
    ...(databaseUrl && {
      PGHOST: databaseUrl.hostname,
      PGPORT: databaseUrl.port || '5432',
      PGUSER: decodeURIComponent(databaseUrl.username),
      PGPASSWORD: decodeURIComponent(databaseUrl.password),
      PGDATABASE: databaseName(databaseUrl),
      PGSSLMODE: databaseUrl.searchParams.get('sslmode') ?? 'prefer',
    }),
  };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Plain(`${program} is not on this machine; it is needed for this.`)
      : error;
  })) as [number | null];
  if (code !== 0) throw new Plain(`${program} failed: ${errors.trim().slice(0, 1000)}`);
}
