import { expect, test } from 'vitest';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { confirmed, deactivate, founder, mailedDigest, type Person } from '#server/testing/people.ts';
import { deleteRows, getRow, updateRows } from '#server/testing/rows.ts';
import { join as joinAs, roleIdOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// The memberships of a person while their account waits for erasure, and after a restore.

const SEATS = 3;
const { invited, active, inactive, disabled } = MEMBER_STATUS;

const app = useApp({ MAX_MEMBERS_PER_ORG: String(SEATS) });

/** Adds a person to an organization as Super Admin. */
const join = async (orgId: number, person: Person, status: MemberStatus) =>
  joinAs(app, person, orgId, await roleIdOf(app, orgId, 'Super Admin'), status);

const setStatus = (orgId: number, person: Person, status: MemberStatus) =>
  updateRows(app, 'memberships', { org_id: orgId, user_id: person.id }, { status });

const statusOf = async (orgId: number, person: Person) =>
  (await getRow(app, 'memberships', ['status'], { org_id: orgId, user_id: person.id })).status;

const restore = (digest: string) => app.visitor().post('/api/restoreaccount', { digest });
async function restoreByMail(person: Person) {
  responseOf(await restore(await mailedDigest(app, person.email)));
}

test.each([
  ['Active', active, inactive],
  ['Invited', invited, invited],
  ['Inactive', inactive, inactive],
  ['Disabled', disabled, disabled],
] as const)('%s becomes %d → %d and comes back unchanged', async (_name, before, paused) => {
  const { orgId } = await founder(app);
  const person = await confirmed(app);
  await join(orgId, person, before);
  await deactivate(app, person);
  expect(await statusOf(orgId, person)).toBe(paused);
  await restoreByMail(person);
  expect(await statusOf(orgId, person)).toBe(before);
});

test('a restored person is a member of every organization again, with the same default', async () => {
  const person = await founder(app, 'Northwind Traders');
  const other = await founder(app, 'Southwind');
  await join(other.orgId, person, active);
  await deactivate(app, person);
  await restoreByMail(person);
  const visitor = app.visitor();
  responseOf(
    await visitor.post('/api/signin', { email_id: person.email, password: 'sturdy arch 42', timezone: '' }),
  );
  const organizations = responseOf<{ Id: number; isDefault: number }[]>(await visitor.get('/api/orgs'));
  expect(organizations.map(({ Id, isDefault }) => [Id, isDefault])).toEqual([
    [person.orgId, 1],
    [other.orgId, 0],
  ]);
});

test('a membership stays Inactive without a free seat and becomes Active with one', async () => {
  const [fullOrg, roomyOrg] = [await founder(app), await founder(app)];
  const person = await confirmed(app);
  for (const { orgId } of [fullOrg, roomyOrg]) await join(orgId, person, active);
  await deactivate(app, person);
  // Invited and disabled members take a seat; inactive ones do not.
  await join(fullOrg.orgId, await confirmed(app), invited);
  await join(fullOrg.orgId, await confirmed(app), disabled);
  for (const { orgId } of [fullOrg, roomyOrg]) await join(orgId, await confirmed(app), inactive);
  await restoreByMail(person);
  expect(await statusOf(fullOrg.orgId, person)).toBe(inactive);
  expect(await statusOf(roomyOrg.orgId, person)).toBe(active);
});

test('of two concurrent restores one gets the last seat', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { orgId } = await founder(app);
    const people = [await confirmed(app), await confirmed(app)];
    await Promise.all(people.map((person) => join(orgId, person, active)));
    const digests = [];
    for (const person of people) {
      await deactivate(app, person);
      digests.push(await mailedDigest(app, person.email));
    }
    await join(orgId, await confirmed(app), active);
    for (const answer of await Promise.all(digests.map(restore))) responseOf(answer);
    const statuses = await Promise.all(people.map((person) => statusOf(orgId, person)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([active, inactive]);
  }
});

test.each([
  ['disables', disabled],
  ['activates', active],
] as const)('a membership that an admin %s before the restore keeps that status', async (_what, status) => {
  const { orgId } = await founder(app);
  const person = await confirmed(app);
  await join(orgId, person, active);
  await deactivate(app, person);
  await setStatus(orgId, person, status);
  await restoreByMail(person);
  expect(await statusOf(orgId, person)).toBe(status);
});

test('a restore does not end the pause of an earlier deletion', async () => {
  const { orgId } = await founder(app);
  const person = await confirmed(app);
  await join(orgId, person, active);
  await deactivate(app, person);
  for (const other of [await confirmed(app), await confirmed(app)]) await join(orgId, other, invited);
  await restoreByMail(person);
  expect(await statusOf(orgId, person)).toBe(inactive);
  await deleteRows(app, 'memberships', { org_id: orgId, status: invited });
  app.clock.forward(1000);
  await deactivate(app, person);
  await restoreByMail(person);
  expect(await statusOf(orgId, person)).toBe(inactive);
});
