import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { findOrganization } from '#server/operator/data.ts';
import { listRoles } from './data.ts';
import { act, acted, outcomeOf } from '#server/testing/operator.ts';
import {
  confirmed,
  deactivate,
  founder,
  mailedDigest,
  PASSWORD,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { activityOf, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

const on = ({ id }: Person, more: object = {}) => ({ person: String(id), ...more });
const idOf = ({ id }: Person) => id as UserId;
const lastRow = () =>
  app.deps.sql
    .selectFrom('activity')
    .select(['chain', 'org_id', 'module', 'activity_type', 'action', 'record_id', 'information'])
    .where('user_id', '=', OPERATOR_ID as UserId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
const lastMail = async ({ email }: Person) => (await app.mails(email)).at(-1);
const signIn = ({ email }: Person, password = PASSWORD) =>
  app.visitor().post('/api/signin', { email_id: email, password, timezone: '' });
const isSignedIn = async ({ visitor }: Person) => responseOf(await visitor.get('/api/ustat')) !== null;
const loseAddress = (person: Person) =>
  app.deps.sql.updateTable('users').set({ email: null }).where('id', '=', idOf(person)).execute();
const setStatus = (status: 2 | 3 | 4, person: Person) =>
  app.deps.sql.updateTable('memberships').set({ status }).where('user_id', '=', idOf(person)).execute();

test('sessions end everywhere, the log names operator and reason, and the owner gets a mail with a link to object', async () => {
  const person = await confirmed(app);
  await signIn(person);
  const input = on(person, { reason: ' She asked ' });
  expect(await acted(app.deps, 'end-sessions', input)).toEqual({ user_id: person.id, ended: 2 });
  expect(await isSignedIn(person)).toBe(false);
  expect((await signIn(person)).status).toBe(200);
  expect(await lastRow()).toEqual({
    chain: 'user:0',
    org_id: null,
    module: MODULE.signInDevice,
    activity_type: ACTIVITY_TYPE.signInDevice,
    action: ACTION.delete,
    record_id: person.id,
    information: { sessions: [2, 0], act: 'end-sessions', operator: 'root', reason: 'She asked' },
  });
  const notice = (await app.mails(person.email)).find(({ subject }) =>
    subject.includes('signed out everywhere'),
  );
  expect(notice?.text).toContain('/notme?digest=');
});

test('a restriction closes the account for 24 hours and ends its sessions; lifting it opens it again', async () => {
  const person = await confirmed(app);
  const until = fromNow(app.clock, 24 * HOUR_MS);
  expect(await acted(app.deps, 'restrict', on(person))).toMatchObject({ until });
  expect(await isSignedIn(person)).toBe(false);
  expect((await signIn(person)).body.error).toMatchObject({
    code: 'account_is_disable',
    reason: 'restricted',
    until: until.toISOString(),
  });
  expect((await lastMail(person))?.subject).toBe('Your account is restricted');
  expect(await lastRow()).toMatchObject({
    record_id: person.id,
    action: ACTION.change,
    information: { restricted_until: [null, until.toISOString()], sessions: [1, 0], operator: 'root' },
  });

  expect(await acted(app.deps, 'lift', on(person))).toMatchObject({ lifted: until });
  // The sessions from before the restriction stay ended.
  expect(await isSignedIn(person)).toBe(false);
  expect((await signIn(person)).status).toBe(200);
  const mails = await app.mails(person.email);
  expect(mails.map(({ subject }) => subject)).toContain('Your account is open again');
  expect((await lastRow()).information).toMatchObject({ restricted_until: [until.toISOString(), null] });
  expect(await outcomeOf(app.deps, 'lift', on(person))).toBe('no_changes');
});

test('a restriction ends by itself, and a reset does not lift it; a new one replaces it, even if it ends earlier', async () => {
  const person = await confirmed(app);
  const [late, early] = [9 * DAY_MS, DAY_MS].map((ms) => fromNow(app.clock, ms).toISOString());
  for (const until of [late, early]) await acted(app.deps, 'restrict', on(person, { until }));
  expect((await lastRow()).information).toMatchObject({ restricted_until: [late, early] });
  await app.visitor().post('/api/forgotpassword', { email_id: person.email });
  const digest = await mailedDigest(app, person.email);
  const password = 'another arch 43';
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
  expect((await signIn(person, password)).body.error).toMatchObject({
    code: 'account_is_disable',
    until: early,
  });
  app.clock.forward(DAY_MS);
  expect((await signIn(person, password)).status).toBe(200);
  const until = app.clock.now().toISOString();
  expect(await outcomeOf(app.deps, 'restrict', on(person, { until }))).toBe('invalid_input');
});

test('an account that waits for its erasure is restored, with a mail if it has an address', async () => {
  const person = await confirmed(app);
  const wasDueAt = await deactivate(app, person);
  const link = await mailedDigest(app, person.email);
  expect(await acted(app.deps, 'restore-account', on(person))).toMatchObject({ wasDueAt });
  expect(await lastRow()).toMatchObject({
    chain: 'user:0',
    module: MODULE.deleteAccount,
    activity_type: ACTIVITY_TYPE.deleteAccount,
    action: ACTION.change,
    record_id: person.id,
    information: { due_at: [wasDueAt.toISOString(), null], operator: 'root' },
  });
  expect((await lastMail(person))?.subject).toBe('Your account is back');
  expect((await signIn(person)).status).toBe(200);
  expect((await app.visitor().post('/api/restoreaccount', { digest: link })).code).toBe('digest_invalid');
  expect(await outcomeOf(app.deps, 'restore-account', on(person))).toBe('no_changes');
});

test('an account without an address can be restored until its erasure is due', async () => {
  const [early, late] = [await confirmed(app), await confirmed(app)];
  for (const person of [early, late]) await loseAddress(person);
  for (const person of [early, late]) await deactivate(app, person);
  await app.mails();
  app.clock.forward(60 * DAY_MS - 1);
  expect(await outcomeOf(app.deps, 'restore-account', on(early))).toBe('done');
  app.clock.forward(1);
  expect(await outcomeOf(app.deps, 'restore-account', on(late))).toBe('no_changes');
  await app.mails();
});

test('an active member becomes Super Admin at once, with a row in the organization’s log and a mail', async () => {
  const boss = await founder(app);
  const orgId = boss.orgId as OrgId;
  const [admin, stranger] = [await staff(app, orgId, 'Admin'), await confirmed(app)];
  const removal = { org_id: orgId, del_user_id: boss.id };
  expect((await admin.visitor.delete('/api/orgusers', removal)).code).toBe('super_admin_only');
  const input = on(admin, { organization: String(orgId), reason: 'Lost' });
  expect(await acted(app.deps, 'make-super-admin', input)).toEqual({
    user_id: admin.id,
    organization: 'Northwind Traders',
    was: 'Admin',
  });
  expect((await activityOf(app, orgId))[0]).toMatchObject({
    user_id: OPERATOR_ID,
    activity_type: ACTIVITY_TYPE.invitedContact,
    record_id: admin.id,
    information: { role: ['Admin', 'Super Admin'], operator: 'root', reason: 'Lost' },
  });
  expect((await lastMail(admin))?.subject).toBe('Your role in Northwind Traders has changed');
  expect(JSON.stringify((await admin.visitor.get('/api/notifications')).body)).toContain('"role_changed"');
  responseOf(await admin.visitor.delete('/api/orgusers', removal));
  for (const [person, organization, outcome] of [
    [admin, String(orgId), 'no_changes'],
    [stranger, String(orgId), 'user_not_found'],
    [stranger, 'nowhere', 'org_not_found'],
  ] as const)
    expect(await outcomeOf(app.deps, 'make-super-admin', on(person, { organization }))).toBe(outcome);
});

test('a member who is inactive, or waits for erasure, cannot become Super Admin', async () => {
  const { orgId } = await founder(app);
  const [inactive, deactivated] = [await staff(app, orgId, 'Admin'), await staff(app, orgId, 'Admin')];
  await setStatus(3, inactive);
  await deactivate(app, deactivated);
  await app.mails();
  // An admin may set them active again.
  await setStatus(2, deactivated);
  for (const person of [inactive, deactivated]) {
    const input = on(person, { organization: String(orgId) });
    expect(await outcomeOf(app.deps, 'make-super-admin', input)).toBe('not_allowed');
  }
});

test('both looks at a person name the status of a membership alike', async () => {
  const { orgId } = await founder(app);
  const member = await staff(app, orgId, 'Admin');
  for (const [status, word] of [
    [2, 'active'],
    [3, 'inactive'],
    [4, 'disabled'],
  ] as const) {
    await setStatus(status, member);
    for (const [look, input] of [
      ['find', { words: member.email }],
      ['person', on(member, {})],
    ] as const) {
      const answer = await act(app.deps, look, input);
      expect('lines' in answer && answer.lines.join('\n')).toContain(`Admin, ${word}`);
    }
  }
});

test('people are found by id, address and the start of a name, regardless of case and accents', async () => {
  const person = await confirmed(app);
  responseOf(await person.visitor.put('/api/user', { first_name: 'Chloé', last_name: 'Brøndum' }));
  const isFound = async (words: string) => {
    const answer = await act(app.deps, 'find', { words });
    return 'data' in answer && (answer.data as { id: UserId }[]).some(({ id }) => id === idOf(person));
  };
  for (const words of [
    String(person.id),
    person.email,
    person.email.toUpperCase(),
    'chloe',
    'CHLOÉ Br',
    'brond',
  ])
    expect([words, await isFound(words)]).toEqual([words, true]);
  for (const words of ['loé', 'northwind.example', '0', '%', '_', "' or true --"])
    expect([words, await isFound(words)]).toEqual([words, false]);
});

test('an organization is found by id and URL name, and a person’s organizations are listed', async () => {
  const boss = await founder(app, 'Umbrella');
  const expected = { id: boss.orgId, name: 'Umbrella', url_name: boss.urlName };
  expect(await findOrganization(app.deps.sql, String(boss.orgId))).toEqual(expected);
  expect(await findOrganization(app.deps.sql, boss.urlName)).toEqual(expected);
  expect(await findOrganization(app.deps.sql, 'Nowhere')).toBeUndefined();
  const memberships = await listRoles(app.deps.sql, idOf(boss));
  expect(memberships).toEqual([{ ...expected, role: 'Super Admin', status: 2 }]);
});

const addressesOf = async (type: string) =>
  [...(await acted<string[]>(app.deps, 'subscribers', { type }))].toSorted();
const wants = async (person: Person, types: Record<number, 0 | 1>) => {
  responseOf(await person.visitor.put('/api/emailnotify', types));
  return person;
};
const emailsOf = (...people: Person[]) => people.map(({ email }) => email).toSorted();

test('a subscriber of a mail type is listed while the account is open and the address confirmed', async () => {
  const first = await wants(await confirmed(app), { 1: 1, 2: 1, 3: 0 });
  const second = await wants(await confirmed(app), { 1: 1 });
  const unproven = await wants(await signedUp(app), { 1: 1 });
  const addressless = await wants(await confirmed(app), { 1: 1 });
  await loseAddress(addressless);
  expect(await addressesOf('product-updates')).toEqual(emailsOf(first, second));
  expect(await addressesOf('product-offers')).toEqual([first.email]);
  expect(await addressesOf('promotional-updates')).toEqual([]);

  const digest = await mailedDigest(app, unproven.email);
  responseOf(await unproven.visitor.post('/api/verifyemail', { digest }));
  await wants(first, { 1: 0 });
  expect(await addressesOf('product-updates')).toEqual(emailsOf(second, unproven));
  await acted(app.deps, 'restrict', on(second));
  await deactivate(app, unproven);
  expect(await addressesOf('product-updates')).toEqual([]);
  await acted(app.deps, 'lift', on(second));
  expect(await addressesOf('product-updates')).toEqual([second.email]);
});

test('more subscribers than one batch are listed, each once', async () => {
  const many = 20_001;
  await sql`with added as (
    insert into users (email, created_at, confirmed_at)
    select 'subscriber' || at || '@northwind.example', now(), now() from generate_series(1, ${many}) as at returning id)
    insert into email_preferences (user_id, type, wanted) select id, 3, true from added`.execute(
    app.deps.sql,
  );
  const lines = await addressesOf('promotional-updates');
  expect([lines.length, new Set(lines).size]).toEqual([many, many]);
});

test('every chain of the log is valid after all these acts', async () => {
  const broken = [];
  for await (const chain of brokenChains(app.deps)) broken.push(chain);
  expect(broken).toEqual([]);
});
