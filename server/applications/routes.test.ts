import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { authorize, discover, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('a signed-in person enters an application in one hop', async () => {
  const { visitor, orgId } = await founder(app, 'Hop');
  const config = await discover(app, await registerApplication(app));
  const { location, verifier, state } = await authorize(visitor, config);
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
  const config = await discover(app, await registerApplication(app));
  const { location } = await authorize(app.visitor(), config);
  expect(location).toMatch(new RegExp(`^${app.url}/authorize\\?request=[\\w-]+$`));
});
