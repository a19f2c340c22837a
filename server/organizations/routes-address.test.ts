import { expect, test } from 'vitest';
import { fieldText } from '#words/field.ts';
import { findOrInsertUser } from '#server/accounts/data.ts';
import { transaction } from '#server/db/connect.ts';
import { SECOND_MS } from '#server/clock.ts';
import { somebody } from '#server/testing/company.ts';
import { invited, mailedDigest, newEmail, type Person } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A person without an address gives one when they create their first organization.

const app = useApp();

type Created = { Id: number; OrgUrlName: string };
const form = { first_name: 'Maya', country_name: 'Sweden' };
const create = (person: Person, more = {}) => person.visitor.post('/api/orgs', { ...form, ...more });
const created = async (person: Person, more = {}) => responseOf<Created>(await create(person, more));

/** A person without an address, as a social sign-in can create. */
async function withoutAddress(portal: TestApp): Promise<Person> {
  const person = await somebody(portal, { confirmed: false });
  await updateRows(portal, 'users', { id: person.id }, { email: null });
  return person;
}

test('a person without an address must give a free one, which its mailed link confirms', async () => {
  const person = await withoutAddress(app);
  expect((await create(person)).body.error?.fields).toEqual({ email_id: fieldText.required });
  const email = newEmail('later');
  await created(person, { email_id: email.toUpperCase() });
  expect(responseOf(await person.visitor.get('/api/ustat'))).toMatchObject({ email, confirmed: 0 });
  expect(await app.mails(email)).toHaveLength(1);
  responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  const answer = await create(await withoutAddress(app), { email_id: email });
  expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
});

test('a portal that discloses no accounts shows the given address only once it is confirmed (A12)', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const owner = await somebody(quiet);
  const free = newEmail('free');
  const people = [];
  for (const email_id of [free, owner.email]) {
    const person = await withoutAddress(quiet);
    const { Id, OrgUrlName, ...more } = await created(person, { email_id });
    expect([Id > 0, OrgUrlName.length > 0, more]).toEqual([true, true, {}]);
    expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email: null });
    // The panel and the queued job do not differ between a free and a taken address.
    const panel = responseOf<{ notifications: object[] }>(await person.visitor.get('/api/notifications'));
    expect(panel.notifications).toMatchObject([
      { text: `Please confirm that ${email_id} is your address. We mailed you a link.` },
    ]);
    const job = quiet.deps.sql.selectFrom('jobs').select('kind').orderBy('id', 'desc').limit(1);
    expect(await job.executeTakeFirst()).toEqual({ kind: 'address-claim' });
    people.push(person);
  }
  expect((await quiet.mails(owner.email)).map(({ subject }) => subject)).toEqual([
    'You already have an account',
  ]);

  const { visitor } = people[0] ?? owner;
  responseOf(await visitor.post('/api/verifyemail', { digest: await mailedDigest(quiet, free) }));
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({ email: free, confirmed: 1 });
  await quiet.close();
});

test('a given address that went to an unconfirmed account meanwhile goes to the person who confirms it', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const person = await withoutAddress(quiet);
  const email = newEmail('left');
  await created(person, { email_id: email });
  const row = { email, country: null, timeZone: null, language: null, createdAt: quiet.clock.now() };
  await transaction(quiet.deps.sql, (tx) => findOrInsertUser(tx, row));
  responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(quiet, email) }));
  expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email, confirmed: 1 });
  await quiet.close();
});

test('the mailed link stops working once somebody invites the given address; a newer link works', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const person = await withoutAddress(quiet);
  const email = newEmail('invited');
  await created(person, { email_id: email });
  const earlier = await mailedDigest(quiet, email);
  quiet.clock.forward(SECOND_MS);
  const boss = await somebody(quiet);
  await invited({ ...boss, orgId: (await created(boss)).Id }, { email });
  quiet.clock.forward(SECOND_MS);
  const open = (digest: string) => person.visitor.post('/api/verifyemail', { digest });
  expect((await open(earlier)).code).toBe('digest_invalid');
  expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email: null });
  responseOf(await open(await mailedDigest(quiet, email)));
  expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email, confirmed: 1 });
  await quiet.close();
});
