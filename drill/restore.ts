// Backs a used site up, restores it on an empty machine, and checks that people find everything again.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { chainOf } from '#server/activity/rules.ts';
import { DAY_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { operate } from '#tools/operator/command.ts';
import { startArchiving } from './archive.ts';
import { brokenInvariants } from './invariants.ts';
import { signInCall } from './load.ts';
import { withDeps, populate } from './people.ts';
import type { Picture } from './pictures.ts';
import { databaseProgramsFolder } from './postgres.ts';
import { portico } from './processes.ts';
import { type Drill, joinParts, type Part, type Scenario } from './scenario.ts';
import { cookieFrom, wireTo } from './wire.ts';

type Environment = Readonly<Record<string, string>>;
const PEOPLE_EACH = 100;
const GOAL_SECONDS = 300;
const PICTURES = 200;

const withTime = async <T>(run: () => Promise<T>) => {
  const began = performance.now();
  const result = await run();
  return { result, seconds: (performance.now() - began) / 1000 };
};

/** Runs an operator's command; throws with its output if it fails. */
async function runOperator(environment: Environment, ...args: string[]) {
  const { code, out, errors } = await operate(args, { ...environment });
  if (code !== 0) throw new Error(`operator ${args[0]}: ${errors}${out}`);
}

/** Adds people with a log, links, mails and pictures, which a backup has to restore. */
async function fill(deps: Deps, organizations: number) {
  const people = await populate(deps, organizations, PEOPLE_EACH);
  for (const part of Map.groupBy(people, ({ orgId }) => orgId).values())
    await transaction(deps.sql, async (tx) => {
      for (const { id, orgId } of part)
        await recordActivity(tx, deps, 'organization.profileInformation.update', {
          orgId,
          userId: id,
          recordId: id,
          information: { first_name: ['', 'Ann'] },
        });
    });
  await transaction(deps.sql, async (tx) => {
    const mail = { kind: 'mail', payload: {} };
    await enqueue(tx, deps, mail);
    await tx.updateTable('jobs').set({ done_at: deps.clock.now() }).execute();
    await enqueue(tx, deps, mail);
    for (const { id: userId } of people.slice(0, 2))
      for (const subject of ['ends with the next', 'open'])
        await issueToken(tx, deps, { purpose: 'reset-password', userId, subject, lifeMs: DAY_MS });
  });
  const background = { r: 90, g: 60, b: 200 };
  const bytes = await sharp({ create: { width: 512, height: 512, channels: 3, background } })
    .png()
    .toBuffer();
  const pictures: Picture[] = [];
  for (const person of people.slice(0, PICTURES)) {
    const fileId = randomBytes(32).toString('base64url') as FileId;
    await deps.storage.put(fileId, bytes);
    await deps.sql
      .insertInto('pictures')
      .values({ user_id: person.id, file_id: fileId, media_type: 'image/png', created_at: deps.clock.now() })
      .execute();
    pictures.push({ person, fileId });
  }
  return { people, pictures };
}

/** The rows of a table that a restore must return unchanged, up to a row of the log; by default all. */
const restoredRows = (name: string, last: number) =>
  ({
    activity: sql`select * from activity where id <= ${last}`,
    // Backups and restores add rows to the operator's chain.
    activity_chains: sql`select * from activity_chains where chain <> ${chainOf(null, OPERATOR_ID)}`,
    jobs: sql`select * from jobs where done_at is not null`,
    one_time_tokens: sql`select to_jsonb(one_time_tokens) - 'used_at' from one_time_tokens`,
    // Answered challenges of the past are one mark.
    passkey_challenges: sql`select null where false`,
    sessions: sql`select null where false`,
  })[name] ?? sql`select * from ${sql.table(name)}`;

async function prints({ sql: database }: Deps, last: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(database);
  const words: string[] = [];
  for (const { name } of rows) {
    const each = await transaction(database, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      return sql<{ print: string }>`
        select count(*) || ' ' || coalesce(sum(('x' || substr(md5(row::text), 1, 15))::bit(60)::bigint), 0) as print
        from (${restoredRows(name, last)}) as row`.execute(tx);
    });
    words.push(`${name} ${each.rows[0]?.print}`);
  }
  return words;
}

interface State {
  readonly last: number;
  readonly prints: readonly string[];
}

async function stateOf(deps: Deps): Promise<State> {
  const log = deps.sql.selectFrom('activity').select(({ fn }) => fn.max('id').as('last'));
  const { last } = await log.executeTakeFirstOrThrow();
  return { last, prints: await prints(deps, last) };
}

async function differences(deps: Deps, was: State): Promise<string[]> {
  const now = await prints(deps, was.last);
  const changedTables = now.filter((print, nth) => print !== was.prints[nth]);
  // Everything that was open at the backup must be closed.
  const { rows: open } = await sql<{ what: string }>`
    select 'a session' as what from sessions
    union select 'a link' from one_time_tokens where used_at is null
    union select 'a mail' from jobs where done_at is null`.execute(deps.sql);
  return [
    ...(now.length === was.prints.length ? [] : ['there are other tables']),
    ...changedTables.map((print) => `rows of ${print.split(' ', 1)[0]} differ`),
    ...open.map(({ what }) => `${what} is open still`),
  ];
}

/** People sign in with their password, not with an old session, and see their colleagues' pictures. */
async function brokenProcess(folder: string, environment: Environment, pictures: readonly Picture[]) {
  const portal = await portico(folder, environment);
  portal.launch();
  const breaches: string[] = [];
  try {
    await portal.ready();
    const wire = wireTo(portal.url, { host: new URL(environment['PUBLIC_URL'] ?? '').host });
    for (const colleaguesPictures of Map.groupBy(pictures, ({ person }) => person.orgId).values())
      for (const { person } of colleaguesPictures.slice(0, 1)) {
        const { status: old } = await wire.ask({ method: 'GET', path: '/api/orgs', cookie: person.cookie });
        if (old !== 401) breaches.push(`a session of before was ${old}`);
        const signIn = await wire.ask(signInCall(person));
        if (signIn.status !== 200) breaches.push(`signing in was ${signIn.status}`);
        const cookie = `portico=${cookieFrom(signIn, 'portico')}`;
        for (const { fileId } of colleaguesPictures) {
          const picture = await wire.ask({ method: 'GET', path: `/drive/profile?file_id=${fileId}`, cookie });
          if (picture.status !== 200) breaches.push(`a picture was ${picture.status}`);
        }
      }
    wire.close();
    return breaches;
  } finally {
    await portal.program().end();
  }
}

async function backAndForth(drill: Drill, engine: string, here: Environment, there: Environment) {
  const people = drill.rounds(10_000, 100_000);
  const original = await withDeps(here, async (deps) => ({
    ...(await fill(deps, Math.ceil(people / PEOPLE_EACH))),
    state: await stateOf(deps),
  }));
  const file = path.join(drill.folder(`backup-${engine}`), 'backup.tar.gz');
  const backup = await withTime(() => runOperator(here, 'backup', file));
  const restore = await withTime(() => runOperator(there, 'restore', file));
  const verify = await withTime(() => runOperator(there, 'verify'));
  const breaches = await withDeps(there, async (deps) => [
    ...(await brokenInvariants(deps)),
    ...(await differences(deps, original.state)),
  ]);
  breaches.push(...(await brokenProcess(drill.folder(`restored-${engine}`), there, original.pictures)));
  if (restore.seconds > GOAL_SECONDS) breaches.push('too slow');
  const size = `${Math.round(statSync(file).size / 2 ** 20)} MiB`;
  const summary =
    `${engine}: backup ${backup.seconds.toFixed(1)} s (${size}), ` +
    `restore ${restore.seconds.toFixed(1)} s, verify ${verify.seconds.toFixed(1)} s`;
  return { breaches, summary };
}

async function toTheMoment(drill: Drill, environment: Environment): Promise<Part> {
  const archiving = await startArchiving(drill.folder('moment'));
  try {
    const here = { ...environment, DATA_DIR: drill.folder('moment-data'), DATABASE_URL: archiving.url };
    await withDeps(here, (deps) => fill(deps, 10));
    archiving.copy();
    const expectedState = await withDeps(here, async (deps) => {
      await fill(deps, 5);
      return stateOf(deps);
    });
    const moment = await archiving.now();
    await withDeps(here, async (deps) => {
      await fill(deps, 5);
      await sql`delete from pictures`.execute(deps.sql);
    });
    const back = await withTime(() => archiving.recover(moment));
    const there = { ...here, DATABASE_URL: back.result };
    await runOperator(there, 'settle', `the archive at ${moment}`);
    await runOperator(there, 'verify');
    const breaches = await withDeps(there, async (deps) => [
      ...(await brokenInvariants(deps)),
      ...(await differences(deps, expectedState)),
    ]);
    const summary = `PostgreSQL to a point in time: ${back.seconds.toFixed(1)} s`;
    return { breaches, summary };
  } finally {
    await archiving.stop();
  }
}

export const restores: Scenario = {
  ids: ['R16'],
  name: 'A backup is restored',
  needs: 'alone',
  async run(drill) {
    const common = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:3000',
      // Nothing listens there: mails wait.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'portico@northwind.example',
      SECRET_KEY: randomBytes(36).toString('base64url'),
    };
    const at = (name: string, more: Record<string, string> = {}) => ({
      ...common,
      ...more,
      DATA_DIR: drill.folder(name),
    });
    const parts = [await backAndForth(drill, 'embedded', at('embedded-here'), at('embedded-there'))];
    if (!databaseProgramsFolder()) {
      drill.leftOut('PostgreSQL, which is not installed');
      return joinParts(parts);
    }
    const archiving = await startArchiving(drill.folder('cluster'));
    try {
      const empty = await archiving.empty();
      const here = at('postgres-here', { DATABASE_URL: archiving.url });
      const there = at('postgres-there', { DATABASE_URL: empty });
      parts.push(await backAndForth(drill, 'PostgreSQL', here, there));
    } finally {
      await archiving.stop();
    }
    return joinParts([...parts, await toTheMoment(drill, common)]);
  },
};
