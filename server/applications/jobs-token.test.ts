import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorize, discover, enter, errorOf, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { listen } from '#server/testing/providers.ts';
import { useApp } from '#server/testing/use-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

// The rules of OpenID Connect Back-Channel Logout 1.0 for logout tokens, and the conformance suite's plan for it.
// The answers of applications are in routes-delivery.test.ts.
const app = useApp();

type Notice = {
  readonly method: string | undefined;
  readonly headers: Record<string, unknown>;
  readonly form: [string, string][];
};
const notices: Notice[] = [];
let server: Awaited<ReturnType<typeof listen>>;
let entry: JWTPayload;
let clientId = '';
let visitor: Visitor;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method, headers } = request;
    notices.push({ method, headers, form: [...new URLSearchParams(body)] });
    response.end();
  });
  const person = await founder(app, 'Leaving');
  const application = await registerApplication(app, { sign_out_url: `${server.url}/signed-out` });
  ({ visitor } = person);
  ({ clientId } = application);
  config = await discover(app, application);
  const { id_token: hint = '' } = await enter(visitor, config);
  entry = decodeJwt(hint);
  await visitor.request('GET', `/oidc/logout?id_token_hint=${hint}`);
  await app.mails();
});
afterAll(() => server.close());

const verified = () => {
  const keys = createRemoteJWKSet(new URL(`${app.url}/oidc/jwks`));
  return jwtVerify(notices[0]?.form[0]?.[1] ?? '', keys);
};

test('request: one POST of a form that holds the logout token alone, without credentials', () => {
  expect(notices).toHaveLength(1);
  const [{ method, headers, form } = { method: '', headers: {}, form: [] }] = notices;
  expect(method).toBe('POST');
  expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(form.map(([name]) => name)).toEqual(['logout_token']);
  expect([headers['authorization'], headers['cookie']]).toEqual([undefined, undefined]);
});

test('claims: those of the standard and no others, for two minutes at most', async () => {
  const { payload } = await verified();
  expect(payload).toEqual({
    iss: app.url,
    aud: clientId,
    sub: entry.sub,
    sid: entry['sid'],
    jti: expect.stringMatching(/^.{16,}$/) as string,
    iat: expect.closeTo(Date.now() / 1000, -2) as number,
    exp: expect.any(Number) as number,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  const { iat = 0, exp = 0 } = payload;
  expect(exp - iat).toBeGreaterThan(0);
  expect(exp - iat).toBeLessThanOrEqual(120);
});

test('header: the type of logout tokens, the algorithm of the ID token, and a published key', async () => {
  const { protectedHeader } = await verified();
  expect(protectedHeader).toMatchObject({
    typ: 'logout+jwt',
    alg: 'ES256',
    kid: expect.stringMatching(/./),
  });
});

test('afterwards prompt=none fails', async () => {
  const { location } = await authorize(visitor, config, { prompt: 'none' });
  expect(errorOf(location)).toBe('login_required');
});
