import { describe, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { fieldText } from '#words/field.ts';
import { findOrInsertUser } from '#server/accounts/data.ts';
import { SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { somebody } from '#server/testing/company.ts';
import {
  confirmed,
  founder,
  invited,
  mailedDigest,
  newEmail,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join, newRole } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

type Created = { Id: number; OrgUrlName: string };
const form = { first_name: 'Maya', country_name: 'Sweden' };
const create = (person: Person, more = {}) => person.visitor.post('/api/orgs', { ...form, ...more });
const created = async (person: Person, more = {}) => responseOf<Created>(await create(person, more));

describe('POST /orgs', () => {
  test('makes the caller Super Admin, fills in their profile and adds the built-in roles', async () => {
    const person = await signedUp(app);
    const { Id, OrgUrlName } = await created(person, {
      last_name: 'Lindqvist',
      organaization_name: 'Northwind Traders 2',
      employee_count: '12',
      contact_number: '+46 70-123 45 67',
    });
    const init = responseOf(await person.visitor.get('/api/init'));
    const organization = {
      Id,
      OrgName: 'Northwind Traders 2',
      Orgtype: 'business',
      isDefault: 1,
      OrgUrlName,
      EmployeeCount: 12,
      Description: '',
      WebSite: '',
      ApplicationName: PRODUCT_NAME,
      Language: null,
      AppIconDark: '/icon-dark.svg',
      AppIconLight: '/icon-light.svg',
      role: 'Super Admin',
    };
    expect(init).toMatchObject({
      default_organizations: organization,
      other_organizations: [],
      Roles: [
        { name: 'Super Admin', is_admin: 1, is_system: 1, members: 1, created_by: 'Maya Lindqvist' },
        { name: 'Admin', is_admin: 1, is_system: 1, members: 0 },
      ],
      organizations_users: [
        {
          user_id: person.id,
          first_name: 'Maya',
          last_name: 'Lindqvist',
          email: person.email,
          role: 'Super Admin',
          status: 2,
        },
      ],
      user_information: {
        first_name: 'Maya',
        full_name: 'Maya Lindqvist',
        country: 'Sweden',
        contact_number: '+46 70-123 45 67',
        user_role: 'Super Admin',
      },
    });
    expect(responseOf(await person.visitor.get('/api/orgs'))).toEqual([organization]);
  });

  test('twenty people who use one name at once get different URL names', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => confirmed(app)));
    const all = await Promise.all(
      people.map((person) => created(person, { organaization_name: 'Same Name' })),
    );
    expect(new Set(all.map(({ OrgUrlName }) => OrgUrlName)).size).toBe(20);
  });

  test('the limit of organizations holds under parallel creation (G11)', async () => {
    const person = await confirmed(app);
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, at) => create(person, { organaization_name: `Shop ${at}` })),
    );
    expect(answers.filter((answer) => answer.body.success)).toHaveLength(10);
    const refused = answers.find((answer) => !answer.body.success);
    expect([refused?.status, refused?.code]).toEqual([409, 'org_max_limit_reached']);
    expect(responseOf<unknown[]>(await person.visitor.get('/api/orgs'))).toHaveLength(10);
  });
});

describe('GET /init', () => {
  test('answers a person without an organization', async () => {
    const person = await signedUp(app);
    expect(responseOf(await person.visitor.get('/api/init'))).toMatchObject({
      default_organizations: null,
      other_organizations: [],
      Roles: [],
      organizations_users: [],
      user_information: { id: person.id, user_role: null, confirmed: 0 },
    });
  });

  test('opens the requested organization, named by 12 or c12, and otherwise the default one', async () => {
    const person = await confirmed(app);
    const first = await created(person, { organaization_name: 'First' });
    const second = await created(person, { organaization_name: 'Second' });
    const organizationsAt = async (query: string) => {
      const init = responseOf<{
        default_organizations: { Id: number };
        other_organizations: { Id: number }[];
      }>(await person.visitor.get(`/api/init${query}`));
      return [init.default_organizations.Id, init.other_organizations.map((other) => other.Id)];
    };
    expect(await organizationsAt('')).toEqual([first.Id, [second.Id]]);
    expect(await organizationsAt(`?org_id=${second.Id}`)).toEqual([second.Id, [first.Id]]);
    expect(await organizationsAt(`?org_id=c${second.Id}`)).toEqual([second.Id, [first.Id]]);
  });

  test('a member who is not an admin sees only their own role and row', async () => {
    const boss = await founder(app);
    const person = await confirmed(app);
    await join(app, person, boss.orgId, await newRole(boss.visitor, boss.orgId, 'Sales'));
    const init = responseOf<Record<string, unknown[]>>(await person.visitor.get('/api/init'));
    expect(init['Roles']).toMatchObject([{ name: 'Sales' }]);
    expect(init['organizations_users']).toMatchObject([{ user_id: person.id }]);
    expect(JSON.stringify(init)).not.toContain(boss.email);
  });
});

// A person without an address gives one when they create their first organization.

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
      { text: `Please confirm that ${email_id} is your address. We emailed you a link.` },
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
  const row = { email, created_at: quiet.clock.now() };
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
