import { expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { DAY_MS } from '#server/clock.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { founder, mailedCode } from '#server/testing/people.ts';
import { firstStep, setUpApp } from '#server/testing/second-steps.ts';
import { roleIdOf, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const place = { timezone: '' };

/** A Super Admin with a passkey, and a member without a second step. */
async function world() {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const demand = async (days: number) => {
    const from = new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
    const rule = { org_id: boss.orgId, rule: 'strong', from };
    responseOf(await boss.visitor.put('/api/orgs/secondstep', rule));
  };
  return { member, demand };
}

test.each(['a passkey', 'an app', 'recovery codes', 'the removal of the app'])(
  'a mailed code changes nothing of the stronger step that the organization requires: %s (W9)',
  async (what) => {
    const { member, demand } = await world();
    const { codes } = await setUpApp(app, member.visitor);
    await addPasskey(member.visitor, app.url);
    await demand(1);
    const weak = app.visitor();
    await firstStep(weak, member.email);
    responseOf(await weak.post('/api/otp', {}));
    const otp = await mailedCode(app, member.email);
    responseOf(await weak.post('/api/verifyotp', { contact: 'x', otp, ...place }));
    const path =
      { 'a passkey': 'passkeys/options', 'an app': 'authenticator/setup' }[what] ?? 'recoverycodes';
    const change = () =>
      what === 'the removal of the app'
        ? weak.send('DELETE', '/api/authenticator', { body: {} })
        : weak.post(`/api/${path}`, {});
    expect((await change()).code).toBe('strong_step_required');
    expect(responseOf(await weak.get('/api/passkeys/offer'))).toEqual({ is_open: 0 });
    expect(responseOf(await weak.get('/api/reauthenticate?step=strong'))).toEqual({
      ways: ['passkey', 'app', 'recovery'],
      helper: 'Northwind Traders',
    });
    responseOf(await weak.post('/api/reauthenticate', { recovery_code: codes[0] }));
    expect(responseOf(await weak.get('/api/init'))).toMatchObject({ codes_left: 9 });
    responseOf(await change());
  },
);

test.each([0, 7])(
  'a first step needs a mailed code if an organization asks for one in %d days (W13)',
  async (days) => {
    const { member, demand } = await world();
    const begin = () => member.visitor.post('/api/passkeys/options', {});
    responseOf(await begin());
    await demand(days);
    expect((await begin()).code).toBe('mailed_code_required');
    // The mail about the rule leaves first.
    await app.mails(member.email);
    responseOf(await member.visitor.post('/api/reauthenticate/code', {}));
    const otp = await mailedCode(app, member.email);
    responseOf(await member.visitor.post('/api/reauthenticate', { otp }));
    responseOf(await begin());
  },
);

test('recovery codes that were made for the mailed code do not stand in for a later passkey (W13)', async () => {
  const { member } = await world();
  responseOf(await member.visitor.put('/api/mfa', { mfa_enabled: 1 }));
  const { codes } = responseOf<{ codes: string[] }>(await member.visitor.post('/api/recoverycodes', {}));
  await addPasskey(member.visitor, app.url);
  await firstStep(app.visitor(), member.email);
  const thief = app.visitor();
  await firstStep(thief, member.email);
  expect((await thief.post('/api/signin/recovery', { code: codes[0], ...place })).code).toBe('otp_invalid');
});

test('a call that names no organization shows nothing of one that the session may not enter (W14)', async () => {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const { visitor } = member;
  const setRule = (rule: string) => boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule });
  const role_id = await roleIdOf(app, boss.orgId, 'Super Admin');
  const user_id = member.id;
  const change = {
    org_id: boss.orgId,
    user_id,
    first_name: 'Tom',
    last_name: '',
    designation: '',
    role_id,
    status: 2,
  };
  responseOf(await boss.visitor.put('/api/orgusers', change));
  await enter(visitor, await discover(app, await registerApplication(app)), { scope: 'openid organization' });
  const shown = async () => {
    const panel = responseOf<{ notifications: { kind: string }[]; unread: number }>(
      await visitor.get('/api/notifications'),
    );
    const connected = responseOf<{ id: number }[]>(await visitor.get('/api/applications/connected'));
    const [{ ApplicationName: name } = {}] = responseOf<{ ApplicationName?: string }[]>(
      await visitor.get('/api/orgs'),
    );
    return { kinds: panel.notifications.map(({ kind }) => kind), unread: panel.unread, connected, name };
  };
  const open = await shown();
  expect(open).toMatchObject({ kinds: ['role_changed'], unread: 1, connected: [{}], name: PRODUCT_NAME });
  responseOf(await setRule('any'));
  await app.mails();
  expect(await shown()).toEqual({ kinds: ['second_step_asked'], unread: 1, connected: [], name: '' });
  const [{ id } = { id: 0 }] = open.connected;
  responseOf(await visitor.delete('/api/applications/connected', { id }));
  responseOf(await setRule('none'));
  expect((await shown()).connected).toEqual(open.connected);
});
