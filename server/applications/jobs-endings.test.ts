import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { expect, onTestFinished, test } from 'vitest';
import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { deleteUser } from '#server/accounts/data.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { act } from '#server/testing/operator.ts';
import { deleteOrganization } from '#server/organizations/data.ts';
import { openSession } from '#server/sessions/actions.ts';
import { discover, enter, registerApplication, startReceiver } from '#server/testing/applications.ts';
import { colleague, customRole, deactivate, founder, PASSWORD } from '#server/testing/people.ts';
import { insertRow } from '#server/testing/rows.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

// The end of a session, a membership, an access or an application ends the tokens, and reaches the applications that were
// entered with it.

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
const receiver = useServer(startReceiver);

const place = { ipAddress: '127.0.0.1', userAgent: 'test', location: 'Unknown' };
const signIn = async (visitor: Visitor, email: string) =>
  void responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));

/** A member with two devices, `here` and `there`, who entered an application on both. */
async function entered(isForSales = false) {
  const boss = await founder(app);
  const sales = await customRole(app, boss.orgId, 'Sales');
  const member = await colleague(app, boss, 'Sales');
  const there = app.visitor();
  await signIn(there, member.email);
  const application = await registerApplication(app, {
    sign_out_url: receiver.url,
    is_for_everyone: !isForSales,
  });
  const forSales = { application_id: application.id, role_id: sales };
  if (isForSales) await insertRow(app, 'application_roles', forSales);
  const config = await discover(app, application);
  const tokens = { here: await enter(member.visitor, config), there: await enter(there, config) };
  const clerks = await customRole(app, boss.orgId, 'Clerk');
  const id = member.id as UserId;
  return { boss, member, id, here: member.visitor, there, application, config, tokens, sales, clerks };
}
type World = Awaited<ReturnType<typeof entered>>;

type Claims = { readonly sub?: string; readonly sid?: unknown } | undefined;
/** The subjects and sids of tokens, in one order. */
const named = (tokens: readonly Claims[]) =>
  tokens.map((claims) => `${claims?.sub} ${claims?.sid as string}`).toSorted();
/** The subjects and sids in the logout tokens of an application. */
const noticesFor = ({ clientId }: { readonly clientId: string }) => {
  const tokens = receiver.tokens().map((token) => decodeJwt(token));
  return named(tokens.filter(({ aud }) => aud === clientId));
};

/** Starts job loops that look for jobs only when they are woken. */
function startWokenJobs() {
  const stop = startJobs(app.deps, app.jobs, [], HOUR_MS);
  onTestFinished(() => stop());
  return stop;
}

type Device = 'here' | 'there';
type Ending = {
  readonly what: string;
  readonly isForSales?: true;
  readonly ends: (world: World) => Promise<unknown>;
};
const okay = async (answer: ReturnType<Visitor['post']>) => void responseOf(await answer);
const edit = ({ boss, member }: World, change: object) =>
  boss.visitor.put('/api/orgusers', {
    org_id: boss.orgId,
    user_id: member.id,
    first_name: 'Tom',
    role_id: member.roleId,
    status: 2,
    ...change,
  });

const ofOneDevice: Ending[] = [
  { what: 'a sign-out', ends: ({ there }) => okay(there.delete('/api/logout')) },
  {
    what: 'a new sign-in in the same browser',
    ends: ({ there, member }) => signIn(there, member.email),
  },
];
const ofBoth: Ending[] = [
  {
    what: 'too many sessions',
    ends: async ({ id }) => {
      app.clock.forward(1);
      for (let count = 0; count < SESSIONS_PER_USER_MAX; count += 1)
        await transaction(app.deps.sql, (tx) => openSession(tx, app.deps, id, place));
    },
  },
  { what: 'a deleted account', ends: ({ member }) => deactivate(app, member) },
  {
    what: 'a removed member',
    ends: ({ boss, member }) =>
      okay(boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: member.id })),
  },
  { what: 'a disabled member', ends: (world) => okay(edit(world, { status: 4 })) },
  { what: 'an inactive member', ends: (world) => okay(edit(world, { status: 3 })) },
  {
    what: 'another role, which may not enter',
    isForSales: true,
    ends: (world) => okay(edit(world, { role_id: world.clerks })),
  },
  {
    what: 'a deleted role that alone could enter',
    isForSales: true,
    ends: ({ boss, sales, clerks }) =>
      okay(boss.visitor.delete('/api/role', { org_id: boss.orgId, role_id: sales, new_role_id: clerks })),
  },
  {
    what: 'a left organization',
    ends: ({ boss, here }) => okay(here.post('/api/orgs/leave', { org_id: boss.orgId })),
  },
  {
    what: 'a deleted organization',
    ends: ({ boss }) =>
      transaction(app.deps.sql, (tx) => deleteOrganization(tx, boss.orgId as OrgId, app.clock.now())),
  },
  {
    what: 'access that the person takes back',
    ends: async ({ here }) => {
      const [{ id } = {}] = responseOf<{ id: string }[]>(await here.get('/api/applications/connected'));
      await okay(here.delete('/api/applications/connected', { id }));
    },
  },
  {
    what: 'an application that the operator pauses',
    ends: ({ application: { clientId } }) => act(app.deps, 'applications pause', { application: clientId }),
  },
  {
    what: 'an application that the operator removes',
    ends: ({ application: { clientId } }) => act(app.deps, 'applications remove', { application: clientId }),
  },
  { what: 'an erased person', ends: ({ id }) => transaction(app.deps.sql, (tx) => deleteUser(tx, id)) },
];
const endings = [
  ...ofOneDevice.map((ending) => ({ ...ending, ended: ['there'] as const })),
  ...ofBoth.map((ending) => ({ ...ending, ended: ['here', 'there'] as const })),
];

const isServed = async ({ config, tokens }: World, device: Device) => {
  const { access_token: access, refresh_token: refresh = '' } = tokens[device];
  const outcomes = await Promise.allSettled([
    client.fetchUserInfo(config, access, client.skipSubjectCheck),
    client.refreshTokenGrant(config, refresh),
  ]);
  return outcomes.map(({ status }) => status === 'fulfilled');
};

test.for(endings)(
  '$what ends the tokens, and notifies the application at once and only once',
  async ({ isForSales, ended, ends }) => {
    const world = await entered(isForSales);
    await app.mails();
    const expected = named(ended.map((device) => world.tokens[device].claims()));
    const stop = startWokenJobs();
    await ends(world);
    for (const device of ended) expect(await isServed(world, device)).toEqual([false, false]);
    await expect.poll(() => noticesFor(world.application)).toEqual(expected);
    await stop();
    await app.mails();
    expect(noticesFor(world.application)).toEqual(expected);
  },
);

test('the other device goes on', async () => {
  const world = await entered();
  await okay(world.there.delete('/api/logout'));
  expect(await isServed(world, 'here')).toEqual([true, true]);
});
