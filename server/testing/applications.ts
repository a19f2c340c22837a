import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import type { Insertable } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { randomToken } from '#server/keys.ts';
import { founder } from './people.ts';
import { listen } from './providers.ts';
import type { TestApp } from './start-app.ts';
import { responseOf, type Visitor } from './visitor.ts';

/** Where a test's application receives codes; nothing listens there. */
export const CALLBACK = 'https://sign.example/callback';

export async function registerApplication(
  app: TestApp,
  more: Partial<Insertable<Tables['applications']>> = {},
) {
  const { sql, clock } = app.deps;
  const clientId = `app-${randomToken().slice(0, 12)}`;
  const secret = randomToken();
  const row = { client_id: clientId, name: 'Sign', kind: 'web', is_first_party: true } as const;
  const { id } = await sql
    .insertInto('applications')
    .values({ ...row, redirect_urls: [CALLBACK], created_at: clock.now(), ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secretHash = createHash('sha256').update(secret).digest();
  if (more.kind !== 'single-page')
    await sql
      .insertInto('application_secrets')
      .values({ application_id: id, secret_hash: secretHash, created_at: clock.now() })
      .execute();
  return { id, clientId, secret };
}

export async function openRequest(
  app: TestApp,
  more?: Parameters<typeof registerApplication>[1],
  asked: Record<string, string> = {},
  visitor = app.visitor(),
): Promise<string> {
  const { clientId } = await registerApplication(app, more);
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    ...asked,
  });
  const response = await visitor.request('GET', `/oidc/auth?${query.toString()}`);
  return new URL(response.headers.get('location') ?? '').searchParams.get('request') ?? '';
}

type Credentials = { readonly clientId: string; readonly secret: string };
export const discover = (app: TestApp, { clientId, secret }: Credentials) =>
  client.discovery(new URL(app.url), clientId, secret, undefined, {
    execute: [client.allowInsecureRequests],
  });

export async function authorize(
  visitor: Visitor,
  config: client.Configuration,
  more: Record<string, string> = {},
) {
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
  return { location: response.headers.get('location') ?? '', verifier, state };
}

export async function enter(
  visitor: Visitor,
  config: client.Configuration,
  more: Record<string, string> = {},
) {
  const { location, verifier, state } = await authorize(visitor, config, more);
  return client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

export async function consent(
  visitor: Visitor,
  config: client.Configuration,
  more: Record<string, string> = {},
) {
  const { location, verifier, state } = await authorize(visitor, config, more);
  const request = new URL(location).searchParams.get('request');
  const { url } = responseOf<{ url: string }>(
    await visitor.post('/api/authorization', { request, accept: 1 }),
  );
  const { pathname } = new URL(url);
  const response = await visitor.request('GET', pathname);
  return client.authorizationCodeGrant(config, new URL(response.headers.get('location') ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

export const sendForm = (
  app: TestApp,
  path: string,
  form: Record<string, string>,
  sender?: Credentials,
): Promise<Response> =>
  app.visitor().request('POST', path, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(sender && { authorization: `Basic ${btoa(`${sender.clientId}:${sender.secret}`)}` }),
    },
    raw: new URLSearchParams(form).toString(),
  });

type Redeemed = {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly error?: string;
};

export async function redeem(app: TestApp, sender: Credentials, code: string, verifier: string) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  return (await (await sendForm(app, '/oidc/token', form, sender)).json()) as Redeemed;
}

export async function startReceiver() {
  let tokens: string[] = [];
  let statusOf: (sid: unknown) => number = () => 200;
  const { url, close } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const token = new URLSearchParams(body).get('logout_token') ?? '';
    tokens.push(token);
    response.writeHead(statusOf(decodeJwt(token)['sid'])).end();
  });
  return {
    url: `${url}/signed-out`,
    close,
    tokens: () => tokens,
    forget: () => (tokens = []),
    answerWith: (answer: number | typeof statusOf) =>
      void (statusOf = typeof answer === 'number' ? () => answer : answer),
  };
}

export const VERIFIER = 'v'.repeat(43);

export async function setting(app: TestApp, more: Parameters<typeof registerApplication>[1] = {}) {
  const { visitor } = await founder(app, 'Setting');
  const application = await registerApplication(app, more);
  const request = {
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'the state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  };
  return { app, visitor, application, request, config: await discover(app, application) };
}
type Setting = Awaited<ReturnType<typeof setting>>;

export async function ask({ app, visitor, request }: Setting, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...request, ...more }).toString();
  const response = await visitor.request('GET', `/oidc/auth?${query}`);
  return new URL(response.headers.get('location') ?? '', app.url);
}

export const errorOf = (url: URL | string) => new URL(url).searchParams.get('error');
export const isAtCallback = (url: URL) => url.href.startsWith(`${CALLBACK}?`);
