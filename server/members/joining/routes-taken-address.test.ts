import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { moved, self } from '#server/testing/addresses.ts';
import { company } from '#server/testing/company.ts';
import {
  colleague,
  confirmed,
  founder,
  invited,
  mailedDigest,
  PASSWORD,
  type Person,
} from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// An invited person does not use the link and signs up with the invited address.

const app = useApp();

const signUp = (emailId: string, on = app) =>
  on.visitor().post('/api/signup', { emailId, password: PASSWORD, timezone: '' });
const subjects = async (email: string, on = app) => (await on.mails(email)).map(({ subject }) => subject);
const choose = (digest: string) =>
  app.visitor().post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' });

test('the sign-up is refused, and a second link is mailed; the first one still works, and both expire together', async () => {
  const boss = await founder(app);
  const { email } = await invited(boss);
  const late = await invited(boss);
  app.clock.forward(5 * DAY_MS);
  for (const taken of [email, late.email]) expect((await signUp(taken)).code).toBe('email_id_exist');
  const mails = await app.mails(email);
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('You are invited to Northwind Traders'));
  expect(mails[1]?.text).toContain('works once and for 2 days');
  const [first = '', again = ''] = mails.map(({ text }) => /digest=([\w-]+)/.exec(text)?.[1]);
  responseOf(await choose(first));
  expect((await choose(again)).code).toBe('digest_invalid');
  const signIn = { email_id: email, password: PASSWORD, timezone: '' };
  responseOf(await app.visitor().post('/api/signin', signIn));

  app.clock.forward(2 * DAY_MS);
  const overdue = /digest=([\w-]+)/.exec((await app.mails(late.email)).at(-1)?.text ?? '')?.[1];
  expect((await choose(overdue ?? '')).code).toBe('digest_expired');
  expect((await signUp(late.email)).code).toBe('email_id_exist');
  expect(await subjects(late.email)).toHaveLength(2);
});

test('the link is mailed three times an hour, and only to a person who has never opened their account', async () => {
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

test('without a pending invitation the person signs up as usual, and nothing of the invitation is left', async () => {
  const boss = await founder(app);
  const withdrawn = await invited(boss);
  const remove = { org_id: boss.orgId, del_user_id: withdrawn.id };
  // A reset that was requested before must not open the new account.
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
  const reuse = { digest: reset, password: 'another arch 43', timezone: '' };
  expect((await app.visitor().put('/api/resetpassword', reuse)).code).toBe('digest_invalid');
  // From here on it is an ordinary account.
  expect((await signUp(withdrawn.email)).code).toBe('email_id_exist');
  expect(responseOf(await visitor.get('/api/invitations'))).toEqual([]);
});

test('the address of a withdrawn invitation is free: a person can move to it or give it at onboarding', async () => {
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

  // A person who signed in by a provider that vouched for no address.
  const newcomer = await confirmed(app);
  const nowhere = { email: null, confirmed_at: null };
  await updateRows(app, 'users', { id: newcomer.id }, nowhere);
  const first = await leftOver();
  const onboarding = { first_name: 'Ann', country_name: 'Germany', email_id: first.email };
  responseOf(await newcomer.visitor.post('/api/orgs', onboarding));
  expect(await self(newcomer)).toMatchObject({ id: newcomer.id, email: first.email });
});

test('if sign-up discloses nothing, the link replaces the mail about an existing account', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const org = await company(quiet);
  const boss = { ...(await org.join('superAdmin')), orgId: org.orgId };
  const { email } = await invited(boss);
  for (const taken of [email, boss.email])
    expect(responseOf(await signUp(taken, quiet))).toEqual({ confirmed: 0 });
  expect(await subjects(email, quiet)).toEqual(Array(2).fill('You are invited to Northwind'));
  expect(await subjects(boss.email, quiet)).toEqual(['You already have an account']);
  await quiet.close();
});

const join = ({ visitor }: Pick<Person, 'visitor'>, digest: string) =>
  visitor.post('/api/invitation', { digest, accept: 1 });

test('a person without a name takes the name of the invitation, and others keep theirs', async () => {
  const boss = await founder(app);
  const nameless = await confirmed(app);
  await invited(boss, { email: nameless.email });
  const before = await founder(app, 'Own House');
  await invited(boss, { email: before.email });
  const digest = await mailedDigest(app, before.email);
  const userOf = async ({ visitor }: Pick<Person, 'visitor'>) =>
    responseOf<{ user_information: object }>(await visitor.get('/api/init')).user_information;
  expect(await userOf(nameless)).toMatchObject({ full_name: nameless.email });
  responseOf(await join(nameless, await mailedDigest(app, nameless.email)));
  expect(await userOf(nameless)).toMatchObject({ full_name: 'Tom Berg', last_name: 'Berg' });
  const rows = await listRows(app, 'activity', ['org_id', 'information'], {
    user_id: nameless.id,
    activity_type: 1,
    action: 3,
  });
  expect(rows).toEqual([{ org_id: null, information: { first_name: ['', 'Tom'], last_name: ['', 'Berg'] } }]);
  responseOf(await join(before, digest));
  expect(await userOf(before)).toMatchObject({ full_name: 'Maya Lindqvist' });
});
