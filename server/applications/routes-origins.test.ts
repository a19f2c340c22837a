import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { CALLBACK, discover, enter, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

// The pages that may read an answer of the provider in a browser (CORS), P15.
const app = useApp();
const ORIGIN = 'https://pages.example';

/** Registers an application whose pages use its tokens, and signs a person in. */
async function pagesAt(origin: string) {
  const { clientId } = await registerApplication(app, {
    kind: 'single-page',
    redirect_urls: [`${origin}/callback`, CALLBACK],
  });
  const config = await client.discovery(new URL(app.url), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const { visitor } = await founder(app, 'Pages');
  const tokens = await enter(visitor, config);
  return { clientId, token: tokens.access_token, refresh: tokens.refresh_token ?? '' };
}

let pages: Awaited<ReturnType<typeof pagesAt>>;
beforeAll(async () => {
  pages = await pagesAt(ORIGIN);
  await pagesAt('https://other.example');
});

type Call = { readonly path: string; readonly form?: Record<string, string>; readonly bearer?: string };
const callsOf = ({ clientId, token, refresh }: typeof pages): Record<string, Call> => ({
  token: {
    path: '/oidc/token',
    form: { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId },
  },
  userinfo: { path: '/oidc/userinfo', bearer: token },
  introspection: { path: '/oidc/introspection', form: { token, client_id: clientId } },
  'pushed request': {
    path: '/oidc/par',
    form: {
      client_id: clientId,
      redirect_uri: `${ORIGIN}/callback`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    },
  },
  revocation: { path: '/oidc/revocation', form: { token, client_id: clientId } },
});
const names = ['token', 'userinfo', 'introspection', 'pushed request', 'revocation'] as const;
const paths = ['/oidc/jwks', '/.well-known/openid-configuration'];

const callFrom = async (origin: string, { path, form, bearer }: Call) => {
  const { status, headers } = await app.visitor().request(form ? 'POST' : 'GET', path, {
    headers: {
      origin,
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { raw: new URLSearchParams(form).toString() }),
  });
  return { status, reader: headers.get('access-control-allow-origin') };
};

test.for(names)('%s: only a page of the application itself gets and reads an answer (P15)', async (name) => {
  const call = callsOf(pages)[name] ?? { path: '' };
  const foreign = [
    'https://other.example',
    'https://unknown.example',
    `${ORIGIN}:444`,
    ORIGIN.replace('https', 'http'),
    `${ORIGIN}.evil.example`,
    'null',
  ];
  for (const origin of foreign)
    expect([origin, await callFrom(origin, call)]).toEqual([origin, { status: 400, reader: null }]);
  const { status, reader } = await callFrom(ORIGIN, call);
  expect([Math.floor(status / 100), reader]).toEqual([2, ORIGIN]);
});

test.for(names)('%s: no page reads the answers to an application with a secret (P15)', async (name) => {
  const application = await registerApplication(app, { redirect_urls: [`${ORIGIN}/callback`, CALLBACK] });
  const config = await discover(app, application);
  const { visitor } = await founder(app, 'Secret');
  const { access_token: token, refresh_token: refresh = '' } = await enter(visitor, config);
  const { form, ...call } = callsOf({ clientId: application.clientId, token, refresh })[name] ?? { path: '' };
  const proven = form && { ...form, client_secret: application.secret };
  expect(await callFrom(ORIGIN, { ...call, ...(proven && { form: proven }) })).toEqual({
    status: 400,
    reader: null,
  });
});

test.for(paths)('%s: any page reads it', async (path) => {
  expect(await callFrom('https://unknown.example', { path })).toEqual({
    status: 200,
    reader: 'https://unknown.example',
  });
});

test.for([
  ...Object.values(callsOf({ clientId: '', token: '', refresh: '' })).map(({ path }) => path),
  ...paths,
])(
  'preflight at %s: it names no application, so any page may send the request, without cookies',
  async (path) => {
    const { status, headers } = await app.visitor().request('OPTIONS', path, {
      headers: {
        origin: ORIGIN,
        'access-control-request-method': path.includes('jwks') || path.includes('known') ? 'GET' : 'POST',
        'access-control-request-headers': 'authorization,dpop',
      },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN]);
    expect(headers.get('access-control-allow-headers')).toBe('authorization,dpop');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  },
);

test('no page reads another answer of the provider', async () => {
  for (const path of ['/oidc/auth', '/oidc/logout', '/api/user'])
    expect((await callFrom(ORIGIN, { path })).reader).toBeNull();
});
