import { oauthProvider, oauthProviderOpenIdConfigMetadata } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import { freePort } from './ports.ts';
import { ProviderBrowser } from './provider-browser.ts';
import { listen } from './providers.ts';

const TABLES =
  'user session account verification jwks oauthClient oauthResource oauthClientResource oauthRefreshToken oauthAccessToken oauthConsent oauthClientAssertion';
const password = 'sturdy arch 42';

/** Starts Better Auth as an OpenID Provider with its defaults, which knows the portal as a client. */
export async function startBetterAuth(redirectUrl: string, logoutUrl: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const auth = betterAuth({
    baseURL: origin,
    secret: 'a cookie secret of 32 characters',
    database: memoryAdapter(Object.fromEntries(TABLES.split(' ').map((name) => [name, []]))),
    emailAndPassword: { enabled: true },
    disabledPaths: ['/token'],
    plugins: [jwt(), oauthProvider({ loginPage: '/login', consentPage: '/consent' })],
  });
  const issuer = `${origin}/api/auth`;
  const answer = toNodeHandler(auth);
  const describe = oauthProviderOpenIdConfigMetadata(auth);
  const { close } = await listen(async (request, response) => {
    // Our browsers are `fetch`, which cannot say so.
    if (request.method === 'GET') request.headers['sec-fetch-mode'] = 'navigate';
    const { pathname, href } = new URL(request.url ?? '', origin);
    if (pathname !== '/api/auth/.well-known/openid-configuration') return answer(request, response);
    return response.end(await (await describe(new Request(href))).text());
  }, port);
  const signUp = (name: string, email: string) =>
    auth.api.signUpEmail({ body: { name, email, password }, returnHeaders: true });
  const { headers } = await signUp('Olga Berg', 'operator@northwind.example');
  const { client_id: clientId, client_secret: secret = '' } = await auth.api.adminCreateOAuthClient({
    headers: { cookie: headers.getSetCookie().join('; ') },
    body: { client_name: 'Portico', redirect_uris: ['https://portico.example'], enable_end_session: true },
  });
  const { adapter, internalAdapter } = await auth.$context;
  // Its forms take no address on localhost.
  await adapter.update({
    model: 'oauthClient',
    where: [{ field: 'clientId', value: clientId }],
    update: {
      redirectUris: [redirectUrl],
      postLogoutRedirectUris: [redirectUrl],
      backchannelLogoutUri: logoutUrl,
    },
  });
  return {
    issuer,
    clientId,
    secret,
    /** Adds a person; returns their browser, which is signed in. */
    async person(name: string, email: string): Promise<ProviderBrowser> {
      await signUp(name, email);
      const browser = new ProviderBrowser(origin);
      await browser.request('POST', '/api/auth/sign-in/email', { email, password });
      return browser;
    },
    verify: (email: string) => internalAdapter.updateUserByEmail(email, { emailVerified: true }),
    /** Decides on the page that asks whether the portal may know the person; returns the address that follows. */
    async decide(browser: ProviderBrowser, page: URL, accept: boolean): Promise<URL> {
      const asked = { accept, oauth_query: page.search.slice(1) };
      const decided = await browser.request('POST', '/api/auth/oauth2/consent', asked);
      return new URL(((await decided.json()) as { url: string }).url);
    },
    close,
  };
}
