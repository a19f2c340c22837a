// Sets up the OpenID Connect library for our applications, and renews it when its keys change.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { SCOPES } from '#contract/applications/registration.ts';
import { WIRE_NAME } from '#contract/limits.ts';
import {
  acceptOldHints,
  claimsForApi,
  forgiveDroppedScopes,
  keepOfflineAccess,
  secretCheck,
  speakAsAsked,
  takeSessionOfPortico,
} from './adaptations.ts';
import { CLAIMS, claimsOf } from './claims.ts';
import { findPerson } from './data-claims.ts';
import { checkScopes, logErrors, showError, nameHostFirst, noteErrors } from './errors.ts';
import { openSigningKeys, type SigningKey } from './keys.ts';
import { policyOf } from './policy.ts';
import { ACR_VALUES, grantIn } from './rules.ts';
import { leave } from './sign-outs.ts';
import { adapterOf } from './store.ts';
import { currentVisit, visiting, type Visitor } from './visit.ts';
import { brandNow } from '#server/brand/brand.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { inLanguage } from '#server/language.ts';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = DAY_MS / 1000;
const REFRESH_DAYS = { sliding: 14, absolute: 90 };
/** A confidential application's refresh token is replaced after this part of its life. */
const ROTATED_AT_PERCENT = 70;

const epochSeconds = () => Math.floor(Date.now() / 1000);

/** The keys in the provider's order: the newest one that may sign comes first. */
function keySet(keys: readonly SigningKey[], now: Date) {
  const signing = keys.filter(({ signsFrom }) => signsFrom <= now);
  const next = keys.filter(({ signsFrom }) => signsFrom > now);
  return [...signing, ...next];
}

const PROMPTS = ['none', 'login', 'select_account', 'consent', 'create'];

/** A frame shows no page of ours, so its application gets a code or an error. */
const askSilently = ({ oidc }: KoaContextWithOIDC) =>
  void Object.assign(oidc.params ?? {}, { prompt: [...oidc.prompts, 'none'].join(' ') });

const subjectTowards = (clientId: string, subject: string) =>
  createHash('sha256').update(`${clientId} ${subject}`).digest('base64url');

/** The brand's legal pages, in the portal's own language (OpenID Connect Discovery 1.0, section 3). */
function legalPages({ languages }: Deps['config']) {
  const legal = brandNow()?.legal;
  const read = () => legal && { op_policy_uri: legal.privacy(), op_tos_uri: legal.terms() };
  return inLanguage(languages[0] ?? SOURCE_LANGUAGE, read);
}

function configuration(deps: Deps, keys: readonly SigningKey[]): Configuration {
  const { config } = deps;
  const secure = config.publicUrl.protocol === 'https:';
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  const pageOf = (path: string) => new URL(path, config.publicUrl).href;
  return {
    adapter: adapterOf(deps),
    jwks: { keys: keySet(keys, deps.clock.now()).map(({ jwk }) => jwk) },
    scopes: SCOPES,
    acrValues: [...ACR_VALUES],
    claims: { ...CLAIMS, acr: null, amr: null, auth_time: null, iss: null, sid: null },
    responseTypes: ['code'],
    discovery: {
      request_parameter_supported: false,
      prompt_values_supported: PROMPTS,
      ...legalPages(config),
      ui_locales_supported: [...config.languages],
    },
    subjectTypes: ['public', 'pairwise'],
    sectorIdentifierUriValidate: () => false,
    pairwiseIdentifier: (_ctx, accountId, client) => subjectTowards(client.clientId, accountId),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: {
      properties: ['application_id', 'org_id', 'is_first_party', 'apis', 'members_of', 'requires_pkce'],
    },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256', 'RS256'],
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256', 'EdDSA'],
    },
    pkce: {
      required: ({ oidc }, client) => {
        if (client['requires_pkce'] !== false) return true;
        if (oidc.params?.['nonce'] === undefined)
          throw new errors.InvalidRequest('a request without PKCE needs a nonce');
        return false;
      },
    },
    cookies: {
      names: { interaction: `${WIRE_NAME}-oidc-request`, resume: `${WIRE_NAME}-oidc-resume` },
      long: { ...cookie, path: '/' },
      short: cookie,
      keys: deps.keys.map((key) => key.derive('oidc-cookies').toString('base64url')),
    },
    routes: {
      authorization: '/auth',
      end_session: '/logout',
      introspection: '/introspection',
      jwks: '/jwks',
      pushed_authorization_request: '/par',
      revocation: '/revocation',
      token: '/token',
      userinfo: '/userinfo',
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      dPoP: { enabled: true },
      introspection: {
        enabled: true,
        // The suite's servers are APIs, so they may look at each token. Other applications see only their own.
        allowedPolicy: (_ctx, client, token) =>
          token.clientId === client.clientId ||
          (client['is_first_party'] === true && client.clientAuthMethod !== 'none'),
      },
      pushedAuthorizationRequests: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, api, client) => {
          if (!(client as unknown as { readonly apis: readonly string[] }).apis.includes(api))
            throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(' '),
            audience: api,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 5 * MINUTE_SECONDS,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => {
          if (token.clientId === client.clientId) return true;
          throw new errors.InvalidRequest('the token belongs to another application');
        },
      },
      rpInitiatedLogout: { enabled: true },
    },
    extraParams: {
      organization: null,
      scope: (ctx) => {
        checkScopes(ctx, deps);
        keepOfflineAccess(ctx);
        if (currentVisit().isFramed) askSilently(ctx);
      },
    },
    ttl: {
      AccessToken: 5 * MINUTE_SECONDS,
      AuthorizationCode: MINUTE_SECONDS,
      ClientCredentials: 5 * MINUTE_SECONDS,
      Grant: REFRESH_DAYS.absolute * DAY_SECONDS,
      IdToken: 5 * MINUTE_SECONDS,
      Interaction: 60 * MINUTE_SECONDS,
      RefreshToken: (_ctx, token) => {
        const age = epochSeconds() - (token.iiat ?? epochSeconds());
        return Math.max(
          1,
          Math.min(REFRESH_DAYS.sliding * DAY_SECONDS, REFRESH_DAYS.absolute * DAY_SECONDS - age),
        );
      },
      Session: config.sessionAbsoluteHours * 60 * MINUTE_SECONDS,
    },
    extraTokenClaims: (_ctx, token) => claimsForApi(deps, token),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // The store ends tokens with Portico's session.
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    rotateRefreshToken: ({ oidc }) =>
      oidc.client?.clientAuthMethod === 'none' ||
      (oidc.entities.RefreshToken?.ttlPercentagePassed() ?? 0) >= ROTATED_AT_PERCENT,
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((url) => URL.parse(url)?.origin === origin),
    interactions: {
      policy: policyOf(deps),
      url: (ctx, { uid, params }) => {
        speakAsAsked(ctx, deps, params['ui_locales']);
        return pageOf(`/authorize?request=${uid}`);
      },
    },
    loadExistingGrant: async () => undefined,
    findAccount: ({ oidc }, sub) => ({
      accountId: sub,
      claims: async (use, scope) => {
        // The provider keeps these claims for userinfo, unless the access token is for an API.
        if (use === 'id_token' && oidc.entities.AccessToken?.aud === undefined) return { sub };
        const person = await findPerson(deps.sql, grantIn(oidc.grant?.jti));
        const isOwn = typeof oidc.client?.['org_id'] === 'number';
        return { sub, ...(person && claimsOf(deps, person, new Set(scope.split(' ')), isOwn)) };
      },
    }),
    // The library refuses private networks. The operator's own applications may live in one.
    fetch: (url, options) => {
      const { dispatcher: _guard, ...unguarded } = { dispatcher: undefined, ...options };
      return fetch(url, currentVisit().mayReachPrivate ? unguarded : options);
    },
    renderError: (ctx, out, error) => showError(ctx, deps, out, error),
  };
}

/** A provider with these keys. It reads them once, so other keys or legal pages need another provider. */
function createProvider(deps: Deps, keys: readonly SigningKey[]): Provider {
  const provider = new Provider(deps.config.publicUrl.origin, configuration(deps, keys));
  // The forwarded protocol comes from PUBLIC_URL alone, see routes.ts.
  provider.proxy = true;
  Object.assign(provider.Client.prototype, {
    compareClientSecret: secretCheck(deps),
    includeSid: () => true,
  });
  takeSessionOfPortico(provider);
  acceptOldHints(provider, keys);
  forgiveDroppedScopes(provider);
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as KoaContextWithOIDC;
    // The library answers with a form that signs out by script.
    if (oidc?.route === 'end_session' && ctx.status === 200) await leave(ctx as KoaContextWithOIDC, deps);
    await nameHostFirst(ctx as KoaContextWithOIDC, deps);
  });
  noteErrors(provider);
  logErrors(provider, deps);
  return provider;
}

const providers = new WeakMap<Deps, () => Promise<Provider>>();

/** The provider with the current keys; it looks for newer ones once per minute. */
export function currentProvider(deps: Deps): Promise<Provider> {
  const open = providers.get(deps) ?? openProvider(deps);
  providers.set(deps, open);
  return open();
}

function openProvider(deps: Deps): () => Promise<Provider> {
  let current: { readonly names: string; readonly provider: Provider } | undefined;
  let lookAt = 0;
  return async () => {
    const now = deps.clock.now();
    if (current && now.getTime() < lookAt) return current.provider;
    const keys = await openSigningKeys(deps);
    const names = JSON.stringify([keySet(keys, now).map(({ kid }) => kid), legalPages(deps.config)]);
    if (current?.names !== names) current = { names, provider: createProvider(deps, keys) };
    lookAt = now.getTime() + MINUTE_MS;
    return current.provider;
  };
}

type Browser = {
  readonly findVisitor: () => Promise<Visitor | null>;
  /** The network of the request, by which limits count. */
  readonly network: string;
  readonly isFramed: boolean;
};

export const provide = (
  provider: Provider,
  browser: Browser,
  request: IncomingMessage,
  response: ServerResponse,
) => visiting(browser, () => provider.callback()(request, response));
