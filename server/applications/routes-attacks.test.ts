import * as client from 'openid-client';
import { expect, test } from 'vitest';
import {
  ask,
  CALLBACK,
  consent,
  discover,
  enter,
  errorOf,
  isAtCallback,
  redeem,
  registerApplication,
  sendForm,
  setting,
  VERIFIER,
} from '#server/testing/applications.ts';
import { deactivate, founder } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

// The attacks of RFC 9700, and others on the OpenID provider.
const app = useApp();

/** The status of userinfo for a token. */
async function statusOf(token: string | undefined) {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.visitor().request('GET', '/oidc/userinfo', { headers })).status;
}

/** The headers of a browser. Programs would get errors as JSON. */
const asPage = { headers: { accept: 'text/html' } };

const codeIn = (url: URL | string) => new URL(url).searchParams.get('code') ?? '';
const requestIn = (url: URL | string) => new URL(url).searchParams.get('request') ?? '';

/** Answers a request on its page, and returns the address to which the browser goes on. */
async function goOn(visitor: Visitor, request: string, more: object = {}) {
  const answer = await visitor.post('/api/authorization', { request, accept: 1, ...more });
  const { url } = responseOf<{ url: string }>(answer);
  const { headers } = await visitor.request('GET', new URL(url).pathname);
  return headers.get('location') ?? '';
}

test.for([
  'https://sign.example.evil.example/callback',
  'https://sign.example/callback/../evil',
  'https://sign.example/callback#fragment',
  'https://user@sign.example/callback',
  'http://sign.example/callback',
  'https://sign.example:444/callback',
  'HTTPS://SIGN.EXAMPLE/callback',
  'javascript:alert(1)',
  '//evil.example',
])('no code and no error goes to %s (P1)', async (redirect) => {
  const at = await setting(app);
  for (const more of [{}, { response_type: 'token' }, { prompt: 'none' }]) {
    const url = await ask(at, { redirect_uri: redirect, ...more });
    expect([url.origin, url.pathname]).toEqual([app.url, '/authorize']);
  }
});

test('each answer to an application names the issuer (P2)', async () => {
  const at = await setting(app);
  for (const more of [{}, { response_type: '' }, { prompt: 'none login' }])
    expect((await ask(at, more)).searchParams.get('iss')).toBe(app.url);
});

test('a code serves neither another application nor another redirect address (P3)', async () => {
  const other = 'https://sign.example/other';
  const at = await setting(app, { redirect_urls: [CALLBACK, other] });
  const code = codeIn(await ask(at));
  const thief = await registerApplication(app);
  expect((await redeem(app, thief, code, VERIFIER)).error).toBe('invalid_grant');
  const form = { grant_type: 'authorization_code', code, redirect_uri: other, code_verifier: VERIFIER };
  expect(await (await sendForm(app, '/oidc/token', form, at.application)).json()).toMatchObject({
    error: 'invalid_grant',
  });
  expect((await redeem(app, at.application, code, VERIFIER)).access_token).toBeTruthy();
});

test.for([
  { code_challenge: '', code_challenge_method: '' },
  { code_challenge: VERIFIER, code_challenge_method: 'plain' },
  { code_challenge: VERIFIER, code_challenge_method: '' },
])('a request with PKCE $code_challenge_method of "$code_challenge" is refused (P4)', async (more) => {
  const url = await ask(await setting(app), more);
  expect([isAtCallback(url), errorOf(url)]).toEqual([true, 'invalid_request']);
});

test('a code without its verifier is worthless (P4)', async () => {
  const at = await setting(app);
  const form = { grant_type: 'authorization_code', code: codeIn(await ask(at)), redirect_uri: CALLBACK };
  expect(await (await sendForm(app, '/oidc/token', form, at.application)).json()).toMatchObject({
    error: 'invalid_grant',
  });
});

test('another application neither introspects nor revokes a token, and takes no ID token for its own (P5)', async () => {
  const { visitor, config } = await setting(app);
  const tokens = await enter(visitor, config);
  const other = await registerApplication(app, { is_first_party: false });
  const foreign = await discover(app, other);
  expect(await client.tokenIntrospection(foreign, tokens.access_token)).toEqual({ active: false });
  await expect(client.tokenRevocation(foreign, tokens.access_token)).rejects.toMatchObject({
    error: 'invalid_request',
  });
  expect(await statusOf(tokens.access_token)).toBe(200);
  const query = new URLSearchParams({ id_token_hint: tokens.id_token ?? '', client_id: other.clientId });
  const answer = await visitor.request('GET', `/oidc/logout?${query.toString()}`, asPage);
  expect(errorOf(answer.headers.get('location') ?? '')).toBe('invalid_hint');
});

test('each third-party application knows a person by another name (P5)', async () => {
  const { visitor } = await founder(app, 'Pairs');
  const subjects = new Set();
  for (let applications = 0; applications < 2; applications += 1) {
    const config = await discover(app, await registerApplication(app, { is_first_party: false }));
    subjects.add((await consent(visitor, config)).claims()?.sub);
  }
  expect(subjects.size).toBe(2);
});

test('an organization of which the person is no member is refused, never replaced (P6)', async () => {
  const at = await setting(app);
  const { urlName } = await founder(app, 'Elsewhere');
  for (const organization of [urlName, 'no-such-organization']) {
    const url = await ask(at, { organization, scope: 'openid organization', prompt: 'none' });
    expect([isAtCallback(url), errorOf(url)]).toEqual([true, 'access_denied']);
  }
});

test('blocking a person invalidates their unused codes (P7)', async () => {
  const at = await setting(app);
  const code = codeIn(await ask(at));
  await deactivate(app, await personOf(at.visitor));
  expect((await redeem(app, at.application, code, VERIFIER)).error).toBe('invalid_grant');
});

const personOf = async (visitor: Visitor) => ({
  id: responseOf<{ id: number }>(await visitor.get('/api/user')).id,
});

test("a person who answers another browser's request gives nobody their code (P12)", async () => {
  const attacker = await setting(app, { is_first_party: false });
  const request = requestIn(await ask(attacker));
  const victim = await founder(app, 'Victim');
  const { url } = responseOf<{ url: string }>(
    await victim.visitor.post('/api/authorization', { request, accept: 1 }),
  );
  const there = await victim.visitor.request('GET', new URL(url).pathname);
  expect(new URL(there.headers.get('location') ?? '').pathname).toBe('/authorize');
  // The attacker is asked, because only their own consent counts.
  const here = await attacker.visitor.request('GET', new URL(url).pathname);
  expect(new URL(here.headers.get('location') ?? '').pathname).toBe('/authorize');
  expect(errorOf(here.headers.get('location') ?? '')).toBeNull();
});

test('another person who signs in mid-way is asked again, and gets their own code (P12)', async () => {
  const at = await setting(app, { is_first_party: false });
  const request = requestIn(await ask(at));
  const { url } = responseOf<{ url: string }>(
    await at.visitor.post('/api/authorization', { request, accept: 1 }),
  );
  const other = await founder(app, 'Second');
  const cookie = other.visitor.cookies.get('portico') ?? '';
  at.visitor.cookies.set('portico', cookie);
  const next = await at.visitor.request('GET', new URL(url).pathname);
  const page = next.headers.get('location') ?? '';
  expect(new URL(page).pathname).toBe('/authorize');
  const code = codeIn(await goOn(at.visitor, requestIn(page)));
  const tokens = await redeem(app, at.application, code, VERIFIER);
  const own = await enter(other.visitor, at.config, { scope: 'openid' });
  const info = await client.fetchUserInfo(at.config, tokens.access_token ?? '', client.skipSubjectCheck);
  expect(info.sub).toBe(own.claims()?.sub);
});

test.for(['in', 'out'])(
  "somebody else's proof does not count for the person of a request that began signed %s (P12)",
  async (start) => {
    const at = await setting(app);
    const session = at.visitor.cookies.get('portico') ?? '';
    if (start === 'out') at.visitor.cookies.delete('portico');
    app.clock.forward(1000);
    const request = requestIn(await ask(at, { prompt: 'login' }));
    const other = await founder(app, 'Prover');
    const { url } = responseOf<{ url: string }>(
      await other.visitor.post('/api/authorization', { request, accept: 1 }),
    );
    at.visitor.cookies.set('portico', session);
    const back = await at.visitor.request('GET', new URL(url).pathname);
    expect(new URL(back.headers.get('location') ?? '').pathname).toBe('/authorize');
  },
);

test('no answer of the provider can be framed, cached or leaked as a referrer (P13)', async () => {
  const at = await setting(app);
  const query = new URLSearchParams(at.request).toString();
  for (const path of [`/oidc/auth?${query}`, '/oidc/auth', '/oidc/logout', '/oidc/userinfo']) {
    const { headers } = await at.visitor.request('GET', path);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('neither the log nor a record holds a code, token, secret or verifier (P14)', async () => {
  const at = await setting(app);
  const code = codeIn(await ask(at));
  const tokens = await redeem(app, at.application, code, VERIFIER);
  const records = await listRows(app, 'provider_records', ['family', 'payload']);
  await redeem(app, at.application, code, VERIFIER);
  await redeem(app, { ...at.application, secret: 'a wrong secret' }, code, VERIFIER);
  await sendForm(app, '/oidc/auth', { ...at.request, id_token_hint: tokens.id_token ?? '' });
  await ask(at, { id_token_hint: tokens.id_token ?? '', prompt: 'none' });
  const log = app.logLines.join('\n');
  const { access_token: access = '', id_token: id = '', refresh_token: refresh = '' } = tokens;
  for (const secret of [code, access, id, refresh, at.application.secret, VERIFIER, 'a wrong secret'])
    expect(log.includes(secret)).toBe(false);
  for (const secret of [code, access, refresh, at.application.secret, VERIFIER])
    expect(JSON.stringify(records).includes(secret)).toBe(false);
});
