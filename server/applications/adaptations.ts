import { createHash, timingSafeEqual } from 'node:crypto';
import {
  errors,
  type KoaContextWithOIDC,
  Provider,
  type AccessToken,
  type ClientCredentials,
} from 'oidc-provider';
import { SCOPES } from '#contract/applications/registration.ts';
import { ASKED_LANGUAGE_COOKIE, matchLanguage } from '#contract/languages.ts';
import { claimsOf } from './claims.ts';
import { findPerson } from './data-claims.ts';
import type { SigningKey } from './keys.ts';
import { grantIn } from './rules.ts';
import { currentVisit } from './visit.ts';
import type { Deps } from '#server/deps.ts';

/** Portico's session is the only one: the provider's is made for each request, and nothing keeps it. */
export function takeSessionOfPortico({ Session }: Provider) {
  Session.get = async (ctx) => {
    const visitor = await currentVisit().findVisitor();
    const session = Object.assign(new Session(), visitor && { uid: String(visitor.sessionId) });
    Object.defineProperty(session, 'destroyed', { value: true });
    (ctx as KoaContextWithOIDC).oidc.entity('Session', session);
    return session;
  };
}

/** Keeps the language that an application asks for, until the browser closes or the person chooses. Ignores unknown ones. */
export function speakAsAsked(ctx: KoaContextWithOIDC, { config }: Deps, asked: unknown) {
  const tags = typeof asked === 'string' ? asked.split(' ') : [];
  const [language] = tags.flatMap((tag) => matchLanguage(tag, config.languages) ?? []);
  if (language === undefined) return;
  const secure = config.publicUrl.protocol === 'https:';
  ctx.cookies.set(ASKED_LANGUAGE_COOKIE, language, {
    path: '/',
    sameSite: 'lax',
    httpOnly: false,
    secure,
    signed: false,
    overwrite: true,
  });
}

type Json = Record<string, unknown>;
/** Header and content of a JWT, unproven. */
function partsOf(token: string): readonly [header: Json, content: Json] {
  const [header, content] = token
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json | null);
  if (!header || !content) throw new Error('no JWT');
  return [header, content];
}

/**
 * Keys leave, but applications keep their ID tokens. A hint that no key can check proves nothing, so a sign-out asks
 * the person. At a sign-in it can only ask for more than no hint: for one certain person.
 */
export function acceptOldHints({ IdToken }: Provider, keys: readonly SigningKey[]) {
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (token, client) => {
    const [header, payload] = partsOf(token);
    const { kid, alg } = header;
    const isOurs = keys.some((key) => key.kid === kid && key.jwk.alg === client.idTokenSignedResponseAlg);
    // All our signatures name their key. The library refuses the others.
    if (isOurs || typeof kid !== 'string' || !/^(ES|RS)256$/.test(String(alg)))
      return validate(token, client);
    // Without `sid` the hint names no session.
    const hint = { header, payload: { ...payload, sid: undefined } };
    Provider.ctx?.oidc.entity('IdTokenHint', hint);
    return hint;
  };
}

const OFFLINE = 'offline_access';

/** The scopes of an authorization request as the application sent them. */
function askedScopes({ method, query, oidc }: KoaContextWithOIDC): string[] {
  const pushed = oidc.entities.PushedAuthorizationRequest;
  const { scope } = (
    pushed?.request ? partsOf(pushed.request)[1] : ((method === 'POST' ? oidc.body : query) ?? {})
  ) as { readonly scope?: unknown };
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** Keeps `offline_access`, which the library drops without `prompt=consent`: our page asks for it (Core 1.0, section 11). */
export function keepOfflineAccess(ctx: KoaContextWithOIDC) {
  const { client, params, requestParamScopes } = ctx.oidc;
  if (!params || !client?.grantTypeAllowed('refresh_token') || requestParamScopes.has(OFFLINE)) return;
  if (askedScopes(ctx).includes(OFFLINE)) params['scope'] = [...requestParamScopes, OFFLINE].join(' ');
}

const isDroppable = (name: string) => name === OFFLINE || !SCOPES.some((known) => known === name);

type Scoped = { readonly scopes: ReadonlySet<string> };
/** Lets a client send its scopes again at a refresh, also those that its authorization left out. */
export function forgiveDroppedScopes({ RefreshToken }: Provider) {
  const find = RefreshToken.find.bind(RefreshToken) as (...named: unknown[]) => Promise<Scoped | undefined>;
  const forgive = async (...named: unknown[]) => {
    const token = await find(...named);
    const params = Provider.ctx?.oidc.params;
    if (token && typeof params?.['scope'] === 'string') {
      const kept = params['scope'].split(' ').filter((name) => !isDroppable(name) || token.scopes.has(name));
      if (kept.length > 0) params['scope'] = kept.join(' ');
    }
    return token;
  };
  Object.assign(RefreshToken, { find: forgive });
}

/** An API sees only its token, so that carries the session and what the scope `organization` grants. */
export async function claimsForApi(deps: Deps, token: AccessToken | ClientCredentials) {
  if (token.kind !== 'AccessToken' || !token.aud) return undefined;
  const isAsked = token.scope?.split(' ').includes('organization');
  const person = isAsked ? await findPerson(deps.sql, grantIn(token.grantId)) : undefined;
  return { sid: token['sid'], ...(person && claimsOf(deps, person, new Set(['organization']))) };
}

type SecretHolder = { readonly clientId: string; readonly clientSecret?: string };

function isSecretOf({ clientSecret = '' }: SecretHolder, sent: string): boolean {
  const hash = createHash('sha256').update(sent).digest();
  return clientSecret
    .split(' ')
    .map((live) => Buffer.from(live, 'hex'))
    .some((live) => live.length === hash.length && timingSafeEqual(live, hash));
}

/** Refuses a network that sends too many wrong secrets; a right one always passes, because strangers may share it. */
export function secretCheck({ limiter, log }: Deps) {
  return async function compareClientSecret(this: SecretHolder, sent: string): Promise<boolean> {
    if (isSecretOf(this, sent)) return true;
    const { network = 'unknown' } = currentVisit();
    const refusal = await limiter.take('wrongSecretsHour', `${this.clientId} ${network}`, network);
    if (!refusal) return false;
    log.info({ client: this.clientId, network, ...refusal.detail }, 'refused');
    Provider.ctx?.set('retry-after', String(refusal.detail.retryAfterSeconds ?? 0));
    throw Object.assign(
      new errors.CustomOIDCProviderError('too_many_requests', 'too many wrong secrets from this network'),
      { statusCode: 429 },
    );
  };
}
