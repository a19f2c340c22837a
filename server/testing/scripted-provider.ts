import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, SOCIAL_CLIENT } from '#server/testing/providers.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;
export type Stage = 'discovery' | 'jwks' | 'token' | 'userinfo';

export async function startScriptedProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const state = {
    misbehaves: {} as Partial<Record<Stage, Answer>>,
    /** Changes to the next ID tokens; undefined removes a claim. */
    claims: {} as Record<string, unknown>,
    signedBy: 'own' as 'own' | 'another' | 'nobody' | 'client secret',
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
      }),
    jwks: (response) =>
      json(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }],
      }),
    token: (response) =>
      json(response, {
        access_token: 'an-access-token-nobody-may-log',
        token_type: 'bearer',
        // A plain OAuth request gets no ID token.
        ...(state.nonce !== '' && { id_token: idToken() }),
      }),
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
      ...state.claims,
    };
    return signed(claims, state.signedBy === 'another' ? other : privateKey, state.signedBy);
  };
  const { url, close } = await listen((request, response) => {
    const stage = paths[new URL(request.url ?? '', 'http://provider').pathname];
    state.asked.push(stage ?? request.url ?? '');
    if (stage) (state.misbehaves[stage] ?? correct[stage])(response, request);
    else response.writeHead(404).end();
  });
  return Object.assign(state, { url, close });
}
export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

function signed(claims: object, key: KeyObject, by: ScriptedProvider['signedBy']): string {
  const alg = { own: 'RS256', another: 'RS256', nobody: 'none', 'client secret': 'HS256' }[by];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg, kid: 'one', typ: 'JWT' })}.${part(claims)}`;
  if (by === 'nobody') return `${text}.`;
  if (by === 'client secret')
    return `${text}.${createHmac('sha256', SOCIAL_CLIENT.secret).update(text).digest('base64url')}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
