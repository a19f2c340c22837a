import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { sql as raw } from 'kysely';
import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import {
  authorize,
  CALLBACK,
  consent,
  discover,
  enter,
  registerApplication,
  sendForm,
} from '#server/testing/applications.ts';
import { founder, mailedDigest, PASSWORD } from '#server/testing/people.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const API = 'https://api.sign.example/';

let visitor: Visitor;
beforeAll(async () => {
  ({ visitor } = await founder(app, 'Tokens'));
});

/** Registers an application that has keys in place of a secret. */
async function withKeys(kind: 'web' | 'server' = 'web') {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'its-key', alg: 'ES256', use: 'sig' };
  const application = await registerApplication(app, { kind, public_keys: { keys: [jwk] } });
  return { ...application, privateKey, publicKey };
}

/** Registers an application that cannot keep a secret. */
async function publicApplication() {
  const application = await registerApplication(app, { kind: 'single-page' });
  await deleteRows(app, 'application_secrets', { application_id: application.id });
  const config = await client.discovery(new URL(app.url), application.clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  return { ...application, config };
}

const refresh = async (clientId: string, token: string) => {
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: clientId };
  return (await (await sendForm(app, '/oidc/token', form)).json()) as Record<string, string>;
};

test('PAR: a posted form does not pass for a pushed request', async () => {
  const { clientId } = await registerApplication(app, { requires_par: true });
  const form = { client_id: clientId, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' };
  const posted = await sendForm(app, '/oidc/auth', form);
  const answer = await visitor.request('GET', posted.headers.get('location') ?? '');
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
});

test('private_key_jwt: the public key is no HMAC secret, and other keys and headers count for nothing (P11)', async () => {
  const { clientId, privateKey, publicKey } = await withKeys('server');
  const foreign = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(foreign.publicKey);
  const sign = (header: { alg: string } & Record<string, unknown>, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader(header)
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(app.url)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key);
  const use = async (assertion: string) => {
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const form = {
      grant_type: 'client_credentials',
      client_assertion: assertion,
      client_assertion_type: type,
    };
    return (await sendForm(app, '/oidc/token', form)).status;
  };
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
  expect(await use(await sign({ alg: 'HS256' }, secret))).toBe(401);
  expect(await use(await sign({ alg: 'ES256', kid: 'its-key' }, foreign.privateKey))).toBe(401);
  expect(await use(await sign({ alg: 'ES256', jwk }, foreign.privateKey))).toBe(401);
  expect(await use(await sign({ alg: 'ES256', jku: 'https://evil.example/keys' }, foreign.privateKey))).toBe(
    401,
  );
  const right = await sign({ alg: 'ES256', kid: 'its-key' }, privateKey);
  expect(await use(right)).toBe(200);
  expect(await use(right)).toBe(401);
});

test('resource indicators: an API that is not registered is refused', async () => {
  const config = await discover(app, await registerApplication(app, { apis: [API] }));
  const { location } = await authorize(visitor, config, { resource: 'https://other.example/' });
  expect(new URL(location).searchParams.get('error')).toBe('invalid_target');
});

type Founder = Awaited<ReturnType<typeof founder>>;
async function resetPassword({ email }: Founder) {
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
  const body = { digest: await mailedDigest(app, email), password: `${PASSWORD} anew`, timezone: '' };
  return app.visitor().put('/api/resetpassword', body);
}
test.for<[what: string, isServed: boolean, act: (person: Founder) => Promise<Answer>]>([
  ['a sign-out', true, ({ visitor }) => visitor.delete('/api/logout')],
  ['a reset', false, resetPassword],
  [
    'a changed password',
    false,
    ({ visitor }) =>
      visitor.put('/api/changepassword', { current_password: PASSWORD, new_password: `${PASSWORD} anew` }),
  ],
])('offline_access: after %s, the tokens without a session serve: %s', async ([, isServed, act]) => {
  const person = await founder(app, 'Offline');
  const config = await discover(app, await registerApplication(app));
  const more = { scope: 'openid offline_access', prompt: 'consent' };
  const tokens = await consent(person.visitor, config, more);
  responseOf(await act(person));
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: isServed });
  const again = client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(
    await again.then(
      () => true,
      ({ error }: client.ResponseBodyError) => error,
    ),
  ).toBe(isServed || 'invalid_grant');
});

test('rotation: a repeat after 10 s ends every token of the sign-in (P8)', async () => {
  const { clientId, config } = await publicApplication();
  const { refresh_token: first = '' } = await enter(visitor, config);
  const { refresh_token: second = '', access_token: token = '' } = await refresh(clientId, first);
  app.clock.forward(10_000);
  expect((await refresh(clientId, first))['error']).toBe('invalid_grant');
  expect((await refresh(clientId, second))['error']).toBe('invalid_grant');
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.visitor().request('GET', '/oidc/userinfo', { headers })).status).toBe(401);
});

test.for<[number, boolean]>([
  [0, true],
  [69, true],
  [70, false],
])(
  'rotation: after %d %% of its life a confidential application keeps its refresh token: %s',
  async ([percent, isKept]) => {
    const application = await registerApplication(app);
    const config = await discover(app, application);
    const { refresh_token: token = '' } = await enter(visitor, config);
    const life = 14 * 86_400;
    const iat = Math.floor(Date.now() / 1000 - (life * percent) / 100);
    await app.deps.sql
      .updateTable('provider_records')
      .set({ payload: raw`payload || ${JSON.stringify({ iat, exp: iat + life })}::jsonb` })
      .where('application_id', '=', application.id)
      .where('kind', '=', 'RefreshToken')
      .execute();
    expect((await client.refreshTokenGrant(config, token)).refresh_token === token).toBe(isKept);
  },
);

test('lifetimes: a code lives a minute, an access or ID token five, a refresh token 14 days and 90 days in all', async () => {
  const { id, clientId, config } = await publicApplication();
  const tokens = await enter(visitor, config);
  const { refresh_token: first = '' } = tokens;
  const { exp = 0, iat = 0 } = tokens.claims() ?? {};
  expect(exp - iat).toBe(300);
  const { sql, clock } = app.deps;
  const secondsOf = async (kind: string) => {
    const records = sql
      .selectFrom('provider_records')
      .where('application_id', '=', id)
      .where('kind', '=', kind);
    const { latest } = await records
      .select((eb) => eb.fn.max('expires_at').as('latest'))
      .executeTakeFirstOrThrow();
    return Math.round((latest.getTime() - clock.now().getTime()) / 10_000) * 10;
  };
  const day = 86_400;
  expect(await secondsOf('AuthorizationCode')).toBe(60);
  expect(await secondsOf('AccessToken')).toBe(300);
  expect(await secondsOf('RefreshToken')).toBe(14 * day);
  const begun = JSON.stringify({ iiat: Math.floor(Date.now() / 1000) - 89 * day });
  await sql
    .updateTable('provider_records')
    .set({ payload: raw`payload || ${begun}::jsonb`, expires_at: new Date(clock.now().getTime() + 1000) })
    .where('application_id', '=', id)
    .where('kind', '=', 'RefreshToken')
    .execute();
  await refresh(clientId, first);
  expect(await secondsOf('RefreshToken')).toBe(day);
});
