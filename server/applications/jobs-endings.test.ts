import { decodeJwt } from 'jose';
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
import { colleague, founder, PASSWORD, rolesOf } from '#server/testing/people.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

// The end of a session, a membership, an access or an application reaches the applications that were entered with it.

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
const receiver = useServer(startReceiver);

const place = { ipAddress: '127.0.0.1', userAgent: 'test', location: 'Unknown' };
const signIn = async (visitor: Visitor, email: string) =>
  void responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));

/** A member with two devices, `here` and `there`, who entered an application on both. */
async function entered() {
  const boss = await founder(app);
  const member = await colleague(app, boss);
  const there = app.visitor();
  await signIn(there, member.email);
  const application = await registerApplication(app, { sign_out_url: receiver.url });
  const config = await discover(app, application);
  const claims = {
    here: (await enter(member.visitor, config)).claims(),
    there: (await enter(there, config)).claims(),
  };
  return { boss, member, id: member.id as UserId, here: member.visitor, there, application, claims };
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

type Act = () => Promise<unknown>;
type Device = 'here' | 'there';
type Ending = { what: string; ended: readonly Device[]; prepare: (world: World) => Act | Promise<Act> };
const both: readonly Device[] = ['here', 'there'];
const okay = async (answer: ReturnType<Visitor['post']>) => void responseOf(await answer);
const edit = ({ boss, member }: World, status: number) =>
  boss.visitor.put('/api/orgusers', {
    org_id: boss.orgId,
    user_id: member.id,
    first_name: 'Tom',
    role_id: member.roleId,
    status,
  });

const endings: Ending[] = [
  {
    what: 'a sign-out',
    ended: ['there'],
    prepare:
      ({ there }) =>
      () =>
        okay(there.delete('/api/logout')),
  },
  {
    what: 'a new sign-in in the same browser',
    ended: ['there'],
    prepare:
      ({ there, member }) =>
      () =>
        signIn(there, member.email),
  },
  {
    what: 'too many sessions',
    ended: both,
    prepare:
      ({ id }) =>
      async () => {
        app.clock.forward(1);
        for (let count = 0; count < SESSIONS_PER_USER_MAX; count += 1)
          await transaction(app.deps.sql, (tx) => openSession(tx, app.deps, id, place));
      },
  },
  {
    what: 'a removed member',
    ended: both,
    prepare:
      ({ boss, member }) =>
      () =>
        okay(boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: member.id })),
  },
  { what: 'a disabled member', ended: both, prepare: (world) => () => okay(edit(world, 4)) },
  { what: 'an inactive member', ended: both, prepare: (world) => () => okay(edit(world, 3)) },
  {
    what: 'a role that may not enter',
    ended: both,
    prepare: async (world) => {
      const { boss, application, member } = world;
      const { sql } = app.deps;
      await sql
        .updateTable('applications')
        .set({ is_for_everyone: false })
        .where('id', '=', application.id)
        .execute();
      const roleId = (await rolesOf(boss))['Super Admin'] ?? 0;
      return () => okay(edit({ ...world, member: { ...member, roleId } }, 2));
    },
  },
  {
    what: 'a left organization',
    ended: both,
    prepare:
      ({ boss, here }) =>
      () =>
        okay(here.post('/api/orgs/leave', { org_id: boss.orgId })),
  },
  {
    what: 'a deleted organization',
    ended: both,
    prepare:
      ({ boss }) =>
      () =>
        transaction(app.deps.sql, (tx) => deleteOrganization(tx, boss.orgId as OrgId, app.clock.now())),
  },
  {
    what: 'access that the person takes back',
    ended: both,
    prepare: async ({ here }) => {
      const [{ id } = {}] = responseOf<{ id: string }[]>(await here.get('/api/applications/connected'));
      return () => okay(here.delete('/api/applications/connected', { id }));
    },
  },
  {
    what: 'an application that the operator pauses',
    ended: both,
    prepare:
      ({ application: { clientId } }) =>
      () =>
        act(app.deps, 'applications pause', { application: clientId }),
  },
  {
    what: 'an application that the operator removes',
    ended: both,
    prepare:
      ({ application: { clientId } }) =>
      () =>
        act(app.deps, 'applications remove', { application: clientId }),
  },
  {
    what: 'an erased person',
    ended: both,
    prepare:
      ({ id }) =>
      () =>
        transaction(app.deps.sql, (tx) => deleteUser(tx, id)),
  },
];

test.for(endings)('$what notifies the application at once, and only once', async ({ ended, prepare }) => {
  const world = await entered();
  const act = await prepare(world);
  await app.mails();
  const expected = named(ended.map((device) => world.claims[device]));
  const stop = startWokenJobs();
  await act();
  await expect.poll(() => noticesFor(world.application)).toEqual(expected);
  await stop();
  await app.mails();
  expect(noticesFor(world.application)).toEqual(expected);
});
