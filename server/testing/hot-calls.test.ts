import { beforeAll, expect, test } from 'vitest';
import { applicationSteps } from '#server/testing/application-steps.ts';
import { grow, type Grown, hotCalls } from '#server/testing/grown.ts';
import { confirmed, newEmail, PASSWORD } from '#server/testing/people.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

// Each call needs a fixed number of statements, independent of the number of members, devices and rows.

const app = useApp();
let grown: Grown;
beforeAll(async () => {
  grown = await grow(app, { people: 300, members: 150, rows: 300 });
});

const names = Object.keys(hotCalls({ orgId: 0, roleId: 0 }));
test.for(names)('%s', async (name) => {
  const call = hotCalls(grown)[name];
  const queries = await queriesOf(async () => responseOf(await grown.visitor.get(call?.path ?? '')));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(call?.queries)).toEqual([]);
});

const rights = { create: 0, read: 1, update: 0, delete: 0 };
const permission = { sign: Object.fromEntries([1, 2, 3, 4, 5].map((module) => [module, rights])) };
const someone = (email: string) => ({ emailId: email, password: PASSWORD, timezone: '' });
const orgAndRole = () => ({ org_id: grown.orgId, role_id: grown.roleId });
type Write = readonly [name: string, queriesMax: number, send: () => Promise<Answer>];
const writes: readonly Write[] = [
  ['permission save', 10, () => grown.visitor.put('/api/role', { ...orgAndRole(), permission })],
  ['sign-up', 15, () => app.visitor().post('/api/signup', someone(newEmail()))],
  [
    'invite',
    18,
    () => grown.visitor.post('/api/orgusers', { ...orgAndRole(), first_name: 'Tom', email_id: newEmail() }),
  ],
];
test.for(writes)('%s', async ([, queriesMax, send]) => {
  const queries = await queriesOf(async () => responseOf(await send()));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(queriesMax)).toEqual([]);
});

test('sign-in in a known browser', async () => {
  const { visitor, email } = await confirmed(app);
  const { emailId, ...more } = someone(email);
  const signIn = () => visitor.post('/api/signin', { email_id: emailId, ...more });
  const queries = await queriesOf(async () => responseOf(await signIn()));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(17)).toEqual([]);
});

test('the steps of an application', async () => {
  const steps = await applicationSteps(app, grown.visitor);
  for (const [name, { queries, run }] of Object.entries(steps)) {
    const statements = (await queriesOf(run))
      .map(({ text }) => text)
      .filter((text) => !/^(begin|commit)$/.test(text));
    expect({ name, isAsked: statements.length > 0, tooMany: statements.slice(queries) }).toEqual({
      name,
      isAsked: true,
      tooMany: [],
    });
  }
});
