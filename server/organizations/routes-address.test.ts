import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldText } from '#contract/text/fields.ts';
import { findOrInsertUser } from '#server/accounts/data.ts';
import { transaction } from '#server/db/connect.ts';
import { somebody } from '#server/testing/company.ts';
import { mailedDigest, newEmail, type Person } from '#server/testing/people.ts';
import { startPublicApp } from '#server/testing/public-app.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// The address that comes along with a first organization, from people who have none yet.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Created = { Id: number; OrgUrlName: string };
const form = { first_name: 'Maya', country_name: 'Sweden' };
const create = (person: Person, more = {}) => person.visitor.post('/api/orgs', { ...form, ...more });
const created = async (person: Person, more = {}) => responseOf<Created>(await create(person, more));

/** Somebody whom a social sign-in has let in without an address. */
async function withoutAddress(on: TestApp): Promise<Person> {
  const person = await somebody(on, { confirmed: false });
  await on.deps.sql.updateTable('users').set({ email: null }).where('id', '=', person.id).execute();
  return person;
}

test('somebody without an address gives one: it waits for its link, and a taken one is refused', async () => {
  const person = await withoutAddress(app);
  expect((await create(person)).body.error?.fields).toEqual({ email_id: fieldText.required });
  const email = newEmail('later');
  await created(person, { email_id: email.toUpperCase() });
  expect(responseOf(await person.visitor.get('/api/ustat'))).toMatchObject({ email, confirmed: 0 });
  expect(await app.mails(email)).toHaveLength(1);
  const answer = await create(await withoutAddress(app), { email_id: email });
  expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
});

test('where nothing tells who has an account, an address that came along shows only once it is confirmed', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const owner = await somebody(quiet);
  const free = newEmail('free');
  const people = [];
  for (const email_id of [free, owner.email]) {
    const person = await withoutAddress(quiet);
    const { Id, OrgUrlName, ...more } = await created(person, { email_id });
    expect([Id > 0, OrgUrlName.length > 0, more]).toEqual([true, true, {}]);
    expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email: null });
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

test('one that an invitation leaves over while it waits is theirs once it is confirmed', async () => {
  const quiet = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
  const person = await withoutAddress(quiet);
  const email = newEmail('left');
  await created(person, { email_id: email });
  const row = { email, country: null, timeZone: null, createdAt: quiet.clock.now() };
  await transaction(quiet.deps.sql, (tx) => findOrInsertUser(tx, row));
  responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(quiet, email) }));
  expect(responseOf(await person.visitor.get('/api/user'))).toMatchObject({ email, confirmed: 1 });
  await quiet.close();
});

test('each address that comes along is drawn from the network’s budget of telling answers', async () => {
  const open = await startPublicApp();
  const taken = (await somebody(open)).email;
  const codes = [];
  for (let round = 0; round < 31; round += 1) {
    const person = await withoutAddress(open);
    const answer = await open.sendFrom(
      '203.0.113.7',
      '/api/orgs',
      { ...form, email_id: taken },
      {
        cookie: `__Host-portico=${person.visitor.cookies.get('portico')}`,
      },
    );
    codes.push(answer.code ?? 'ok');
  }
  expect(codes).toEqual([...Array(30).fill('email_id_exist'), 'ok']);
  await open.close();
});
