import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { brokenInvariants } from './invariants.ts';
import { Ledger } from './ledger.ts';
import type { Delivered } from './ledger-breaches.ts';
import { PASSWORD, type Person, populate } from './people.ts';
import { type Wire, wireTo } from './wire.ts';
import { callFor, newPassword, newStanding, newWrite, type Write } from './writes.ts';

let app: TestApp;
let wire: Wire;
let founder: Person;
let rival: Person;
let member: Person;
let leaver: Person;
let ledger: Ledger;
beforeAll(async () => {
  app = await startApp();
  wire = wireTo(app.url);
});
afterAll(async () => {
  wire.close();
  await app.close();
});
beforeEach(async () => {
  const people = await populate(app.deps, 1, 4, 2);
  [founder, rival, member, leaver] = people as [Person, Person, Person, Person];
  ledger = new Ledger();
});

type Kind = Parameters<typeof newWrite>[0];
/** Asks for it and notes what came of it, or what it is said to have been. */
async function ask(asked: Write, told?: number): Promise<Write> {
  const reply = await wire.ask(callFor(asked));
  ledger.record(asked, { ...reply, status: told ?? reply.status });
  return asked;
}
const write = (kind: Kind, told?: number) => ask(newWrite(kind, founder), told);
/** Makes a role, and asks to remove it; `done` when the portal is asked, too. */
async function remove(told: number, done = true): Promise<string> {
  const role = await write('role');
  const asked = ledger.removal(founder);
  if (!asked) throw new Error('no role stands');
  const { status } = done ? await wire.ask(callFor(asked)) : { status: 200 };
  expect(status).toBe(200);
  ledger.record(asked, { status: told });
  return nameOf(role);
}
/** How the ledger speaks of it. */
function nameOf(asked: Write): string {
  if (asked.kind === 'invitation') return asked.email;
  return 'name' in asked ? asked.name : asked.by.email;
}
const broken = async (delivered?: Delivered) => {
  const evidence = { ledgers: [ledger], ...(delivered && { delivered }) };
  return (await brokenInvariants(app.deps, evidence)).join('\n');
};

test('what was acknowledged and is there breaks nothing, nor does what nobody knows the end of', async () => {
  for (const kind of ['name', 'role', 'name', 'invitation'] as const) await write(kind);
  await write('name', 503);
  await write('role', 0);
  ledger.record(newWrite('role', founder), { status: 503 });
  ledger.record(newWrite('name', founder), { status: 409 });
  expect([ledger.count('acknowledged'), ledger.count('unknown'), ledger.count('refused')]).toEqual([4, 3, 1]);
  expect(await broken()).toBe('');
});

test.for(['name', 'role', 'invitation'] as const)('a lost %s is told', async (kind) => {
  const asked = newWrite(kind, founder);
  ledger.record(asked, { status: 200 });
  expect(await broken()).toMatch(new RegExp(`5: the acknowledged .*${nameOf(asked)}.* is lost`));
});

test.for(['name', 'role', 'invitation'] as const)(
  'a %s that is there although it was refused is told',
  async (kind) => {
    const asked = await write(kind, 422);
    expect(await broken()).toMatch(new RegExp(`5: the refused .*${nameOf(asked)}.* is`));
  },
);

test('what has no known end is there once when it was asked for again, whether it was before or not', async () => {
  await write('role', 503);
  await write('invitation', 0);
  ledger.record(newWrite('role', founder), { status: 503 });
  ledger.record(newWrite('invitation', founder), { status: 0 });
  expect(await ledger.retry(wire.ask)).toEqual([]);
  expect(ledger.count('acknowledged')).toBe(4);
  expect(await broken()).toBe('');
});

test('what is refused when it is asked for again is told', async () => {
  ledger.record(newWrite('role', founder), { status: 503 });
  expect(await ledger.retry(async () => ({ status: 503 }))).toEqual([
    'a role that was asked for again was answered 503',
  ]);
});

test('a role that was removed is no lost one; of unknown end it is gone or stands', async () => {
  await remove(200);
  await remove(503);
  await remove(503, false);
  await remove(409, false);
  expect(await broken()).toBe('');
  expect(ledger.removal(founder), 'each is removed once').toBeUndefined();
});

test('a removal that is lost, or done although it was refused, is told', async () => {
  const lost = await remove(200, false);
  const refused = await remove(409);
  const said = await broken();
  expect(said).toContain(`5: the acknowledged removal of ${lost} is lost`);
  expect(said).toContain(`5: the refused removal of ${refused} is done`);
});

test('a name that changed past the log is told', async () => {
  const asked = await write('name');
  await app.deps.sql.updateTable('users').set({ last_name: 'Else' }).where('id', '=', founder.id).execute();
  expect(await broken()).toContain(`${founder.id} is Else, by the log ${nameOf(asked)}`);
});

test('mails that came, twice by the same job or waiting still, are one; two jobs are two', async () => {
  const asked = await write('invitation');
  const { id } = await app.deps.sql
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', `mail:${nameOf(asked)}`)
    .executeTakeFirstOrThrow();
  expect(await broken(() => new Set([id]))).toBe('');
  expect(await broken(() => new Set([id, id + 1]))).toContain(`${nameOf(asked)} has 2 mails`);
});

const demotion = () => newStanding(founder, rival, { roleId: founder.roleId, status: 2 });
const pause = () => newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 3 });
const deletion = (): Write => ({ kind: 'deletion', by: leaver, password: PASSWORD });
const change = (): Write => ({ kind: 'password', by: member, old: PASSWORD, password: newPassword() });
const standings = { demotion, pause, deletion };

test('what people do to each other and to themselves breaks nothing', async () => {
  await ask(demotion());
  await ask(newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 4 }));
  await ask(newStanding(rival, founder, { roleId: founder.roleId, status: 2 }));
  await ask(newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 2 }), 503);
  await ask(change());
  ledger.record(change(), { status: 0 });
  await ask(deletion());
  expect([ledger.count('acknowledged'), ledger.count('unknown'), ledger.count('refused')]).toEqual([4, 2, 1]);
  expect(await broken()).toBe('');
});

test.for(['demotion', 'pause', 'deletion'] as const)('a lost %s is told', async (kind) => {
  const asked = standings[kind]();
  ledger.record(asked, { status: 200 });
  expect(await broken()).toMatch(new RegExp(`5: the acknowledged .*${nameOf(asked)} is lost`));
});

test.for(['demotion', 'pause', 'deletion'] as const)(
  'a %s that is there although it was refused is told',
  async (kind) => {
    const asked = await ask(standings[kind](), 422);
    expect(await broken()).toMatch(new RegExp(`5: the refused .*${nameOf(asked)} is `));
  },
);

test('a password that is lost, or there although it was refused, is told', async () => {
  ledger.record(change(), { status: 200 });
  expect(await broken()).toContain('has 0 new passwords in the log, and was told of 1 to 1');
  ledger = new Ledger();
  await ask(change(), 422);
  expect(await broken()).toContain('has 1 new passwords in the log, and was told of 0 to 0');
});

test('a standing that changed past the log is told', async () => {
  await ask(demotion());
  const { sql: database } = app.deps;
  const { superAdminRoleId: role_id } = founder;
  await database
    .updateTable('memberships')
    .set({ role_id, status: 3 })
    .where('user_id', '=', rival.id)
    .execute();
  const said = await broken();
  expect(said).toContain(`${rival.id} is Super Admin, by the log Sales`);
});

test('each change of a standing is one mail, and so is a deletion', async () => {
  await ask(demotion());
  await ask(deletion());
  const { sql: database } = app.deps;
  await database
    .deleteFrom('jobs')
    .where('lane', 'in', [`mail:${rival.email}`, `mail:${leaver.email}`])
    .execute();
  const said = await broken(() => new Set());
  expect(said).toContain(`${rival.email} was mailed 0 of 1 changes`);
  expect(said).toContain(`the deletion of ${leaver.email} has 0 mails`);
  expect(await broken(() => new Set([-1]))).toBe('');
});

test('what clients saw and may not be is told', async () => {
  ledger.note('somebody was let in');
  expect(await broken()).toContain('5: somebody was let in');
});

// The last one: what it takes from the log stays broken.
test('a write without its row of the log, its link or its mail is told', async () => {
  const role = await write('role');
  const invitation = await write('invitation');
  const { sql: database } = app.deps;
  await sql`alter table activity disable trigger all`.execute(database);
  await sql`delete from activity where org_id = ${founder.orgId}`.execute(database);
  await sql`delete from jobs`.execute(database);
  const said = await broken(() => new Set());
  expect(said).toContain(`the role ${nameOf(role)} is in the log 0 times`);
  expect(said).toContain(`the invitation of ${nameOf(invitation)} has 0 rows`);
  expect(said).toContain(`the invitation of ${nameOf(invitation)} has 0 mails`);
  expect(said).toContain('6: a chain of the log is longer or shorter than it says');
});
