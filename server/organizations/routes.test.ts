import { describe, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { confirmed, founder, type Person, signedUp } from '#server/testing/people.ts';
import { join, newRole } from '#server/testing/staff.ts';
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
