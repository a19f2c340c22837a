import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import { moved, self } from '#server/testing/addresses.ts';
import { company } from '#server/testing/company.ts';
import { colleague, confirmed, founder, invited, mailedDigest, PASSWORD } from '#server/testing/people.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// An invited person who does not use the link, and signs up with the invited address.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const signUp = (emailId: string, on = app) =>
  on.visitor().post('/api/signup', { emailId, password: PASSWORD, timezone: '' });
const subjects = async (email: string, on = app) => (await on.mails(email)).map(({ subject }) => subject);
const choose = (digest: string) =>
  app.visitor().post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' });

test('they are refused, and get the link anew: it lets them in, and ends when the first one did', async () => {
  const boss = await founder(app);
  const { email } = await invited(boss);
  const late = await invited(boss);
  app.clock.forward(5 * DAY_MS);
  for (const one of [email, late.email]) expect((await signUp(one)).code).toBe('email_id_exist');
  const mails = await app.mails(email);
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('You are invited to Northwind Traders'));
  expect(mails[1]?.text).toContain('works once and for 2 days');
  const [first = '', again = ''] = mails.map(({ text }) => /digest=([\w-]+)/.exec(text)?.[1]);
  expect((await choose(first)).code).toBe('digest_invalid');
  responseOf(await choose(again));
  const signIn = { email_id: email, password: PASSWORD, timezone: '' };
  responseOf(await app.visitor().post('/api/signin', signIn));

  app.clock.forward(2 * DAY_MS);
  const overdue = /digest=([\w-]+)/.exec((await app.mails(late.email)).at(-1)?.text ?? '')?.[1];
  expect((await choose(overdue ?? '')).code).toBe('digest_expired');
  expect((await signUp(late.email)).code).toBe('email_id_exist');
  expect(await subjects(late.email)).toHaveLength(2);
});

test('it comes three times an hour, and only to who is invited and has never come', async () => {
  const boss = await founder(app);
  const { email } = await invited(boss);
  for (let round = 0; round < 5; round += 1) await signUp(email);
  expect(await subjects(email)).toHaveLength(4);

  const joined = await colleague(app, boss);
  for (const { email: other } of [joined, boss]) {
    const before = await subjects(other);
    expect((await signUp(other)).code).toBe('email_id_exist');
    expect(await subjects(other)).toEqual(before);
  }
});

test('once nothing waits for them any more they sign up like anybody, with nothing of what was said of them', async () => {
  const boss = await founder(app);
  const withdrawn = await invited(boss);
  const remove = { org_id: boss.orgId, del_user_id: withdrawn.id };
  // A way back in that was asked for meanwhile is not for who comes then.
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: withdrawn.email }));
  const reset = await mailedDigest(app, withdrawn.email);
  expect((await signUp(withdrawn.email)).code).toBe('email_id_exist');
  responseOf(await boss.visitor.delete('/api/orgusers', remove));

  const visitor = app.visitor();
  const form = { emailId: withdrawn.email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  expect(responseOf(await visitor.post('/api/signup', form))).toMatchObject({ confirmed: 0 });
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({
    default_organizations: null,
    user_information: { first_name: '', last_name: '', email: withdrawn.email, confirmed: 0 },
  });
  expect(await subjects(withdrawn.email)).toContain('Confirm your email address');
  const taken = { digest: reset, password: 'another arch 43', timezone: '' };
  expect((await app.visitor().put('/api/resetpassword', taken)).code).toBe('digest_invalid');
  // From here on it is an account as any other.
  expect((await signUp(withdrawn.email)).code).toBe('email_id_exist');
  expect(responseOf(await visitor.get('/api/invitations'))).toEqual([]);
});

test('what a withdrawn invitation has left is in nobody’s way: it is an address to move to or to begin with', async () => {
  const boss = await founder(app);
  const leftOver = async () => {
    const { email, id } = await invited(boss);
    responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id }));
    return { email, id };
  };
  const person = await confirmed(app);
  const next = await leftOver();
  expect(await moved(app, person, next.email)).toBe(next.email);
  expect(await self(person)).toMatchObject({ id: person.id, email: next.email });

  // As somebody is who came by Facebook, which vouched for no address.
  const newcomer = await confirmed(app);
  const nowhere = { email: null, confirmed_at: null };
  await app.deps.sql
    .updateTable('users')
    .set(nowhere)
    .where('id', '=', newcomer.id as UserId)
    .execute();
  const first = await leftOver();
  const onboarding = { first_name: 'Ann', country_name: 'Germany', email_id: first.email };
  responseOf(await newcomer.visitor.post('/api/orgs', onboarding));
  expect(await self(newcomer)).toMatchObject({ id: newcomer.id, email: first.email });
});

test('where sign-up tells nothing, it comes in place of the mail about an account', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const here = await company(quiet);
  const boss = { ...(await here.join('superAdmin')), orgId: here.orgId };
  const { email } = await invited(boss);
  for (const one of [email, boss.email])
    expect(responseOf(await signUp(one, quiet))).toEqual({ confirmed: 0 });
  expect(await subjects(email, quiet)).toEqual(Array(2).fill('You are invited to Northwind'));
  expect(await subjects(boss.email, quiet)).toEqual(['You already have an account']);
  await quiet.close();
});
