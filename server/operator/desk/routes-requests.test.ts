import { expect, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { desk, DESK, type Operator } from '#server/testing/desk.ts';
import { acted, linesOf } from '#server/testing/operator.ts';
import { colleague, confirmed, founder, mailedDigest, type Person } from '#server/testing/people.ts';
import { setUpApp } from '#server/testing/second-steps.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';
import { updateRows } from '#server/testing/rows.ts';

const app = useApp({ ...lastingSessions, ...DESK, RATE_LIMIT_FACTOR: '100' });
const { atDesk, prove } = desk(app);
const reason = 'Lost her phone';
const DAY_MS = 24 * HOUR_MS;

type Kept = { readonly lines: string[]; readonly data: { readonly request: number } };
const ask = ({ visitor }: Operator, act: string, input: object) =>
  visitor.post(`/api/operator/${act}`, { ...input, reason });
const asked = async (...request: Parameters<typeof ask>) =>
  responseOf<Kept>(await ask(...request)).data.request;
const answer = async (by: Operator, id: number, agree: 0 | 1) => {
  await prove(by);
  return by.visitor.post('/api/operator/requests', { id, agree });
};
const waiting = async (by: Operator) => {
  await prove(by);
  return responseOf<{ data: { id: number }[] }>(await by.visitor.get('/api/operator/requests')).data.map(
    ({ id }) => id,
  );
};
async function withApp() {
  const person = await confirmed(app);
  await setUpApp(app, person.visitor);
  return person;
}
const hasApp = async ({ id }: Person) =>
  (await app.deps.sql.selectFrom('authenticator_apps').select('user_id').execute()).some(
    (row) => Number(row.user_id) === id,
  );
const of = ({ id }: Person) => ({ person: String(id) });
const objects = async (visitor: Visitor, digest: string) =>
  responseOf(await visitor.post('/api/notme', { digest }));

test('a reset of second steps waits a day, in which its person is told and may stop it (O7)', async () => {
  const [support, maya, tom] = [await atDesk('support'), await withApp(), await withApp()];
  // "This wasn't me" itself ends what was added lately.
  app.clock.forward(8 * DAY_MS);
  await prove(support);
  for (const person of [maya, tom]) await asked(support, 'reset-second-steps', of(person));
  expect((await ask(support, 'reset-second-steps', of(maya))).code).toBe('no_changes');
  expect((await app.mails(maya.email)).at(-1)?.subject).toBe('Your second steps are about to be removed');
  await objects(app.visitor(), await mailedDigest(app, tom.email));
  app.clock.forward(DAY_MS - 1000);
  await app.mails();
  expect([await hasApp(maya), await hasApp(tom)]).toEqual([true, true]);
  app.clock.forward(1000);
  await app.mails();
  expect([await hasApp(maya), await hasApp(tom)]).toEqual([false, true]);
  expect(await waiting(support)).toEqual([]);
  expect((await ask(support, 'reset-second-steps', of(tom))).code).toBe('not_allowed');
  app.clock.forward(7 * DAY_MS);
  await prove(support);
  await asked(support, 'reset-second-steps', of(tom));
});

test('a second operator lets it happen at once, or ends it; the first one cannot (O7)', async () => {
  const [support, other, maya, tom] = [
    await atDesk('support'),
    await atDesk('support'),
    await withApp(),
    await withApp(),
  ];
  const [first, second] = [
    await asked(support, 'reset-second-steps', of(maya)),
    await asked(support, 'reset-second-steps', of(tom)),
  ];
  expect((await answer(support, first, 1)).code).toBe('not_allowed');
  const both = await Promise.all([answer(other, first, 1), answer(other, first, 1)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await hasApp(maya)).toBe(false);
  expect((await answer(other, second, 0)).status).toBe(200);
  expect((await answer(other, second, 1)).code).toBe('not_found');
  app.clock.forward(DAY_MS);
  await app.mails();
  expect(await hasApp(tom)).toBe(true);
  const log = await acted<{ action: string; operator: string }[]>(app.deps, 'log', of(maya));
  expect(log[0]).toMatchObject({
    action: 'reset-second-steps',
    operator: expect.stringContaining(', with '),
  });
});

test('power takes two full operators within a day, checked again when the second agrees (O8)', async () => {
  const [first, second, support] = [await atDesk('full'), await atDesk('full'), await atDesk('support')];
  const boss = await founder(app);
  const emil = await colleague(app, boss);
  const input = { ...of(emil), organization: boss.urlName };
  expect((await ask(support, 'make-super-admin', input)).code).toBe('not_allowed');
  const late = await asked(first, 'make-super-admin', input);
  expect((await answer(support, late, 1)).code).toBe('not_allowed');
  app.clock.forward(DAY_MS);
  expect((await answer(second, late, 1)).code).toBe('not_found');

  await prove(first);
  const orphan = await asked(first, 'make-super-admin', input);
  await acted(app.deps, 'operators remove', of(first));
  expect((await answer(second, orphan, 1)).code).toBe('not_found');

  const third = await atDesk('full');
  const id = await asked(third, 'make-super-admin', input);
  expect(responseOf(await answer(second, id, 1))).toMatchObject({ data: { was: 'Admin' } });
});

test('an application that asks nobody for consent takes two, another one does not (O8)', async () => {
  const [first, second] = [await atDesk('full'), await atDesk('full')];
  const application = (name: string, isFirstParty: boolean) => ({
    name,
    redirect: [`https://${name}.example/callback`],
    ...(isFirstParty && { 'first-party': true }),
  });
  const names = async () =>
    (await acted<{ name: string }[]>(app.deps, 'applications list')).map(({ name }) => name).toSorted();
  responseOf(await ask(first, 'applications-add', application('books', false)));
  const id = await asked(first, 'applications-add', application('sign', true));
  expect(await names()).toEqual(['books']);
  expect(responseOf<Kept>(await answer(second, id, 1)).lines.join()).toContain('secret');
  expect(await names()).toEqual(['books', 'sign']);
  // An operator alone could send its codes elsewhere.
  await prove(first);
  for (const [act, more] of [
    ['applications-edit', { redirect: ['https://evil.example/callback'], icon: 'AAAA', dpop: true }],
    ['applications-rotate-secret', {}],
  ] as const)
    expect(responseOf<Kept>(await ask(first, act, { application: 'sign', ...more })).lines.join()).toContain(
      'once a second operator agrees',
    );
  const { lines } = responseOf<Kept>(await first.visitor.get('/api/operator/requests'));
  expect(lines.join()).toContain(
    'icon: a new file, redirect: https://evil.example/callback, dpop: yes, asked by',
  );
});

test('a request is for the account that was found, and ends with its operator (O7)', async () => {
  const [support, gone] = [await atDesk('support'), await atDesk('support')];
  const [maya, other, tom] = [await withApp(), await withApp(), await withApp()];
  await asked(support, 'reset-second-steps', { person: maya.email });
  const users = (id: number, email: string | null) => updateRows(app, 'users', { id }, { email });
  await users(maya.id, 'elsewhere@northwind.example');
  await users(other.id, maya.email);
  await asked(gone, 'reset-second-steps', of(tom));
  await acted(app.deps, 'restrict', { ...of(gone), until: '2199-01-01' });
  app.clock.forward(DAY_MS);
  await app.mails();
  expect([await hasApp(maya), await hasApp(other), await hasApp(tom)]).toEqual([false, true, true]);
});

test('the page of a person says what holds them back, and what waits', async () => {
  const [support, person] = [await atDesk('support'), await withApp()];
  const id = await asked(support, 'reset-second-steps', of(person));
  const state = async () =>
    responseOf<{ data: { state: object } }>(
      await support.visitor.get(`/api/operator/person?person=${person.id}`),
    ).data.state;
  expect(await state()).toMatchObject({ restriction: null, deletion: null, requests: [{ id }] });
  await acted(app.deps, 'restrict', { ...of(person), until: 'lifted' });
  responseOf(await answer(await atDesk('support'), id, 0));
  const restriction = 'restricted until lifted, by an operator';
  expect(await state()).toEqual({ restriction, isByOperator: true, deletion: null, requests: [], waits: [] });
  const lines = await linesOf(app.deps, 'person', of(person));
  expect(lines).toEqual(expect.arrayContaining([`    ${restriction}`, `    refused: ${restriction}`]));
});

test('a person reads once a day that support looked (O9)', async () => {
  const [support, person] = [await atDesk('support'), await confirmed(app)];
  const looks = async () => {
    const { notifications } = responseOf<{ notifications: { kind: string }[] }>(
      await person.visitor.get('/api/notifications'),
    );
    return notifications.filter(({ kind }) => kind === 'operator_looked').length;
  };
  const look = () => support.visitor.get(`/api/operator/person?person=${person.id}`);
  for (let count = 0; count < 3; count += 1) responseOf(await look());
  expect(await looks()).toBe(1);
  app.clock.forward(DAY_MS);
  await prove(support);
  responseOf(await look());
  expect(await looks()).toBe(2);
});
