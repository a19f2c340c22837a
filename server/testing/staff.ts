import type { MemberStatus } from '#contract/members/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { confirmed, type Person } from './people.ts';
import { getRow, insertRow } from './rows.ts';
import type { TestApp } from './start-app.ts';
import { responseOf, type Visitor } from './visitor.ts';

let organizations = 0;
/** A new name, because an equal form within a minute counts as a double click. */
const newName = () => `Northwind Traders ${(organizations += 1)}`;

export const organizationOf = async (person: Person, name = newName()) => {
  const form = { first_name: 'Maya', last_name: 'Lindqvist', country_name: 'Sweden' };
  const answer = await person.visitor.post('/api/orgs', { ...form, organaization_name: name });
  const { Id, OrgUrlName } = responseOf<{ Id: number; OrgUrlName: string }>(answer);
  return { ...person, orgId: Id, urlName: OrgUrlName };
};

export const roleIdOf = async (app: TestApp, orgId: number, name: string): Promise<number> =>
  (await getRow(app, 'roles', ['id'], { org_id: orgId, name })).id;

export const newRole = async (admin: Visitor, orgId: number, name: string, isAdmin = 0): Promise<number> =>
  responseOf<{ Id: number }>(
    await admin.post('/api/role', { org_id: orgId, role_name: name, is_admin: isAdmin }),
  ).Id;

export const join = async (
  app: TestApp,
  person: { id: number },
  orgId: number,
  roleId: number,
  status: MemberStatus = 2,
) =>
  insertRow(app, 'memberships', {
    org_id: orgId,
    user_id: person.id,
    role_id: roleId,
    status,
    first_name: 'Tom',
    created_at: app.clock.now(),
  });

export async function staff(app: TestApp, orgId: number, role: string | number): Promise<Person> {
  const person = await confirmed(app);
  const roleId = typeof role === 'number' ? role : await roleIdOf(app, orgId, role);
  await join(app, person, orgId, roleId);
  return person;
}

export const activityOf = (app: TestApp, orgId: number) =>
  app.deps.sql
    .selectFrom('activity')
    .select(['user_id', 'activity_type', 'action', 'module', 'record_id', 'information'])
    .where('org_id', '=', orgId as OrgId)
    .orderBy('id', 'desc')
    .execute();
