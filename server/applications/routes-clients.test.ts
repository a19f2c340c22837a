import { Auth } from '@auth/core';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { expect, test } from 'vitest';
import { registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

// Third-party client libraries, each in an application without a socket.

const app = useApp();

const ORIGIN = 'https://app.example';
const SECRET = 'a cookie secret of 32 characters';
const SCOPES = ['openid', 'profile', 'email', 'organization'];

/** Sends requests to an application's handler, and keeps cookies as a browser does. */
function inBrowser(answer: (request: Request) => Promise<Response>) {
  const cookies = new Map<string, string>();
  return async (address: string, body?: { readonly type: string; readonly text: string }) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await answer(
      new Request(new URL(address, ORIGIN), {
        method: body ? 'POST' : 'GET',
        headers: { cookie, origin: ORIGIN, ...(body && { 'content-type': body.type }) },
        ...(body && { body: body.text }),
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}

/** Opens an address of the portal; returns where the person goes on. */
async function throughPortal(visitor: Visitor, address: string) {
  const { pathname, search } = new URL(address);
  return (await visitor.request('GET', pathname + search)).headers.get('location') ?? '';
}

const form = (fields: Record<string, string>) => ({
  type: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
});
const json = (fields: object) => ({ type: 'application/json', text: JSON.stringify(fields) });

test('@auth/core signs in and reads claims', async () => {
  const { visitor, email, urlName } = await founder(app, 'Core');
  const { clientId, secret } = await registerApplication(app, {
    redirect_urls: [`${ORIGIN}/auth/callback/portico`],
    signing_algorithm: 'RS256',
  });
  const browse = inBrowser((request) =>
    Auth(request, {
      basePath: '/auth',
      secret: SECRET,
      trustHost: true,
      providers: [
        {
          id: 'portico',
          name: 'Portico',
          type: 'oidc',
          issuer: app.url,
          clientId,
          clientSecret: secret,
          checks: ['pkce', 'state'],
          idToken: false,
          authorization: { params: { scope: SCOPES.join(' ') } },
          profile: ({ sub, name, email: address, org_url_name: org }) => ({
            id: sub as string,
            name: `${name as string} of ${org as string}`,
            email: address as string,
          }),
        },
      ],
    }),
  );
  const { csrfToken } = (await (await browse('/auth/csrf')).json()) as { csrfToken: string };
  const start = await browse('/auth/signin/portico', form({ csrfToken }));
  const back = await throughPortal(visitor, start.headers.get('location') ?? '');
  await browse(back);
  const session = (await (await browse('/auth/session')).json()) as object;
  expect(session).toMatchObject({ user: { name: `Maya Lindqvist of ${urlName}`, email } });
});

test('Better Auth signs in, reads claims, refreshes and signs out of the portal', async () => {
  const { visitor, email } = await founder(app, 'Better');
  const { clientId, secret } = await registerApplication(app, {
    redirect_urls: [`${ORIGIN}/api/auth/callback/portico`],
    signed_out_urls: [`${ORIGIN}/`],
  });
  const tables = { user: [], session: [], account: [], verification: [] };
  const auth = betterAuth({
    baseURL: ORIGIN,
    secret: SECRET,
    database: memoryAdapter(tables),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'portico',
            discoveryUrl: `${app.url}/.well-known/openid-configuration`,
            clientId,
            clientSecret: secret,
            scopes: SCOPES,
            pkce: true,
          },
        ],
      }),
    ],
  });
  const browse = inBrowser((request) => auth.handler(request));
  const start = await browse('/api/auth/sign-in/social', json({ provider: 'portico', callbackURL: '/' }));
  const { url } = (await start.json()) as { url: string };
  await browse(await throughPortal(visitor, url));
  const session = (await (await browse('/api/auth/get-session')).json()) as object;
  expect(session).toMatchObject({ user: { name: 'Maya Lindqvist', email } });
  const [account] = (await (await browse('/api/auth/list-accounts')).json()) as { id: string }[];
  const tokenBy = async (way: string) => {
    const answer = await browse(`/api/auth/${way}`, json({ accountId: account?.id }));
    return ((await answer.json()) as { accessToken: string }).accessToken;
  };
  const first = await tokenBy('get-access-token');
  expect(await tokenBy('refresh-token')).not.toBe(first);

  const leaving = await browse('/api/auth/sign-out', json({ callbackURL: '/' }));
  const { url: logout } = (await leaving.json()) as { url: string };
  expect(await throughPortal(visitor, logout)).toMatch(`${ORIGIN}/`);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
});
