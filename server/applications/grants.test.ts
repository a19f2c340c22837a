import * as client from 'openid-client';
import { afterEach, describe, expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import {
  authorize,
  consent,
  discover,
  enter,
  registerApplication,
  startReceiver,
} from '#server/testing/applications.ts';
import { placesTaken } from '#server/testing/budgets.ts';
import { company } from '#server/testing/company.ts';
import { confirmed, founder, signedUp } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const receiver = useServer(startReceiver);
afterEach(() => receiver.forget());

type Connected = { id: number; name: string; organization: string | null; scopes: string[] };
const PATH = '/api/applications/connected';
const listOf = async (visitor: Visitor) => responseOf<Connected[]>(await visitor.get(PATH));
const remove = async (visitor: Visitor, id: number | undefined) =>
  responseOf<Connected[]>(await visitor.delete(PATH, { id }));
const loggedFor = (userId: number) =>
  listRows(
    app,
    'activity',
    ['org_id', 'action', 'information'],
    { user_id: userId, activity_type: ACTIVITY_TYPE.connectedApplication },
    'id',
  );
const foreign = () => registerApplication(app, { is_first_party: false, name: 'Paperboat' });

describe('GET /applications/connected', () => {
  test('lists the person’s own applications only, the last used one first', async () => {
    const { visitor } = await founder(app, 'Listed');
    const other = await confirmed(app);
    const [first, second] = [await registerApplication(app, { name: 'First' }), await foreign()];
    await enter(visitor, await discover(app, first));
    app.clock.forward(60_000);
    await consent(visitor, await discover(app, second), { scope: 'openid email' });
    expect(await placesTaken(app, 'openRequestsHour')).toBe(0);
    expect(await listOf(visitor)).toEqual([
      expect.objectContaining({ name: 'Paperboat', organization: null, scopes: ['openid', 'email'] }),
      expect.objectContaining({
        name: 'First',
        organization: 'Listed',
        scopes: ['openid', 'profile', 'email', 'organization'],
      }),
    ]);
    expect(await listOf(other.visitor)).toEqual([]);
  });

  test('tells an organization’s own application from one of the suite', async () => {
    const org = await company(app);
    const { visitor } = await org.join('sales', { isDefault: true });
    const own = { org_id: org.orgId, is_first_party: false };
    await enter(visitor, await discover(app, await registerApplication(app, own)));
    app.clock.forward(60_000);
    await enter(visitor, await discover(app, await registerApplication(app)));
    expect(await listOf(visitor)).toMatchObject([
      { is_own: 0, is_first_party: 1 },
      { is_own: 1, is_first_party: 0 },
    ]);
  });

  test('an installed application asks each time, even one of the suite, and has no access until then', async () => {
    const { visitor } = await founder(app, 'Installed');
    const config = await discover(app, await registerApplication(app, { kind: 'native' }));
    await authorize(visitor, config);
    expect(await listOf(visitor)).toEqual([]);
    await consent(visitor, config);
    expect(await listOf(visitor)).toHaveLength(1);
    expect((await authorize(visitor, config)).location).toContain('/authorize?request=');
  });
});

describe('an organization’s own application', () => {
  const own = async () => {
    const org = await company(app);
    const { visitor, id } = await org.join('sales', { isDefault: true });
    const config = await discover(
      app,
      await registerApplication(app, { org_id: org.orgId, is_first_party: false }),
    );
    return { visitor, id, config };
  };

  test.for([{ scope: 'openid offline_access', prompt: 'consent' }, { scope: 'openid phone' }])(
    'gets nothing for %j before the person allows it (P23)',
    async (request) => {
      const { visitor, id, config } = await own();
      const { location } = await authorize(visitor, config, request);
      const asked = new URL(location).searchParams.get('request');
      const input = { request: asked, accept: 0 };
      const { url } = responseOf<{ url: string }>(await visitor.post('/api/authorization', input));
      const back = await visitor.request('GET', new URL(url).pathname);
      expect(back.headers.get('location')).toContain('error=access_denied');
      expect([await listOf(visitor), await loggedFor(id)]).toEqual([[], []]);
      await consent(visitor, config, request);
      expect(await listOf(visitor)).toMatchObject([{ scopes: request.scope.split(' ') }]);
      expect(await loggedFor(id)).toMatchObject([{ information: { asked: true } }]);
    },
  );

  test('learns a phone number once the person allows it, and the language, but never the time zone', async () => {
    const { visitor, id, config } = await own();
    const profile = { time_zone: 'Europe/Stockholm', language: 'de', phone_e164: '+46701234567' };
    await updateRows(app, 'users', { id }, profile);
    const learned = async ({ access_token: token }: { access_token: string }) =>
      client.fetchUserInfo(config, token, client.skipSubjectCheck);
    const without = await learned(await enter(visitor, config, { scope: 'openid profile' }));
    expect(without).not.toHaveProperty('zoneinfo');
    expect(without).toHaveProperty('locale', 'de');
    const scope = 'openid profile phone';
    const tokens = await consent(visitor, config, { scope });
    expect(await learned(tokens)).toMatchObject({ phone_number: '+46701234567' });
    await enter(visitor, config, { scope });
    // An older grant has the scope without a consent.
    await updateRows(app, 'application_grants', { user_id: id }, { consented_at: null });
    expect(await learned(tokens)).not.toHaveProperty('phone_number');
    expect(await listOf(visitor)).toMatchObject([{ scopes: ['openid', 'profile'] }]);
    expect((await authorize(visitor, config, { scope })).location).toContain('/authorize?request=');
  });
});

describe('DELETE /applications/connected', () => {
  test('ends the tokens at once, and the next visit asks again', async () => {
    const { visitor } = await confirmed(app);
    const config = await discover(app, await foreign());
    const tokens = await consent(visitor, config, { scope: 'openid email' });
    const [grant] = await listOf(visitor);
    expect(await remove(visitor, grant?.id)).toEqual([]);
    await expect(
      client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck),
    ).rejects.toMatchObject({ status: 401 });
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const { location } = await authorize(visitor, config, { scope: 'openid email' });
    const request = new URL(location).searchParams.get('request') ?? '';
    expect(responseOf(await visitor.get(`/api/authorization?request=${request}`))).toMatchObject({
      step: 'consent',
    });
  });

  test('invalidates an unused code', async () => {
    const { visitor } = await confirmed(app);
    const config = await discover(app, await registerApplication(app));
    const { location, verifier, state } = await authorize(visitor, config, { scope: 'openid' });
    const [grant] = await listOf(visitor);
    await remove(visitor, grant?.id);
    const exchange = client.authorizationCodeGrant(config, new URL(location), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    await expect(exchange).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('notifies the application, and no other', async () => {
    const { visitor } = await confirmed(app);
    const told = await registerApplication(app, { name: 'Told', sign_out_url: receiver.url });
    const kept = await registerApplication(app, { name: 'Kept', sign_out_url: receiver.url });
    await enter(visitor, await discover(app, told), { scope: 'openid' });
    const keptTokens = await enter(visitor, await discover(app, kept), { scope: 'openid' });
    const grant = (await listOf(visitor)).find(({ name }) => name === 'Told');
    expect((await remove(visitor, grant?.id)).map(({ name }) => name)).toEqual(['Kept']);
    await app.mails();
    const [token = ''] = receiver.tokens();
    expect(receiver.tokens()).toHaveLength(1);
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(payload).toMatchObject({ aud: told.clientId });
    const config = await discover(app, kept);
    expect(await client.tokenIntrospection(config, keptTokens.access_token)).toMatchObject({ active: true });
    // The end of the session sends no second notice.
    receiver.forget();
    await visitor.delete('/api/logout');
    await app.mails();
    expect(receiver.tokens()).toHaveLength(1);
  });

  test('nobody removes the access that another person gave, and a second removal changes nothing', async () => {
    const { visitor, id } = await confirmed(app);
    const other = await confirmed(app);
    const config = await discover(app, await registerApplication(app));
    await enter(visitor, config, { scope: 'openid' });
    const [grant] = await listOf(visitor);
    expect(await remove(other.visitor, grant?.id)).toEqual([]);
    expect(await listOf(visitor)).toHaveLength(1);
    await remove(visitor, grant?.id);
    await remove(visitor, grant?.id);
    expect(await loggedFor(id)).toHaveLength(2);
    expect(await loggedFor(other.id)).toEqual([]);
  });
});

describe('the activity log', () => {
  test('records new access, more access and its end with old and new values', async () => {
    const { visitor, id } = await confirmed(app);
    const config = await discover(app, await registerApplication(app, { name: 'Sign' }));
    await enter(visitor, config, { scope: 'openid' });
    await enter(visitor, config, { scope: 'openid' });
    await enter(visitor, config, { scope: 'openid email' });
    const [grant] = await listOf(visitor);
    await remove(visitor, grant?.id);
    expect(await loggedFor(id)).toEqual([
      {
        org_id: null,
        action: 1,
        information: { application: [null, 'Sign'], access: [null, ['openid']], asked: false },
      },
      {
        org_id: null,
        action: 3,
        information: { application: 'Sign', access: [['openid'], ['openid', 'email']], asked: false },
      },
      {
        org_id: null,
        action: 4,
        information: { application: ['Sign', null], access: [['openid', 'email'], null] },
      },
    ]);
  });

  test("access for an organization is recorded in the organization's log", async () => {
    const org = await company(app);
    const member = await org.join('sales', { isDefault: true });
    await enter(member.visitor, await discover(app, await registerApplication(app)));
    expect(await loggedFor(member.id)).toMatchObject([{ org_id: org.orgId, action: 1 }]);
  });
});

describe('mails', () => {
  const subjects = async (email: string) => (await app.mails(email)).map(({ subject }) => subject);

  test("access of another provider's application is mailed once, and again when it grows", async () => {
    const { visitor, email } = await confirmed(app);
    const config = await discover(app, await foreign());
    const before = (await app.mails(email)).length;
    await consent(visitor, config, { scope: 'openid email' });
    await enter(visitor, config, { scope: 'openid email' });
    const [mail, ...others] = (await app.mails(email)).slice(before);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Paperboat can now use your account');
    expect(mail?.text).toContain('may see: that it is you, email address.');
    expect(mail?.text).toContain('in My Profile, under Connected applications');
    await consent(visitor, config, { scope: 'openid email phone' });
    expect((await app.mails(email)).slice(before + 1)).toHaveLength(1);
  });

  test('access of a suite application is not mailed, and no mail goes to an unproven address', async () => {
    const { visitor, email } = await confirmed(app);
    const before = await subjects(email);
    await enter(visitor, await discover(app, await registerApplication(app)), { scope: 'openid' });
    expect(await subjects(email)).toEqual(before);
    const unproven = await signedUp(app);
    await consent(unproven.visitor, await discover(app, await foreign()), { scope: 'openid' });
    expect(await subjects(unproven.email)).toEqual(['Confirm your email address']);
  });
});
