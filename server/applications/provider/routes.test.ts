import * as client from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLBACK, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const discover = ({ clientId, secret }: { clientId: string; secret: string }) =>
  client.discovery(new URL(app.url), clientId, secret, undefined, {
    execute: [client.allowInsecureRequests],
  });

async function signIn(visitor: Visitor, config: client.Configuration, more: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email organization',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...more,
  });
  const response = await visitor.request('GET', url.pathname + url.search);
  const location = response.headers.get('location') ?? '';
  return { response, location, verifier, state };
}

test('a signed-in person enters an application in one hop', async () => {
  const { visitor, orgId } = await founder(app, 'Hop');
  const config = await discover(await registerApplication(app));
  const { location, verifier, state } = await signIn(visitor, config);
  expect(location).toMatch(/^https:\/\/sign\.example\/callback\?code=/);
  const tokens = await client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const claims = tokens.claims();
  expect(claims?.sub).toMatch(/^[0-9a-f-]{36}$/);
  const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
  expect(info).toMatchObject({ name: 'Maya Lindqvist', org_id: orgId, role: 'Super Admin', org_admin: true });
  const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(again.access_token).toBeTruthy();
  expect(await client.tokenIntrospection(config, again.access_token)).toMatchObject({ active: true });
});

test('a signed-out person comes to the page of the request', async () => {
  const config = await discover(await registerApplication(app));
  const { location } = await signIn(app.visitor(), config);
  expect(location).toMatch(new RegExp(`^${app.url}/authorize\\?request=[\\w-]+$`));
});

test('a token dies with its session', async () => {
  const { visitor } = await founder(app, 'Dies');
  const config = await discover(await registerApplication(app));
  const { location, verifier, state } = await signIn(visitor, config);
  const tokens = await client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  expect((await visitor.delete('/api/logout')).status).toBe(200);
  await expect(
    client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck),
  ).rejects.toMatchObject({ status: 401 });
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
});
