import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import {
  ask,
  CALLBACK,
  consent,
  discover,
  enter,
  errorOf,
  registerApplication,
  sendForm,
  setting,
} from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
const API = 'https://api.sign.example/';
const SCOPES = 'openid offline_access';

let visitor: Visitor;
let orgId: number;
beforeAll(async () => {
  ({ visitor, orgId } = await founder(app, 'Requests'));
});

test.for(['a plain request', 'consent'])(
  'offline_access is granted without prompt=consent: %s',
  async (way) => {
    const isForeign = way === 'consent';
    const config = await discover(app, await registerApplication(app, { is_first_party: !isForeign }));
    const person = await founder(app, 'Offline');
    const request = { scope: SCOPES };
    const tokens = await (isForeign ? consent : enter)(person.visitor, config, request);
    expect(tokens.scope).toBe(SCOPES);
    responseOf(await person.visitor.delete('/api/logout'));
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).scope).toBe(SCOPES);
  },
);

test('a refresh may repeat scopes that were left out, but asks for no further ones', async () => {
  const config = await discover(app, await registerApplication(app));
  const { refresh_token: token = '' } = await enter(visitor, config, { scope: 'openid address unknown' });
  const refresh = (scope: string) => client.refreshTokenGrant(config, token, { scope });
  expect((await refresh('openid address unknown offline_access')).scope).toBe('openid');
  await expect(refresh('openid email')).rejects.toMatchObject({ error: 'invalid_scope' });
});

test('an application without PKCE needs a nonce (P4)', async () => {
  const at = await setting(app, { requires_pkce: false });
  const { code_challenge: _challenge, code_challenge_method: _method, ...request } = at.request;
  const without = { ...at, request: request as typeof at.request };
  expect(errorOf(await ask(without))).toBe('invalid_request');
  const code = (await ask(without, { nonce: 'n-1' })).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const answer = await sendForm(app, '/oidc/token', form, at.application);
  expect(decodeJwt(((await answer.json()) as { id_token: string }).id_token)['nonce']).toBe('n-1');
});

test.for([true, false])(
  'a token for an API names session and organization, if asked: %s',
  async (isAsked) => {
    const config = await discover(app, await registerApplication(app, { apis: [API] }));
    const scope = isAsked ? 'openid organization' : 'openid';
    const tokens = await enter(visitor, config, { scope, resource: API });
    const { refresh_token: refreshToken = '' } = tokens;
    const refreshed = await client.refreshTokenGrant(config, refreshToken, { resource: API });
    const { access_token: token } = refreshed;
    const { sid, org_id: organization, role, permissions } = decodeJwt(token);
    expect(sid).toBe(tokens.claims()?.['sid']);
    expect([organization, role, typeof permissions]).toEqual(
      isAsked ? [orgId, 'Super Admin', 'object'] : [undefined, undefined, 'undefined'],
    );
  },
);
