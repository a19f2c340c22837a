import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { somebody } from '#server/testing/company.ts';
import { confirmed, newEmail, type Person } from '#server/testing/people.ts';
import { deleteRows, listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({
  REDIRECT_SECRETS: `https://sign.example=${'s'.repeat(24)}`,
  SIGN_URL: 'https://sign.example',
});

type Created = { Id: number; OrgUrlName: string; code?: string };
const form = { first_name: 'Maya', country_name: 'Sweden' };
const create = (person: Person, more = {}) => person.visitor.post('/api/orgs', { ...form, ...more });
const created = async (person: Person, more = {}) => responseOf<Created>(await create(person, more));
const idsOf = async (person: Person) =>
  responseOf<{ Id: number }[]>(await person.visitor.get('/api/orgs')).map((organization) => organization.Id);

describe('one press makes one organization', () => {
  test.each([
    ['with a name', { organaization_name: 'Northwind', employee_count: '12' }],
    ['without one', {}],
  ])('%s: three calls at once get the same answer, and the log has one row', async (_case, more) => {
    const person = await confirmed(app);
    const answers = await Promise.all([1, 2, 3].map(() => created(person, more)));
    expect(await idsOf(person)).toEqual([answers[0]?.Id]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const rows = await listRows(app, 'activity', ['id'], { org_id: answers[0]?.Id ?? 0 });
    expect(rows).toHaveLength(1);
  });

  test('the given address is mailed once', async () => {
    const person = await somebody(app, { confirmed: false });
    await updateRows(app, 'users', { id: person.id }, { email: null });
    const email_id = newEmail('later');
    const answers = await Promise.all([1, 2, 3].map(() => created(person, { email_id })));
    expect(new Set(answers.map(({ Id }) => Id)).size).toBe(1);
    expect(await app.mails(email_id)).toHaveLength(1);
  });

  test('one below the limit of organizations as well', async () => {
    const person = await confirmed(app);
    const limit = app.deps.config.organizationsPerUser;
    for (let number = 1; number < limit; number += 1)
      await created(person, { organaization_name: `Shop ${number}` });
    const last = { organaization_name: 'The Last' };
    const [first, second] = await Promise.all([created(person, last), created(person, last)]);
    expect(second).toEqual(first);
    expect((await create(person, { organaization_name: 'One More' })).code).toBe('org_max_limit_reached');
  });

  test('each answer has its own code for the application', async () => {
    const person = await confirmed(app);
    const redirect = { redirect_url: 'https://sign.example/' };
    const [first, second] = await Promise.all([created(person, redirect), created(person, redirect)]);
    expect(second?.Id).toBe(first?.Id);
    expect([typeof first?.code, first?.code === second?.code]).toEqual(['string', false]);
  });
});

describe('a second organization on purpose', () => {
  const first = { organaization_name: 'Northwind', employee_count: '12' };

  test.each([
    ['with another name', { ...first, organaization_name: 'Southwind' }],
    ['with other details of the person', { ...first, country_name: 'Norway' }],
  ])('%s is created at once', async (_case, second) => {
    const person = await confirmed(app);
    const ids = [(await created(person, first)).Id, (await created(person, second)).Id];
    expect(await idsOf(person)).toEqual(ids);
  });

  test('with the same name is created after a minute, or once the person has left the first', async () => {
    const person = await confirmed(app);
    const organization = await created(person, first);
    app.clock.forward(MINUTE_MS - 1);
    expect(await created(person, first)).toEqual(organization);
    app.clock.forward(1);
    const newer = await created(person, first);
    expect(newer.Id).not.toBe(organization.Id);
    await deleteRows(app, 'memberships', { user_id: person.id, org_id: newer.Id });
    expect((await created(person, first)).Id).not.toBe(newer.Id);
  });
});
