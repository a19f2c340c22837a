import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { messageIdOf } from '#server/mail/outbox.ts';
import { useApp } from '#server/testing/use-app.ts';
import { getRow } from '#server/testing/rows.ts';
import { brokenInvariants, type Evidence } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { PASSWORD, type Person, populate } from './people.ts';
import { type Wire, wireTo } from './wire.ts';
import { callFor, newPassword, newStanding, newWrite, type Write } from './writes.ts';

const app = useApp();
let wire: Wire;
let founder: Person;
let rival: Person;
let member: Person;
let leaver: Person;
let ledger: Ledger;
beforeAll(() => {
  wire = wireTo(app.url);
});
afterAll(() => wire.close());
beforeEach(async () => {
  const people = await populate(app.deps, 1, 4, 2);
  [founder, rival, member, leaver] = people as [Person, Person, Person, Person];
  ledger = new Ledger();
});

type Kind = Parameters<typeof newWrite>[0];
/** Sends a write and records its outcome, or records `status` instead. */
async function ask(entry: Write, status?: number): Promise<Write> {
  const reply = await wire.ask(callFor(entry));
  ledger.record(entry, { ...reply, status: status ?? reply.status });
  return entry;
}
const write = (kind: Kind, status?: number) => ask(newWrite(kind, founder), status);
/** Creates a role and requests its removal; `done` also sends the request to the portal. */
async function remove(outcome: number, done = true): Promise<string> {
  const role = await write('role');
  const removal = ledger.removal(founder);
  if (!removal) throw new Error('no role stands');
  const { status } = done ? await wire.ask(callFor(removal)) : { status: 200 };
  expect(status).toBe(200);
  ledger.record(removal, { status: outcome });
  return writeName(role);
}
/** The name of a write in the ledger's messages. */
function writeName(entry: Write): string {
  if (entry.kind === 'invitation') return entry.email;
  return 'name' in entry ? entry.name : entry.by.email;
}
const ledgerBreaches = async (mailIdsOf?: Evidence['mailIdsOf']) => {
  const evidence = { ledgers: [ledger], ...(mailIdsOf && { mailIdsOf }) };
  return (await brokenInvariants(app.deps, evidence)).join('\n');
};

test('acknowledged writes that exist and writes of unknown outcome break nothing', async () => {
  for (const kind of ['name', 'role', 'name', 'invitation'] as const) await write(kind);
  await write('name', 503);
  await write('role', 0);
  ledger.record(newWrite('role', founder), { status: 503 });
  ledger.record(newWrite('name', founder), { status: 409 });
  expect([ledger.count('acknowledged'), ledger.count('unknown'), ledger.count('refused')]).toEqual([4, 3, 1]);
  expect(await ledgerBreaches()).toBe('');
});

const demotion = () => newStanding(founder, rival, { roleId: founder.roleId, status: 2 });
const pause = () => newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 3 });
const deletion = (): Write => ({ kind: 'deletion', by: leaver, password: PASSWORD });
const change = (): Write => ({ kind: 'password', by: member, old: PASSWORD, password: newPassword() });
const kinds = {
  name: () => newWrite('name', founder),
  role: () => newWrite('role', founder),
  invitation: () => newWrite('invitation', founder),
  demotion,
  pause,
  deletion,
};

test.for(Object.entries(kinds))('a lost %s is reported', async ([, make]) => {
  const lost = make();
  ledger.record(lost, { status: 200 });
  expect(await ledgerBreaches()).toMatch(new RegExp(`5: the acknowledged .*${writeName(lost)}.* is lost`));
});

test.for(Object.entries(kinds))('a %s that exists although it was refused is reported', async ([, make]) => {
  const refused = await ask(make(), 422);
  expect(await ledgerBreaches()).toMatch(new RegExp(`5: the refused .*${writeName(refused)}.* is`));
});

test('a write of unknown outcome exists once after a retry, whether it was committed before or not', async () => {
  await write('role', 503);
  await write('invitation', 0);
  ledger.record(newWrite('role', founder), { status: 503 });
  ledger.record(newWrite('invitation', founder), { status: 0 });
  expect(await ledger.retry(wire.ask)).toEqual([]);
  expect(ledger.count('acknowledged')).toBe(4);
  expect(await ledgerBreaches()).toBe('');
});

test('a refused retry is reported', async () => {
  ledger.record(newWrite('role', founder), { status: 503 });
  expect(await ledger.retry(async () => ({ status: 503 }))).toEqual([
    'a role that was asked for again was answered 503',
  ]);
});

test('a removed role is not lost, and a role whose removal is unknown is gone or exists', async () => {
  await remove(200);
  await remove(503);
  await remove(503, false);
  await remove(409, false);
  expect(await ledgerBreaches()).toBe('');
  expect(ledger.removal(founder), 'each is removed once').toBeUndefined();
});

test('a removal that is lost, or done although it was refused, is reported', async () => {
  const lost = await remove(200, false);
  const refused = await remove(409);
  const breaches = await ledgerBreaches();
  expect(breaches).toContain(`5: the acknowledged removal of ${lost} is lost`);
  expect(breaches).toContain(`5: the refused removal of ${refused} is done`);
});

test('a name that changed without a log row is reported', async () => {
  const renaming = await write('name');
  await app.deps.sql.updateTable('users').set({ last_name: 'Else' }).where('id', '=', founder.id).execute();
  expect(await ledgerBreaches()).toContain(`${founder.id} is Else, by the log ${writeName(renaming)}`);
});

test('a mail that arrived, was repeated by its job or still waits is one, and mails of two jobs are two', async () => {
  const invitation = await write('invitation');
  const { id } = await getRow(app, 'jobs', ['id'], { lane: `mail:${writeName(invitation)}` });
  const mailId = messageIdOf(app.deps, id);
  expect(await ledgerBreaches(() => new Set([mailId]))).toBe('');
  expect(await ledgerBreaches(() => new Set([mailId, '<another@localhost>']))).toContain(
    `${writeName(invitation)} has 2 mails`,
  );
});

test('contested writes break nothing', async () => {
  await ask(demotion());
  await ask(newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 4 }));
  await ask(newStanding(rival, founder, { roleId: founder.roleId, status: 2 }));
  await ask(newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 2 }), 503);
  await ask(change());
  ledger.record(change(), { status: 0 });
  await ask(deletion());
  expect([ledger.count('acknowledged'), ledger.count('unknown'), ledger.count('refused')]).toEqual([4, 2, 1]);
  expect(await ledgerBreaches()).toBe('');
});

test('a password that is lost, or changed although it was refused, is reported', async () => {
  ledger.record(change(), { status: 200 });
  expect(await ledgerBreaches()).toContain('has 0 new passwords in the log, but answers for 1 to 1');
  ledger = new Ledger();
  await ask(change(), 422);
  expect(await ledgerBreaches()).toContain('has 1 new passwords in the log, but answers for 0 to 0');
});

test('a standing that changed without a log row is reported', async () => {
  await ask(demotion());
  const { sql: database } = app.deps;
  const { superAdminRoleId: role_id } = founder;
  await database
    .updateTable('memberships')
    .set({ role_id, status: 3 })
    .where('user_id', '=', rival.id)
    .execute();
  const breaches = await ledgerBreaches();
  expect(breaches).toContain(`${rival.id} is Super Admin, by the log Sales`);
});

test('the first change of a standing sends a mail, further ones wait, and a deletion sends one', async () => {
  await ask(demotion());
  await ask(newStanding(founder, rival, { roleId: founder.superAdminRoleId, status: 2 }));
  expect(await ledgerBreaches(() => new Set())).toBe('');
  await ask(deletion());
  const { sql: database } = app.deps;
  await database
    .deleteFrom('jobs')
    .where('lane', 'in', [`mail:${rival.email}`, `mail:${leaver.email}`])
    .execute();
  const breaches = await ledgerBreaches(() => new Set());
  expect(breaches).toContain(`${rival.email} was mailed 0 of 2 changes`);
  expect(breaches).toContain(`the deletion of ${leaver.email} has 0 mails`);
  expect(await ledgerBreaches(() => new Set(['<swept@localhost>']))).toBe('');
});

test('noted breaches are reported', async () => {
  ledger.note('somebody was let in');
  expect(await ledgerBreaches()).toContain('5: somebody was let in');
});

// The last test, because it breaks the log for good.
test('a write without its log row, link or mail is reported', async () => {
  const role = await write('role');
  const invitation = await write('invitation');
  const { sql: database } = app.deps;
  await sql`alter table activity disable trigger all`.execute(database);
  await sql`delete from activity where org_id = ${founder.orgId}`.execute(database);
  await sql`delete from jobs`.execute(database);
  const breaches = await ledgerBreaches(() => new Set());
  expect(breaches).toContain(`the role ${writeName(role)} is in the log 0 times`);
  expect(breaches).toContain(`the invitation of ${writeName(invitation)} has 0 rows`);
  expect(breaches).toContain(`the invitation of ${writeName(invitation)} has 0 mails`);
  expect(breaches).toContain('6: a chain of the log is longer or shorter than it says');
});
