import * as client from 'openid-client';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { discover, enter, registerApplication, startReceiver } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { founder } from '#server/testing/people.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  [app, receiver] = await Promise.all([startApp(), startReceiver()]);
});
afterEach(() => receiver.forget());
afterAll(async () => {
  await Promise.all([app.close(), receiver.close()]);
});

const GOODBYE = 'https://sign.example/goodbye';
const connected = () => registerApplication(app, { sign_out_url: receiver.url, signed_out_urls: [GOODBYE] });

test('a sign-out sends a logout token with sid and sub', async () => {
  const { visitor } = await founder(app);
  const application = await connected();
  const config = await discover(app, application);
  const tokens = await enter(visitor, config);
  await visitor.delete('/api/logout');
  await app.mails();
  const [token = ''] = receiver.tokens();
  const keys = createRemoteJWKSet(new URL(`${app.url}/oidc/jwks`));
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: app.url,
    audience: application.clientId,
  });
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' });
  expect(payload).toMatchObject({
    sub: tokens.claims()?.sub,
    sid: tokens.claims()?.['sid'],
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(receiver.tokens()).toHaveLength(1);
});

test('the end of a membership tells the applications that were entered for that organization', async () => {
  const org = await company(app);
  const boss = await org.join('superAdmin');
  const member = await org.join('sales');
  const config = await discover(app, await connected());
  await enter(member.visitor, config);
  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: member.id }));
  await app.mails();
  expect(receiver.tokens()).toHaveLength(1);
});

test('a first-party application signs the person out without a page', async () => {
  const { visitor } = await founder(app);
  const config = await discover(app, await connected());
  const tokens = await enter(visitor, config);
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: GOODBYE,
    state: 'bye',
  });
  const response = await visitor.request('GET', url.pathname + url.search);
  expect(response.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  const again = await visitor.request('GET', url.pathname + url.search);
  expect(again.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
});

test('without a hint the person is asked, and only in their own session', async () => {
  const { visitor } = await founder(app);
  const other = await founder(app);
  const response = await visitor.request('GET', '/oidc/logout');
  const page = new URL(response.headers.get('location') ?? '');
  expect(page.pathname).toBe('/signout');
  const request = page.searchParams.get('request');
  expect((await other.visitor.post('/api/authorization/signout', { request })).code).toBe(
    'authorization_expired',
  );
  expect(responseOf(await visitor.post('/api/authorization/signout', { request }))).toEqual({
    url: `${app.url}/login`,
  });
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
});

test('a client that is down is told later', async () => {
  const { visitor } = await founder(app);
  const config = await discover(app, await connected());
  await enter(visitor, config);
  receiver.answerWith(503);
  await visitor.delete('/api/logout');
  await app.mails();
  expect(receiver.tokens()).toHaveLength(1);
  receiver.answerWith(200);
  app.clock.forward(5000);
  await app.mails();
  expect(receiver.tokens()).toHaveLength(2);
});
