import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { eraseDueAccounts } from './jobs.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { act } from '#server/testing/operator.ts';
import { moved } from '#server/testing/addresses.ts';
import {
  type Boss,
  colleague,
  confirmed,
  deactivate,
  founder,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  signedUp,
  signIn,
} from '#server/testing/people.ts';
import { deleteRows, listRows, updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Deleting an account drops only its own jobs, even if its address belonged or belongs to another person.

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100', MAX_MEMBERS_PER_ORG: '3' });

/** Delays the mails to an address, as if its mail server deferred them. */
const delayMails = (email: string, untilMs: number) =>
  updateRows(app, 'jobs', { lane: `mail:${email}` }, { run_at: fromNow(app.clock, untilMs) });
const subjects = async (email: string) => (await app.mails(email)).map(({ subject }) => subject);
const deleteAccount = async ({ visitor }: Awaited<ReturnType<typeof signedUp>>) =>
  responseOf(await visitor.delete('/api/deleteaccount', { reason: 'I am moving on', password: PASSWORD }));

test('deleting an account that never proved its address drops no notice to the earlier owner (A13)', async () => {
  const owner = await confirmed(app);
  const before = (await subjects(owner.email)).length;
  // An intruder uses the owner's session. The notices wait because the mail server defers them.
  const thiefEmail = `thief.${owner.email}`;
  responseOf(await owner.visitor.put('/api/user', { email: thiefEmail }));
  await delayMails(owner.email, HOUR_MS);
  const digest = await mailedDigest(app, thiefEmail);
  responseOf(await owner.visitor.post('/api/verifyemail', { digest }));
  await delayMails(owner.email, HOUR_MS);
  const squatter = await signedUp(app, owner.email);
  await delayMails(owner.email, HOUR_MS);
  await deleteAccount(squatter);
  app.clock.forward(HOUR_MS);
  expect((await subjects(owner.email)).slice(before)).toEqual([
    'Your email address is about to change',
    'Your email address was changed',
  ]);
  const restoreDigest = /restoreemail\?digest=([\w-]+)/.exec(
    (await app.mails(owner.email)).at(-1)?.text ?? '',
  )?.[1];
  responseOf(await app.visitor().post('/api/restoreemail', { digest: restoreDigest }));
});

test('erasing an account drops no mail of the person who has its former address (A13)', async () => {
  const person = await confirmed(app);
  const former = person.email;
  await moved(app, person);
  await deactivate(app, person);
  app.clock.forward(60 * DAY_MS - HOUR_MS);
  const next = await confirmed(app, former);
  const before = await subjects(former);
  responseOf(await next.visitor.put('/api/mfa', { mfa_enabled: 1 }));
  await delayMails(former, 2 * HOUR_MS);
  app.clock.forward(HOUR_MS);
  await app.mails();
  expect(await listRows(app, 'users', ['id'], { id: person.id })).toEqual([]);
  app.clock.forward(HOUR_MS);
  expect((await subjects(former)).slice(before.length)).toEqual(['Two-step sign-in is on']);
});

/** A squatter signs up with the address of another person's mailbox, and deletes that account. */
async function deleteSquatter() {
  const email = newEmail('owner');
  const squatter = await signedUp(app, email);
  const body = { reason: 'I am moving on', password: PASSWORD };
  responseOf(await squatter.visitor.delete('/api/deleteaccount', body));
  return { email, id: squatter.id as UserId, mails: (await app.mails(email)).length };
}
const ownerSignsUp = (email: string) =>
  app.visitor().post('/api/signup', { emailId: email, password: 'owner arch 99', timezone: '' });

describe('an unproven address becomes free when its account is deleted', () => {
  test('for a sign-up by its owner, who gets no mail about the earlier account', async () => {
    const { email, id, mails } = await deleteSquatter();
    const owner = responseOf<{ id: number }>(await ownerSignsUp(email));
    expect(owner.id).not.toBe(id);
    const newSubjects = (await app.mails(email)).slice(mails).map(({ subject }) => subject);
    expect(newSubjects).toEqual(['Confirm your email address']);
    responseOf(await app.visitor().post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  });

  test('for an invitation, whose link works for the owner', async () => {
    const { email, id } = await deleteSquatter();
    const guest = await invited(await founder(app), { email });
    expect(guest.id).not.toBe(id);
    const newPassword = { digest: await mailedDigest(app, email), password: 'owner arch 99', timezone: '' };
    expect((await app.visitor().post('/api/resetpassword', newPassword)).status).toBe(200);
  });
});

describe('within the 60 days the operator can restore such an account', () => {
  test('with its address, by the mailed link and the account’s password', async () => {
    const { email, id } = await deleteSquatter();
    app.clock.forward(59 * DAY_MS);
    await act(app.deps, 'restore-account', { person: String(id) });
    const digest = await mailedDigest(app, email);
    expect(responseOf(await app.visitor().post('/api/verifyemail', { digest }))).toMatchObject({
      password_needed: 1,
    });
    responseOf(await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD }));
    responseOf(await signIn(app.visitor(), email));
  });

  test('without its address, once the owner has it', async () => {
    const { email, id } = await deleteSquatter();
    const owner = responseOf<{ id: number }>(await ownerSignsUp(email));
    await act(app.deps, 'restore-account', { person: String(id) });
    await app.mails();
    expect(await listRows(app, 'users', ['id'], { email })).toEqual([{ id: owner.id }]);
  });
});

describe('the log', () => {
  let boss: Boss;
  beforeAll(async () => {
    boss = await founder(app);
  });

  const { active, inactive } = MEMBER_STATUS;
  const newestRow = async () => (await activityOf(app, boss.orgId))[0];
  const restore = async ({ email }: Boss) =>
    responseOf(await app.visitor().post('/api/restoreaccount', { digest: await mailedDigest(app, email) }));

  test('a pause, its end and the erasure each write a row with the old and new status', async () => {
    const tom = await colleague(app, boss);
    await deactivate(app, tom);
    const row = (action: number, ...status: (number | null)[]) => ({
      user_id: tom.id,
      module: MODULE.deleteAccount,
      activity_type: ACTIVITY_TYPE.deleteAccount,
      action,
      information: { status },
    });
    expect(await newestRow()).toMatchObject(row(ACTION.delete, active, inactive));
    await restore(tom);
    expect(await newestRow()).toMatchObject(row(ACTION.change, inactive, active));

    await deactivate(app, tom);
    for (let seats = 0; seats < 2; seats += 1) await invited(boss);
    await restore(tom);
    expect(await newestRow()).toMatchObject(row(ACTION.change, inactive, inactive));

    await deactivate(app, tom);
    app.clock.forward(60 * DAY_MS);
    await eraseDueAccounts(app.deps);
    expect(await newestRow()).toMatchObject(row(ACTION.delete, inactive, null));
    for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
  });

  test('an organization whose founder is erased keeps its name; its founding row is emptied, and its roles show a deleted user', async () => {
    const maya = await founder(app, 'Maya Organization');
    const next = await colleague(app, maya, 'Super Admin');
    await deactivate(app, maya);
    app.clock.forward(60 * DAY_MS);
    await eraseDueAccounts(app.deps);
    const log = await activityOf(app, maya.orgId);
    expect(log.find((row) => row.activity_type === 6 && row.action === 1)?.information).toEqual({});
    const init = await next.visitor.get(`/api/init?org_id=${maya.orgId}`);
    const { Roles } = responseOf<{ Roles: { created_by: string }[] }>(init);
    expect(Roles.map((role) => role.created_by)).toEqual(['Deleted user', 'Deleted user']);
    expect(await listRows(app, 'organizations', ['name'], { id: maya.orgId })).toEqual([
      { name: 'Maya Organization' },
    ]);
    for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
  });

  test('a log too long for one run is emptied in several runs, and the last run erases the account', async () => {
    const founderOfLong = await founder(app, 'Long');
    await sql`insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action,
        information, information_mac, mac, key_id)
      select chain, position + 1000 + n, org_id, user_id, created_at, module, activity_type, action,
        information, information_mac, mac, key_id
      from activity, generate_series(1, 6000) as n where org_id = ${founderOfLong.orgId} and position = 1`.execute(
      app.deps.sql,
    );
    await deactivate(app, founderOfLong);
    await deleteRows(app, 'jobs', { kind: 'erase-accounts' });
    app.clock.forward(60 * DAY_MS);
    const countUsers = async () => (await listRows(app, 'users', ['id'], { id: founderOfLong.id })).length;
    await eraseDueAccounts(app.deps);
    expect(await countUsers()).toBe(1);
    const counts = await jobCounts(app.deps.sql, app.clock);
    expect(counts.find(({ kind }) => kind === 'erase-accounts')).toMatchObject({ due: 1 });
    await eraseDueAccounts(app.deps);
    expect(await countUsers()).toBe(0);
    const texts = await activityOf(app, founderOfLong.orgId);
    expect(texts.filter(({ information }) => 'name' in information)).toEqual([]);
  });
});
