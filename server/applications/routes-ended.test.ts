import * as client from 'openid-client';
import { expect, test } from 'vitest';
import type { RoleId } from '#contract/wire.ts';
import { consent, discover, enter, registerApplication } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { deactivate } from '#server/testing/people.ts';
import { deleteRows, insertRow } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });

/** A member with the role Lead who entered an application, and a Super Admin. */
async function entered(isForLeads: boolean) {
  const org = await company(app);
  const boss = await org.join('superAdmin');
  const member = await org.join('lead', { isDefault: true });
  const application = await registerApplication(app, { is_for_everyone: !isForLeads });
  if (isForLeads)
    await insertRow(app, 'application_roles', { application_id: application.id, role_id: org.roles.lead });
  const config = await discover(app, application);
  return { org, boss, member, application, config, tokens: await enter(member.visitor, config) };
}
type World = Awaited<ReturnType<typeof entered>>;

const edit = ({ boss, member, org }: World, change: object) =>
  boss.visitor.put('/api/orgusers', {
    org_id: org.orgId,
    user_id: member.id,
    first_name: 'Ann',
    role_id: org.roles.lead,
    status: 2,
    ...change,
  });
const deleteRole = ({ boss, org }: World, roleId: RoleId) =>
  boss.visitor.delete('/api/role', { org_id: org.orgId, role_id: roleId, new_role_id: org.roles.sales });
const pause = ({ application }: World, at: Date | null) =>
  app.deps.sql.updateTable('applications').set({ paused_at: at }).where('id', '=', application.id).execute();
const okay = async (answer: ReturnType<Visitor['post']>) => void responseOf(await answer);

type Ends = (world: World) => Promise<unknown>;

const isServed = async ({ config, tokens }: World) => {
  const served = (call: Promise<unknown>) =>
    call.then(
      () => true,
      () => false,
    );
  return {
    info: await served(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)),
    refresh: await served(client.refreshTokenGrant(config, tokens.refresh_token ?? '')),
  };
};

test('deleting a role changes only the claims while another role lets the person in', async () => {
  const world = await entered(false);
  responseOf(await deleteRole(world, world.org.roles.lead));
  const { config, tokens } = world;
  const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  expect(info).toMatchObject({ role: 'Sales', role_id: world.org.roles.sales, org_admin: false });
});

const allow = async ({ boss, application, org }: World, roleIds: readonly RoleId[]) => {
  const { sql } = app.deps;
  await sql
    .updateTable('applications')
    .set({ org_id: org.orgId, is_first_party: false })
    .where('id', '=', application.id)
    .execute();
  const change = { org_id: org.orgId, application_id: application.id, role_ids: roleIds };
  return okay(boss.visitor.put('/api/applications', change));
};
test.for<{ what: string; isForLeads?: boolean; ends: Ends; returns: Ends }>([
  {
    what: 'a member who is active again',
    ends: (world) => okay(edit(world, { status: 4 })),
    returns: (world) => okay(edit(world, { status: 2 })),
  },
  {
    what: 'a member whose role may enter again',
    isForLeads: true,
    ends: (world) => okay(edit(world, { role_id: world.org.roles.sales })),
    returns: (world) => okay(edit(world, { role_id: world.org.roles.lead })),
  },
  {
    what: 'an application that the role may use again',
    isForLeads: true,
    ends: (world) => allow(world, [world.org.roles.sales]),
    returns: (world) => allow(world, [world.org.roles.lead]),
  },
  {
    what: 'an application that goes on',
    ends: (world) => pause(world, app.clock.now()),
    returns: (world) => pause(world, null),
  },
])('$what: no token from before serves', async ({ isForLeads = false, ends, returns }) => {
  const world = await entered(isForLeads);
  await ends(world);
  await returns(world);
  expect(await isServed(world)).toEqual({ info: false, refresh: false });
});

test('a deleted account ends tokens that outlive its sessions', async () => {
  const world = await entered(false);
  const offline = { scope: 'openid offline_access', prompt: 'consent' };
  const tokens = await consent(world.member.visitor, world.config, offline);
  responseOf(await world.member.visitor.delete('/api/logout'));
  expect(await isServed({ ...world, tokens })).toEqual({ info: true, refresh: true });
  await deactivate(app, world.member);
  expect(await isServed({ ...world, tokens })).toEqual({ info: false, refresh: false });
});

test('a restored account starts without tokens', async () => {
  const world = await entered(false);
  await deactivate(app, world.member);
  await deleteRows(app, 'account_deletions', { user_id: world.member.id });
  expect(await isServed(world)).toEqual({ info: false, refresh: false });
});
