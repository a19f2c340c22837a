import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { freePort } from './ports.ts';

export const SOCIAL_CLIENT = { id: 'portico-client', secret: 'a-client-secret-nobody-may-log' };

export type Claims = Record<string, unknown>;

export type TestProvider = {
  readonly url: string;
  person: Claims;
  /** In place of the answer with tokens. */
  misbehaves?: (response: ServerResponse) => unknown;
  close(): Promise<void>;
};

export async function listen(answer: (...of: Parameters<RequestListener>) => unknown, port = 0) {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type Signed = { readonly amr?: string[]; readonly acr?: string; readonly ts?: number };
/** A real OpenID Provider as Google: it requires PKCE and puts every claim into the ID token. */
export async function startGoogle(redirectUri: string): Promise<TestProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people = new Map<string, Claims>();
  const google: Omit<TestProvider, 'url' | 'close'> = { person: { sub: 'nobody' } };
  const port = await freePort();
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: SOCIAL_CLIENT.id,
        client_secret: SOCIAL_CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: [randomUUID()] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile'],
    acrValues: ['phr'],
    claims: {
      openid: ['sub', 'acr', 'amr', 'oid', 'tid', 'acct', 'hd'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['given_name', 'family_name', 'name'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
          ctx.body = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:," />${form}${button}`;
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: SOCIAL_CLIENT.id,
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const { url, close } = await listen((request, response) => {
    if (google.misbehaves && request.url === '/token') return google.misbehaves(response);
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const { sub, amr, acr, auth_time: ts } = google.person;
    const accountId = String(sub);
    people.set(accountId, google.person);
    const login = {
      accountId,
      ...(amr !== undefined && { amr }),
      ...(acr !== undefined && { acr }),
      ...(ts !== undefined && { ts }),
    };
    return provider.interactionFinished(request, response, { login: login as typeof login & Signed });
  }, port);
  return Object.assign(google, { url, close });
}

export async function startFacebook(): Promise<TestProvider> {
  const codes = new Map<string, { person: Claims; challenge: string | null }>();
  const tokens = new Map<string, Claims>();
  const facebook = { person: { id: '0' } as Claims };
  const { url, close } = await listen(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://facebook');
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/dialog') {
      const code = randomUUID();
      codes.set(code, { person: facebook.person, challenge: query.get('code_challenge') });
      const back = new URL(query.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await readText(request));
      const grant = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!grant || grant.challenge !== verifier || form.get('client_secret') !== SOCIAL_CLIENT.secret)
        return json(400, { error: 'invalid_grant' });
      const token = randomUUID();
      tokens.set(token, grant.person);
      return json(200, { access_token: token, token_type: 'bearer', expires_in: 3600 });
    }
    const person = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    return person ? json(200, person) : json(401, { error: { message: 'Invalid OAuth access token.' } });
  });
  return Object.assign(facebook, { url, close });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export const socialEnvironment = (googleUrl: string, facebookUrl: string) => ({
  GOOGLE_LOGIN: '1',
  GOOGLE_CLIENT_ID: SOCIAL_CLIENT.id,
  GOOGLE_CLIENT_SECRET: SOCIAL_CLIENT.secret,
  GOOGLE_ISSUER: googleUrl,
  FACEBOOK_CLIENT_ID: SOCIAL_CLIENT.id,
  FACEBOOK_CLIENT_SECRET: SOCIAL_CLIENT.secret,
  FACEBOOK_AUTHORIZE_URL: `${facebookUrl}/dialog`,
  FACEBOOK_TOKEN_URL: `${facebookUrl}/token`,
  FACEBOOK_USERINFO_URL: `${facebookUrl}/me`,
});

export async function throughProvider(authUrl: string, portalUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(authUrl);
  for (let hops = 0; url.origin !== portalUrl; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location || hops > 9)
      throw new Error(`the provider stopped: ${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
  return url.pathname + url.search;
}
