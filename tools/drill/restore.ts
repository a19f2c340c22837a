import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { FileId } from '#contract/area-wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { operate } from '../operator/commands.ts';
import { canArchive, startArchiving } from './archive.ts';
import { brokenInvariants } from './invariants.ts';
import { signInCall } from './load.ts';
import { opened, type Person, populate } from './people.ts';
import { portico } from './processes.ts';
import { type Drill, type Figure, type Scenario, unless } from './scenario.ts';
import { wireTo } from './wire.ts';

type Environment = Readonly<Record<string, string>>;
const PEOPLE_EACH = 100;
const GOAL_SECONDS = 300;
const pictures = 200;

const timed = async <T>(run: () => Promise<T>) => {
  const began = performance.now();
  const result = await run();
  return { result, took: (performance.now() - began) / 1000 };
};

/** Runs an operator's command as it is typed; throws with what it says when it fails. */
async function operated(environment: Environment, ...args: string[]) {
  const { code, out, errors } = await operate(args, { ...environment });
  if (code !== 0) throw new Error(`operator ${args[0]}: ${errors}${out}`);
}

/** People with a log and pictures: what a backup has to bring back. */
async function fill(deps: Deps, organizations: number): Promise<Person[]> {
  const people = await populate(deps, organizations, PEOPLE_EACH);
  for (const part of Map.groupBy(people, ({ orgId }) => orgId).values())
    await transaction(deps.sql, async (tx) => {
      for (const { id, orgId } of part.filter((_, nth) => nth % 10 === 0))
        await recordActivity(tx, deps, {
          orgId,
          userId: id,
          recordId: id,
          module: MODULE.profile,
          type: ACTIVITY_TYPE.profileInformation,
          action: ACTION.update,
          information: { first_name: ['', 'Ann'] },
        });
    });
  const background = { r: 90, g: 60, b: 200 };
  const bytes = await sharp({ create: { width: 512, height: 512, channels: 3, background } })
    .png()
    .toBuffer();
  for (const { id } of people.slice(0, pictures)) {
    const name = randomBytes(32).toString('base64url') as FileId;
    await deps.storage.put(name, bytes);
    await deps.sql
      .insertInto('pictures')
      .values({ user_id: id, file_id: name, media_type: 'image/png', created_at: deps.clock.now() })
      .execute();
  }
  return people;
}

/** A restore ends and notes what is in these; everything else comes back as it was. */
const closed = new Set(['sessions', 'one_time_tokens', 'jobs', 'activity', 'activity_chains', 'migrations']);

/** Each table as one word that tells whether any row differs. */
async function prints({ sql: database }: Deps): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(database);
  const words: string[] = [];
  for (const { name } of rows.filter((row) => !closed.has(row.name))) {
    const each = await transaction(database, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      return sql<{ print: string }>`
        select count(*) || ' ' || coalesce(sum(('x' || substr(md5(row::text), 1, 15))::bit(60)::bigint), 0) as print
        from ${sql.table(name)} as row`.execute(tx);
    });
    words.push(`${name} ${each.rows[0]?.print}`);
  }
  return words.join('; ');
}

/** Whether somebody gets in with their password, and not with a session of before, at a process that was started on it. */
async function brokenDoors(folder: string, environment: Environment, person: Person): Promise<string[]> {
  const one = await portico(folder, environment);
  one.launch();
  try {
    await one.ready();
    const wire = wireTo(one.url, { host: new URL(environment['PUBLIC_URL'] ?? '').host });
    const old = await wire.ask({ method: 'GET', path: '/api/orgs', cookie: person.cookie });
    const { status } = await wire.ask(signInCall(person));
    wire.close();
    return [
      ...(status === 200 ? [] : [`signing in was ${status}`]),
      ...(old.status === 401 ? [] : [`a session of before was ${old.status}`]),
    ];
  } finally {
    await one.program().end();
  }
}

async function backAndForth(drill: Drill, engine: string, here: Environment, there: Environment) {
  const people = drill.rounds(10_000, 100_000);
  const filled = await opened(here, async (deps) => ({
    people: await fill(deps, Math.ceil(people / PEOPLE_EACH)),
    prints: await prints(deps),
  }));
  const file = path.join(drill.folder(`backup-${engine}`), 'backup.tar.gz');
  const backup = await timed(() => operated(here, 'backup', file));
  const restore = await timed(() => operated(there, 'restore', file));
  const verify = await timed(() => operated(there, 'verify'));
  const [person] = filled.people;
  const broken = await opened(there, async (deps) => [
    ...(await brokenInvariants(deps)),
    ...((await prints(deps)) === filled.prints ? [] : ['rows differ from what was backed up']),
  ]);
  if (person) broken.push(...(await brokenDoors(drill.folder(`restored-${engine}`), there, person)));
  if (restore.took > GOAL_SECONDS) broken.push('too slow');
  const size = `${Math.round(statSync(file).size / 2 ** 20)} MiB`;
  const measured =
    `${engine}: ${filled.people.length} people with ${pictures} pictures; backed up in ${backup.took.toFixed(1)} s (${size}), ` +
    `restored in ${restore.took.toFixed(1)} s, the log verified in ${verify.took.toFixed(1)} s; every row as it was, a password and all pictures serve`;
  return drill.figure({ id: 'R16', ...unless(broken, measured) });
}

/** Brings a database back to right before a mishap, by what it handed to its archive. */
async function toTheMoment(drill: Drill, environment: Environment): Promise<Figure> {
  const archiving = await startArchiving(drill.folder('moment'));
  try {
    const here = { ...environment, DATA_DIR: drill.folder('moment-data'), DATABASE_URL: archiving.url };
    await opened(here, (deps) => fill(deps, 10));
    archiving.copy();
    const wanted = await opened(here, async (deps) => {
      await fill(deps, 5);
      return prints(deps);
    });
    const moment = await archiving.now();
    await opened(here, async (deps) => {
      await fill(deps, 5);
      await sql`delete from pictures`.execute(deps.sql);
    });
    const back = await timed(() => archiving.recover(moment));
    const there = { ...here, DATABASE_URL: back.result };
    await operated(there, 'settle', `the archive at ${moment}`);
    await operated(there, 'verify');
    const broken = await opened(there, async (deps) => [
      ...(await brokenInvariants(deps)),
      ...((await prints(deps)) === wanted ? [] : ['rows differ from what they were at the moment']),
    ]);
    const measured = `PostgreSQL from a copy and its archive, to the moment before a mishap: ${back.took.toFixed(1)} s; every row as it was then`;
    return drill.figure({ id: 'R16', ...unless(broken, measured), stretched: broken.length === 0 });
  } finally {
    await archiving.stop();
  }
}

const restores: Scenario = {
  ids: ['R16'],
  name: 'A backup is restored',
  needs: 'alone',
  async run(drill) {
    const common = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:3000',
      SECRET_KEY: randomBytes(36).toString('base64url'),
    };
    const at = (name: string, more: Record<string, string> = {}) => ({
      ...common,
      ...more,
      DATA_DIR: drill.folder(name),
    });
    const figures = [await backAndForth(drill, 'embedded', at('embedded-here'), at('embedded-there'))];
    if (!canArchive()) {
      drill.say('PostgreSQL is not installed: restored on the embedded database only');
      return figures;
    }
    const archiving = await startArchiving(drill.folder('cluster'));
    try {
      const empty = await archiving.empty();
      const here = at('postgres-here', { DATABASE_URL: archiving.url });
      const there = at('postgres-there', { DATABASE_URL: empty });
      figures.push(await backAndForth(drill, 'PostgreSQL', here, there));
    } finally {
      await archiving.stop();
    }
    return [...figures, await toTheMoment(drill, common)];
  },
};

export const restoring: readonly Scenario[] = [restores];
