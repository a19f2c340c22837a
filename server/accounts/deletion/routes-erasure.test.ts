import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { eraseDueAccounts } from './jobs.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { company } from '#server/testing/company.ts';
import { storedFiles } from '#server/testing/icons.ts';
import { brokenInvariants } from '#server/testing/invariants.ts';
import {
  colleague,
  confirmed,
  deactivate,
  founder,
  idOf,
  invited,
  mailedDigest,
  newEmail,
  signedUp,
} from '#server/testing/people.ts';
import { deleteRows, listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

/** Every row of the database as text. */
async function databaseText(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public'`.execute(app.deps.sql);
  const texts = rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(app.deps.sql));
  return JSON.stringify((await Promise.all(texts)).map((table) => table.rows));
}
const exists = async ({ id }: { id: number }) =>
  (await app.deps.sql
    .selectFrom('users')
    .select('id')
    .where('id', '=', id as UserId)
    .executeTakeFirst()) !== undefined;
const organizations = () => listRows(app, 'organizations', ['id']);
const activity = () => app.deps.sql.selectFrom('activity').selectAll().orderBy('id').execute();
/** Runs the jobs that are due, as the job loop would. */
const runJobs = () => app.mails();

describe('erasure is exact to the second', () => {
  test.each([
    ['a second less than 60 days', 60 * DAY_MS - SECOND_MS, true],
    ['60 days', 60 * DAY_MS, false],
  ])('after %s the account exists: %s', async (_when, ms, isKept) => {
    const person = await founder(app);
    await deactivate(app, person);
    const digest = await mailedDigest(app, person.email);
    app.clock.forward(ms);
    await runJobs();
    expect(await exists(person)).toBe(isKept);
    const answer = await app.visitor().post('/api/restoreaccount', { digest });
    expect(answer.code).toBe(isKept ? undefined : 'digest_invalid');
    await runJobs();
    expect(await exists(person)).toBe(isKept);
  });
});

test('an erasure removes everything of the person and of their own organization, and the log still verifies', async () => {
  const email = newEmail('unmistakable');
  const person = await signedUp(app, email);
  responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  const own = responseOf<{ Id: number }>(
    await person.visitor.post('/api/orgs', {
      first_name: 'Perpetua',
      last_name: 'Quillfeather',
      country_name: 'Sweden',
      contact_number: '+46 70 123 45 67',
    }),
  );
  const boss = await founder(app);
  const place = { org_id: boss.orgId, role_id: (await invited(boss)).roleId };
  responseOf(await boss.visitor.post('/api/orgusers', { ...place, first_name: 'Perpetua', email_id: email }));
  const digest = await mailedDigest(app, email);
  responseOf(await person.visitor.post('/api/invitation', { digest, accept: 1 }));
  responseOf(await person.visitor.put('/api/user', { first_name: 'Perpetua', designation: 'Quillmaker' }));
  await app.visitor().post('/api/forgotpassword', { email_id: email });
  await deactivate(app, person, 'because Quillfeather is moving');
  // This mail is never sent and still waits at the erasure.
  await updateRows(
    app,
    'jobs',
    { lane: `mail:${email}` },
    { run_at: new Date(app.clock.now().getTime() + 90 * DAY_MS) },
  );
  const before = await activity();
  expect(await databaseText()).toMatch(/Quillfeather/);
  app.clock.forward(60 * DAY_MS);
  await runJobs();

  expect(await databaseText()).not.toMatch(/Perpetua|Quill|unmistakable|70 123 45/);
  expect((await organizations()).map(({ id }) => id)).not.toContain(own.Id);
  const after = await activity();
  expect(after.slice(0, before.length).map(({ information: _, ...row }) => row)).toEqual(
    before.map(({ information: _, ...row }) => row),
  );
  expect(after.slice(before.length)).toMatchObject([
    {
      user_id: person.id,
      action: ACTION.delete,
      activity_type: ACTIVITY_TYPE.deleteAccount,
      information: {},
    },
    { user_id: person.id, activity_type: ACTIVITY_TYPE.deleteAccount, information: { status: [3, null] } },
  ]);
  for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
  expect(await brokenInvariants(app, boss.orgId as OrgId)).toEqual([]);
  // Rows about other people keep their texts.
  const othersRows = after.filter((row) => row.org_id === boss.orgId && row.record_id !== person.id);
  expect(othersRows.map((row) => row.information)).not.toContainEqual({});

  const newPerson = await signedUp(app, email);
  expect(newPerson.id).not.toBe(person.id);
});

test('an address that was never proven is erased too, although the account gave it up at once', async () => {
  const person = await signedUp(app, newEmail('never-theirs'));
  await deactivate(app, person);
  expect(await databaseText()).toMatch(/never-theirs/);
  app.clock.forward(60 * DAY_MS);
  await runJobs();
  expect(await databaseText()).not.toMatch(/never-theirs/);
});

test('roles and invitations that the person made stay in an organization that goes on', async () => {
  const boss = await founder(app);
  const person = await colleague(app, boss);
  const guest = await invited({ ...person, orgId: boss.orgId });
  const role = responseOf<{ Id: number }>(
    await person.visitor.post('/api/role', { org_id: boss.orgId, role_name: 'Sales' }),
  );
  await deactivate(app, person);
  app.clock.forward(60 * DAY_MS);
  await runJobs();
  expect(await exists(person)).toBe(false);
  expect(await exists({ id: await idOf(app, guest.email) })).toBe(true);
  expect(await listRows(app, 'roles', ['created_by'], { id: role.Id })).toEqual([{ created_by: null }]);
});

describe('a run', () => {
  test('erases many due accounts in batches, and no other account', async () => {
    const org = await company(app);
    await org.join('superAdmin');
    const people = [];
    for (let count = 0; count < 45; count += 1) people.push(await org.join('sales'));
    for (const person of people) await deactivate(app, person);
    await deleteRows(app, 'jobs', { kind: 'erase-accounts' });
    app.clock.forward(DAY_MS);
    const later = await org.join('sales');
    await deactivate(app, later);
    app.clock.forward(59 * DAY_MS);
    await eraseDueAccounts(app.deps);
    await runJobs();
    expect((await Promise.all(people.map(exists))).filter(Boolean)).toEqual([]);
    expect(await exists(later)).toBe(true);
  });

  test('that fails at one account leaves it whole and erases the others; the next run erases it', async () => {
    const org = await company(app);
    const person = await org.join('superAdmin');
    const fileId = await org.icon({ isShown: true });
    const other = await confirmed(app);
    for (const each of [person, other]) await deactivate(app, each);
    app.clock.forward(60 * DAY_MS);
    const { sql: database } = app.deps;
    await sql`create function stop() returns trigger language plpgsql as $$ begin raise 'no power'; end $$`.execute(
      database,
    );
    await sql`create trigger stop before delete on users for each row when (old.id = ${sql.lit(person.id)}) execute function stop()`.execute(
      database,
    );
    await eraseDueAccounts(app.deps);
    expect(app.logLines.join('')).toContain('no power');
    expect([await exists(person), await exists(other)]).toEqual([true, false]);
    expect((await organizations()).map(({ id }) => id)).toContain(org.orgId);
    expect(storedFiles(app)).toContain(fileId);
    await sql`drop trigger stop on users; `.execute(database);
    app.clock.forward(HOUR_MS);
    await eraseDueAccounts(app.deps);
    await runJobs();
    expect(await exists(person)).toBe(false);
    expect(storedFiles(app)).not.toContain(fileId);
  });
});
