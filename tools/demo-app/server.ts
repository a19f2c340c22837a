import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { type Person, personPage, problemPage, visitorPage } from './page.ts';
import { addressesOf, type DemoAppSettings } from './settings.ts';

const COOKIE = 'demo-app';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const BODY_MAX_BYTES = 10_000;

type Attempt = { readonly verifier: string; readonly state: string };
type SignIn = {
  readonly person: Person;
  readonly sub: string;
  readonly sid: string;
  readonly idToken: string;
  /** The open pages, which wait for the end of the sign-in. */
  readonly pages: Set<ServerResponse>;
};
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const randomId = () => randomBytes(24).toString('base64url');
const answerNotFound: Handler = (_request, response) => void response.writeHead(404).end();
function redirect(response: ServerResponse, to: string) {
  response.writeHead(303, { location: to }).end();
}
const idOf = ({ headers }: IncomingMessage) =>
  new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

/**
 * An application that knows the portal only by its discovery address, a client id and a secret. It keeps
 * sign-ins in memory.
 */
export class DemoApp {
  readonly #settings: DemoAppSettings;
  readonly #addresses: ReturnType<typeof addressesOf>;
  readonly #attempts = new Map<string, Attempt>();
  readonly #signIns = new Map<string, SignIn>();
  #portal: Promise<client.Configuration> | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #handlers: Readonly<Record<string, Handler>> = {
    'GET /': (request, response) => this.#showPage(request, response),
    'GET /sign-in': (_request, response) => this.#beginSignIn(response),
    'GET /callback': (request, response) => this.#finishSignIn(request, response),
    'GET /events': (request, response) => this.#waitForEnd(request, response),
    'POST /sign-out': (request, response) => this.#signOut(request, response),
    'POST /logout-tokens': (request, response) => this.#takeLogoutToken(request, response),
  };

  constructor(settings: DemoAppSettings) {
    this.#settings = settings;
    this.#addresses = addressesOf(settings.url);
  }

  async start() {
    this.#server.listen(Number(new URL(this.#settings.url).port), '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', this.#settings.url);
    const handler = this.#handlers[`${request.method} ${pathname}`] ?? answerNotFound;
    try {
      await handler(request, response);
    } catch (error) {
      this.#send(response, 502, (nonce) => problemPage(nonce, (error as Error).message));
    }
  }

  /** The portal's discovery document. After a failure the next sign-in asks again. */
  #discover() {
    const { portal, client_id: id, client_secret: secret } = this.#settings;
    this.#portal ??= client
      .discovery(new URL(portal), id, secret, undefined, {
        // On this machine there is no TLS.
        execute: portal.startsWith('http:') ? [client.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        this.#portal = undefined;
        throw new Error(`The portal does not answer at ${portal}: ${(error as Error).message}`);
      });
    return this.#portal;
  }

  #send(response: ServerResponse, status: number, page: (nonce: string) => string) {
    const nonce = randomId();
    const policy = [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      // The form's answer leads to the portal.
      `form-action 'self' ${this.#settings.portal}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ];
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
    });
    response.end(page(nonce));
  }

  #showPage(request: IncomingMessage, response: ServerResponse) {
    const signIn = this.#signIns.get(idOf(request));
    this.#send(response, 200, (nonce) => (signIn ? personPage(nonce, signIn.person) : visitorPage(nonce)));
  }

  async #beginSignIn(response: ServerResponse) {
    const portal = await this.#discover();
    const attempt = { verifier: client.randomPKCECodeVerifier(), state: client.randomState() };
    const id = randomId();
    this.#attempts.set(id, attempt);
    response.setHeader('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    const address = client.buildAuthorizationUrl(portal, {
      redirect_uri: this.#addresses.callback,
      scope: 'openid profile email organization',
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
    });
    redirect(response, address.href);
  }

  async #finishSignIn(request: IncomingMessage, response: ServerResponse) {
    const attempt = this.#attempts.get(idOf(request));
    if (!attempt) return redirect(response, '/sign-in');
    this.#attempts.delete(idOf(request));
    const portal = await this.#discover();
    const tokens = await client.authorizationCodeGrant(
      portal,
      new URL(request.url ?? '', this.#settings.url),
      {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
      },
    );
    const claims = tokens.claims();
    if (!claims) throw new Error('The portal sent no id token.');
    const { sub, sid } = claims;
    const person = (await client.fetchUserInfo(portal, tokens.access_token, sub)) as Person;
    // A new id, because the old one was known before the sign-in.
    const id = randomId();
    this.#signIns.set(id, {
      person,
      sub,
      sid: typeof sid === 'string' ? sid : '',
      idToken: tokens.id_token ?? '',
      pages: new Set(),
    });
    response.setHeader('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    redirect(response, '/');
  }

  #waitForEnd(request: IncomingMessage, response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const signIn = this.#signIns.get(idOf(request));
    // The sign-in may have ended before the page opened this connection.
    if (!signIn) return tellEnd(response);
    response.flushHeaders();
    signIn.pages.add(response);
    response.once('close', () => signIn.pages.delete(response));
  }

  async #signOut(request: IncomingMessage, response: ServerResponse) {
    const signIn = this.#signIns.get(idOf(request));
    if (!signIn) return redirect(response, '/');
    const address = client.buildEndSessionUrl(await this.#discover(), {
      id_token_hint: signIn.idToken,
      post_logout_redirect_uri: this.#addresses.signedOut,
    });
    this.#end(idOf(request), signIn);
    redirect(response, address.href);
  }

  /** Ends the sign-ins that a logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
  async #takeLogoutToken(request: IncomingMessage, response: ServerResponse) {
    const payload = await this.#claimsOf(
      new URLSearchParams(await bodyOf(request)).get('logout_token') ?? '',
    );
    const isLogout =
      LOGOUT_EVENT in ((payload['events'] as object | undefined) ?? {}) && !('nonce' in payload);
    if (isLogout)
      for (const [id, signIn] of this.#signIns)
        if (payload['sid'] === undefined ? payload['sub'] === signIn.sub : payload['sid'] === signIn.sid)
          this.#end(id, signIn);
    response.writeHead(isLogout ? 200 : 400, { 'cache-control': 'no-store' }).end();
  }

  /** The claims of a logout token; none if it is not valid. */
  async #claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, jwks_uri: keys = '' } = (await this.#discover()).serverMetadata();
    const options = { issuer, audience: this.#settings.client_id, typ: 'logout+jwt', maxTokenAge: '2m' };
    try {
      return (await jwtVerify(token, createRemoteJWKSet(new URL(keys)), options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return {};
      throw error;
    }
  }

  #end(id: string, { pages }: SignIn) {
    this.#signIns.delete(id);
    for (const page of pages) tellEnd(page);
  }
}

function tellEnd(page: ServerResponse) {
  page.end('event: signed-out\ndata: \n\n');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) {
    body += String(piece);
    if (body.length > BODY_MAX_BYTES) throw new Error('The request is too large.');
  }
  return body;
}
