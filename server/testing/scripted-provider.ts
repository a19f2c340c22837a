import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, SOCIAL_CLIENT } from './providers.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;
type Signer = 'own' | 'another' | 'nobody' | 'client secret';
export type Stage = 'discovery' | 'jwks' | 'token' | 'userinfo';

/** As the standard asks if the client used the header (RFC 6749, 5.2). */
const refuseClient = (response: ServerResponse) =>
  response
    .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="provider"' })
    .end(JSON.stringify({ error: 'invalid_client' }));

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Where a request for tokens has the client's secret. */
async function secretWayOf(request: IncomingMessage) {
  const { authorization = '' } = request.headers;
  const form = new URLSearchParams(await text(request));
  const [, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  if (secret === SOCIAL_CLIENT.secret) return 'client_secret_basic';
  return form.get('client_secret') === SOCIAL_CLIENT.secret ? 'client_secret_post' : 'neither';
}

export async function startScriptedProvider() {
  let { privateKey, publicKey } = newKeys();
  let kid = 'one';
  const other = newKeys().privateKey;
  const state = {
    misbehaves: {} as Partial<Record<Stage, Answer>>,
    /** Changes to the next ID tokens; undefined removes a claim. */
    claims: {} as Record<string, unknown>,
    signedBy: 'own' as Signer,
    /** Changes to the discovery document. */
    metadata: {} as Record<string, unknown>,
    /** Asks for the client's secret, and only in this way. */
    takesSecret: undefined as string | undefined,
    secretWays: [] as string[],
    /** Exchanges the keys at once. */
    exchangeKeys() {
      ({ privateKey, publicKey } = newKeys());
      kid += '-next';
    },
    /** A token with any claims. */
    sign: (claims: object): string => signed(claims, privateKey, 'own', kid),
    /** The nonce of the current sign-in. */
    nonce: '',
    asked: [] as string[],
  };
  const json = (response: ServerResponse, body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const correct: Record<Stage, Answer> = {
    discovery: (response) =>
      json(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...state.metadata,
      }),
    jwks: (response) =>
      json(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid }],
      }),
    token: async (response, request) => {
      if (state.takesSecret !== undefined) {
        const way = await secretWayOf(request);
        state.secretWays.push(way);
        if (way !== state.takesSecret) return refuseClient(response);
      }
      return json(response, {
        access_token: 'an-access-token-nobody-may-log',
        token_type: 'bearer',
        // A plain OAuth request gets no ID token.
        ...(state.nonce !== '' && { id_token: idToken() }),
      });
    },
    userinfo: (response) => json(response, { sub: 'scripted', id: 'scripted' }),
  };
  const paths: Record<string, Stage> = {
    '/.well-known/openid-configuration': 'discovery',
    '/jwks': 'jwks',
    '/token': 'token',
    '/userinfo': 'userinfo',
  };
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      aud: SOCIAL_CLIENT.id,
      sub: 'scripted',
      iat: now,
      exp: now + 60,
      nonce: state.nonce,
      email: 'nobody',
      given_name: 'Nobody',
      ...state.claims,
    };
    return signed(claims, state.signedBy === 'another' ? other : privateKey, state.signedBy, kid);
  };
  const { url, close } = await listen((request, response) => {
    const stage = paths[new URL(request.url ?? '', 'http://provider').pathname];
    state.asked.push(stage ?? request.url ?? '');
    return stage
      ? (state.misbehaves[stage] ?? correct[stage])(response, request)
      : response.writeHead(404).end();
  });
  return Object.assign(state, { url, close });
}
export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

function signed(claims: object, key: KeyObject, by: Signer, kid: string): string {
  const alg = { own: 'RS256', another: 'RS256', nobody: 'none', 'client secret': 'HS256' }[by];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg, kid, typ: 'JWT' })}.${part(claims)}`;
  if (by === 'nobody') return `${token}.`;
  if (by === 'client secret')
    return `${token}.${createHmac('sha256', SOCIAL_CLIENT.secret).update(token).digest('base64url')}`;
  return `${token}.${sign('sha256', Buffer.from(token), key).toString('base64url')}`;
}
