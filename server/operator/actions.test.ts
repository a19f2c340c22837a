import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE, OPERATOR_ID } from '#contract/activity/calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import {
  endSessions,
  liftRestriction,
  makeSuperAdmin,
  recordBackup,
  restoreAccountOf,
  restrict,
  retryJobs,
} from '#server/operator/actions.ts';
import {
  findOrganization,
  findPeople,
  listMemberships,
  defaultRestrictionEnd,
} from '#server/operator/data.ts';
import {
  confirmed,
  deactivate,
  founder,
  mailedDigest,
  PASSWORD,
  type Person,
} from '#server/testing/people.ts';
import { activityOf, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const by = { name: 'root' };
const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

const idOf = ({ id }: Person) => id as UserId;
const operatorRows = () =>
  app.deps.sql
    .selectFrom('activity')
    .select(['chain', 'org_id', 'module', 'activity_type', 'action', 'record_id', 'information'])
    .where('user_id', '=', OPERATOR_ID as UserId)
    .orderBy('id', 'desc')
    .execute();
const lastMail = async ({ email }: Person) => (await app.mails(email)).at(-1);
const signIn = ({ email }: Person) =>
  app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
const isSignedIn = async ({ visitor }: Person) => responseOf(await visitor.get('/api/ustat')) !== null;
const codeOfAnswer = (answer: unknown) => (answer instanceof Refusal ? answer.name : 'done');

test('sessions end everywhere, the log names the operator, and the owner gets a mail with a link to object', async () => {
  const person = await confirmed(app);
  await signIn(person);
  expect(await endSessions(app.deps, by, idOf(person))).toEqual({ ended: 2 });
  expect(await isSignedIn(person)).toBe(false);
  expect((await signIn(person)).status).toBe(200);
  expect((await operatorRows())[0]).toEqual({
    chain: 'user:0',
    org_id: null,
    module: MODULE.signInDevice,
    activity_type: ACTIVITY_TYPE.signInDevice,
    action: ACTION.delete,
    record_id: person.id,
    information: { sessions: [2, 0], operator: 'root' },
  });
  const notice = (await app.mails(person.email)).find(({ subject }) =>
    subject.includes('signed out everywhere'),
  );
  expect(notice?.text).toContain('/notme?digest=');
});

test('a restriction closes the account for 24 hours and ends its sessions; lifting it opens it again', async () => {
  const person = await confirmed(app);
  const until = defaultRestrictionEnd(app.deps);
  expect(until.getTime() - app.clock.now().getTime()).toBe(24 * HOUR_MS);
  expect(await restrict(app.deps, by, idOf(person), until)).toEqual({ until });
  expect(await isSignedIn(person)).toBe(false);
  const refused = await signIn(person);
  expect(refused.body.error).toMatchObject({
    code: 'account_is_disable',
    reason: 'restricted',
    until: until.toISOString(),
  });
  expect((await lastMail(person))?.subject).toBe('Your account is restricted');
  expect((await operatorRows())[0]).toMatchObject({
    record_id: person.id,
    action: ACTION.change,
    information: { restricted_until: [null, until.toISOString()], sessions: [1, 0], operator: 'root' },
  });

  expect(await liftRestriction(app.deps, by, idOf(person))).toEqual({ lifted: until });
  // The sessions from before the restriction stay ended.
  expect(await isSignedIn(person)).toBe(false);
  expect((await signIn(person)).status).toBe(200);
  const mails = await app.mails(person.email);
  expect(mails.map(({ subject }) => subject)).toContain('Your account is open again');
  expect((await operatorRows())[0]?.information).toEqual({
    restricted_until: [until.toISOString(), null],
    operator: 'root',
  });
  expect(codeOfAnswer(await liftRestriction(app.deps, by, idOf(person)))).toBe('no_changes');
});

test('a restriction ends by itself; a reset does not lift it, and its end must lie in the future', async () => {
  const person = await confirmed(app);
  await restrict(app.deps, by, idOf(person), fromNow(app.clock, DAY_MS));
  await app.visitor().post('/api/forgotpassword', { email_id: person.email });
  const digest = await mailedDigest(app, person.email);
  const password = 'another arch 43';
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
  const again = () => app.visitor().post('/api/signin', { email_id: person.email, password, timezone: '' });
  expect((await again()).code).toBe('account_is_disable');
  app.clock.forward(DAY_MS);
  expect((await again()).status).toBe(200);
  expect(codeOfAnswer(await restrict(app.deps, by, idOf(person), app.clock.now()))).toBe('invalid_input');
});

test('a new restriction replaces the current one, even if it ends earlier', async () => {
  const person = await confirmed(app);
  const [late, early] = [fromNow(app.clock, 9 * DAY_MS), fromNow(app.clock, HOUR_MS)];
  await restrict(app.deps, by, idOf(person), late);
  expect(await restrict(app.deps, by, idOf(person), early)).toEqual({ until: early });
  expect((await operatorRows())[0]?.information).toMatchObject({
    restricted_until: [late.toISOString(), early.toISOString()],
  });
  expect((await signIn(person)).body.error).toMatchObject({ until: early.toISOString() });
  app.clock.forward(HOUR_MS);
  expect((await signIn(person)).status).toBe(200);
});

test('an account that waits for its erasure is restored, with a mail if it has an address', async () => {
  const person = await confirmed(app);
  const dueAt = await deactivate(app, person);
  const link = await mailedDigest(app, person.email);
  expect(await restoreAccountOf(app.deps, by, idOf(person))).toEqual({ wasDueAt: dueAt });
  expect((await operatorRows())[0]).toMatchObject({
    chain: 'user:0',
    module: MODULE.deleteAccount,
    activity_type: ACTIVITY_TYPE.deleteAccount,
    action: ACTION.change,
    record_id: person.id,
    information: { due_at: [dueAt.toISOString(), null], operator: 'root' },
  });
  expect((await lastMail(person))?.subject).toBe('Your account is back');
  expect((await signIn(person)).status).toBe(200);
  expect((await app.visitor().post('/api/restoreaccount', { digest: link })).code).toBe('digest_invalid');
  expect(codeOfAnswer(await restoreAccountOf(app.deps, by, idOf(person)))).toBe('no_changes');
});

test('an account without an address can be restored until its erasure is due', async () => {
  const [early, late] = [await confirmed(app), await confirmed(app)];
  await app.deps.sql
    .updateTable('users')
    .set({ email: null })
    .where('id', 'in', [early, late].map(idOf))
    .execute();
  for (const person of [early, late]) await deactivate(app, person);
  await app.mails();
  app.clock.forward(60 * DAY_MS - 1);
  expect(codeOfAnswer(await restoreAccountOf(app.deps, by, idOf(early)))).toBe('done');
  app.clock.forward(1);
  expect(codeOfAnswer(await restoreAccountOf(app.deps, by, idOf(late)))).toBe('no_changes');
  await app.mails();
});

test('each action on an unknown id is refused and writes no row', async () => {
  const before = (await operatorRows()).length;
  const nobody = 999_999 as UserId;
  const actions = [
    endSessions(app.deps, by, nobody),
    restrict(app.deps, by, nobody, defaultRestrictionEnd(app.deps)),
    liftRestriction(app.deps, by, nobody),
    restoreAccountOf(app.deps, by, nobody),
  ];
  expect((await Promise.all(actions)).map(codeOfAnswer)).toEqual(
    Array.from({ length: 4 }, () => 'user_not_found'),
  );
  expect((await operatorRows()).length).toBe(before);
});

test('an active member becomes Super Admin at once, with a row in the organization’s log and a mail', async () => {
  const boss = await founder(app);
  const orgId = boss.orgId as OrgId;
  const admin = await staff(app, orgId, 'Admin');
  const stranger = await confirmed(app);
  const removal = { org_id: orgId, del_user_id: boss.id };
  expect((await admin.visitor.delete('/api/orgusers', removal)).code).toBe('super_admin_only');
  const result = await makeSuperAdmin(app.deps, by, orgId, idOf(admin));
  expect(result).toEqual({ organization: 'Northwind Traders', was: 'Admin' });
  expect((await activityOf(app, orgId))[0]).toMatchObject({
    user_id: OPERATOR_ID,
    activity_type: ACTIVITY_TYPE.invitedContact,
    record_id: admin.id,
    information: { role: ['Admin', 'Super Admin'], operator: 'root' },
  });
  expect((await lastMail(admin))?.subject).toBe('Your role in Northwind Traders has changed');
  const panel = await admin.visitor.get('/api/notifications');
  expect(JSON.stringify(panel.body)).toContain('"role_changed"');
  responseOf(await admin.visitor.delete('/api/orgusers', removal));

  const refused = [
    makeSuperAdmin(app.deps, by, orgId, idOf(admin)),
    makeSuperAdmin(app.deps, by, orgId, idOf(stranger)),
    makeSuperAdmin(app.deps, by, 999_999 as OrgId, idOf(stranger)),
  ];
  const codes = (await Promise.all(refused)).map(codeOfAnswer);
  expect(codes).toEqual(['no_changes', 'user_not_found', 'org_not_found']);
});

test('an invited or inactive member cannot become Super Admin', async () => {
  const boss = await founder(app);
  const inactive = await staff(app, boss.orgId, 'Admin');
  await app.deps.sql
    .updateTable('memberships')
    .set({ status: 3 })
    .where('user_id', '=', idOf(inactive))
    .execute();
  const answer = await makeSuperAdmin(app.deps, by, boss.orgId as OrgId, idOf(inactive));
  expect(codeOfAnswer(answer)).toBe('not_allowed');
});

test('a member who waits for erasure cannot become Super Admin, even if an admin set them active again', async () => {
  const boss = await founder(app);
  const deactivated = await staff(app, boss.orgId, 'Admin');
  await deactivate(app, deactivated);
  await app.mails();
  await app.deps.sql
    .updateTable('memberships')
    .set({ status: 2 })
    .where('user_id', '=', idOf(deactivated))
    .execute();
  const answer = await makeSuperAdmin(app.deps, by, boss.orgId as OrgId, idOf(deactivated));
  expect(codeOfAnswer(answer)).toBe('not_allowed');
});

test('backups and retried jobs are logged in the operator’s own chain', async () => {
  await recordBackup(app.deps, by, '/srv/backup.tar.gz');
  expect((await operatorRows())[0]).toMatchObject({
    activity_type: ACTIVITY_TYPE.auditLog,
    action: ACTION.read,
    information: { backup: [null, '/srv/backup.tar.gz'], operator: 'root' },
  });
  await enqueueAlone(app.deps, { kind: 'note', payload: { a: 1 } });
  await runDueJobs(app.deps, { note: () => Promise.reject(new GiveUp('no')) });
  const { retried } = await retryJobs(app.deps, by);
  expect(retried).toMatchObject([{ kind: 'note' }]);
  expect((await operatorRows())[0]).toMatchObject({
    record_id: retried[0]?.id,
    action: ACTION.change,
    information: { note: [app.clock.now().toISOString(), null], operator: 'root' },
  });
  expect(await retryJobs(app.deps, by)).toEqual({ retried: [] });
});

test('people are found by id, address and the start of a name, regardless of case and accents', async () => {
  const person = await confirmed(app);
  responseOf(await person.visitor.put('/api/user', { first_name: 'Chloé', last_name: 'Brøndum' }));
  const isFound = async (words: string) =>
    (await findPeople(app.deps.sql, words, app.clock.now())).some(({ id }) => id === idOf(person));
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
  const memberships = await listMemberships(app.deps.sql, idOf(boss));
  expect(memberships).toEqual([{ ...expected, role: 'Super Admin', status: 2 }]);
});

test('every chain of the log is valid after all these actions', async () => {
  const broken = [];
  for await (const chain of brokenChains(app.deps)) broken.push(chain);
  expect(broken).toEqual([]);
  expect(await operatorRows()).not.toEqual([]);
});
