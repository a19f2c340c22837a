// Talks to OpenID Connect providers, ours being the application: it builds the visit and checks the returned identity.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  Configuration,
  type CustomFetch,
  customFetch,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client';
import {
  compactVerify,
  createRemoteJWKSet,
  customFetch as customKeyFetch,
  jwksCache,
  type JWKSCacheInput,
} from 'jose';
import type { ProviderName } from '#contract/social/calls.ts';
import { fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import type { ProviderConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { readBounded } from '#server/guarded-requests.ts';
import { mac, randomToken } from '#server/keys.ts';
import { hasAddress, hasNames, namesIn } from './claims.ts';
import { authBy, byEachWay, type SecretWay, secretWaysOf } from './client-auth.ts';
import { readDocument } from './document.ts';

const METADATA_KEPT_MS = HOUR_MS;
const PROVIDERS_KEPT = 1000;
/** Strangers send logout tokens, and each unknown key asks the provider for its keys again. */
const KEYS_COOLDOWN_MS = 5 * SECOND_MS;

export type Visit = { readonly state: string; readonly verifier: string; readonly nonce: string };
type Purpose = 'social' | 'company';

/** Derives the PKCE verifier and nonce from the browser's values and the site's key, so neither is stored. */
export function visitOf(
  { keys }: Pick<Deps, 'keys'>,
  purpose: Purpose,
  state: string,
  browser: string,
): Visit {
  const key = keys.find(({ id }) => state.startsWith(id)) ?? keys[0];
  const derive = (what: string) =>
    mac(key.derive(`${purpose}-${what}`), `${state}.${browser}`).toString('base64url');
  return { state, verifier: derive('verifier'), nonce: derive('nonce') };
}

/**
 * Visits of one browser share the secret in its cookie, so that they live side by side. The state names its key, because a
 * process with another newest key may get the return.
 */
export function newVisit(deps: Pick<Deps, 'keys'>, purpose: Purpose, cookie: string | undefined) {
  const [{ id }] = deps.keys;
  const browser = cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : randomToken();
  return { browser, visit: visitOf(deps, purpose, id + randomToken().slice(id.length), browser) };
}

type CachedProvider = {
  readonly metadata: ServerMetadata;
  readonly until: Date;
  readonly keys: JWKSCacheInput;
  /** How the provider took the client's secret. */
  secretWay?: SecretWay | undefined;
};

/** The provider's settings. Null without id and secret, and for Google also without `GOOGLE_LOGIN`. */
export const providerOf = (config: Deps['config'], name: ProviderName): ProviderConfig | null =>
  name === 'google' && !config.googleLogin ? null : config[name];

export const callbackUrl = ({ publicUrl }: Deps['config'], name: ProviderName) =>
  new URL(`/api/auth/callback/${name}`, publicUrl);

/** Where to send a person, and where they come back. */
type Asked = {
  readonly redirectUrl: URL;
  readonly visit: Visit;
  readonly more?: Readonly<Record<string, string>>;
};
type Returned = Omit<Asked, 'more'> & { readonly query: URLSearchParams };

/** Talks to providers: one deadline per conversation, no redirects, short answers. It throws on any failure. */
export function openConversations(deps: Pick<Deps, 'config' | 'clock'>, send: CustomFetch) {
  const cache = new Map<string, CachedProvider>();
  function keep(key: string, provider: CachedProvider) {
    cache.delete(key);
    cache.set(key, provider);
    const [oldest] = cache.keys();
    if (cache.size > PROVIDERS_KEPT && oldest !== undefined) cache.delete(oldest);
    return provider;
  }

  /** Prepares a conversation with a provider. Its deadline covers every request. */
  async function converse({ at, clientId, clientSecret }: ProviderConfig) {
    const deadline = AbortSignal.timeout(deps.config.providerPatienceMs);
    const fetch: CustomFetch = async (url, { signal, ...options }) => {
      const signals = AbortSignal.any(signal ? [deadline, signal] : [deadline]);
      const response = await send(url, { ...options, signal: signals });
      // The library would report the challenge in place of the error that the body names.
      response.headers.delete('www-authenticate');
      return response;
    };
    const base = 'issuer' in at ? at.issuer : at.authorize;
    const key = `${base.href} ${clientId}`;
    const cached = cache.get(key);
    async function discover(issuer: URL) {
      if (cached && cached.until > deps.clock.now()) return cached;
      const metadata = await readDocument(issuer, fetch);
      const until = fromNow(deps.clock, METADATA_KEPT_MS);
      return keep(key, { metadata, until, keys: {}, secretWay: cached?.secretWay });
    }
    const openId = 'issuer' in at ? await discover(at.issuer) : undefined;
    function configurationBy(way?: SecretWay) {
      const auth = way && authBy(way, clientSecret);
      const configuration = new Configuration(openId?.metadata ?? metadataOf(at), clientId, undefined, auth);
      configuration[customFetch] = fetch;
      configuration.timeout = deps.config.providerPatienceMs / SECOND_MS;
      if (base.protocol === 'http:') allowInsecureRequests(configuration);
      return configuration;
    }
    /** The keys that verify what the provider signs. An unknown one is asked for after the cooldown. */
    function keysBy({ metadata, keys }: CachedProvider, cooldownDuration: number) {
      if (metadata.jwks_uri === undefined) throw new Error('the provider names no keys');
      return createRemoteJWKSet(new URL(metadata.jwks_uri), {
        cooldownDuration,
        [jwksCache]: keys,
        [customKeyFetch]: (url, { headers, ...options }) =>
          fetch(url, { ...options, body: undefined, headers: Object.fromEntries(headers) }),
      });
    }
    return { configurationBy, keysBy, openId };
  }

  return {
    async addressOf(provider: ProviderConfig, { redirectUrl, visit, more }: Asked) {
      const { configurationBy, openId } = await converse(provider);
      // Nobody should sign in there in vain.
      if (openId) secretWaysOf(openId);
      return buildAuthorizationUrl(configurationBy(), {
        redirect_uri: redirectUrl.href,
        scope: openId ? 'openid email profile' : 'email public_profile',
        state: visit.state,
        code_challenge: await calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
        ...(openId && { nonce: visit.nonce }),
        ...more,
      });
    },

    /** The provider's own sign-out, which leads back; undefined without one that a browser may open. */
    async endSessionAddressOf(provider: ProviderConfig, parameters: Readonly<Record<string, string>>) {
      const { configurationBy, openId } = await converse(provider);
      const address = openId?.metadata.end_session_endpoint;
      if (
        address === undefined ||
        new URL(address).protocol !== new URL(openId?.metadata.issuer ?? '').protocol
      )
        return undefined;
      return buildEndSessionUrl(configurationBy(), { ...parameters });
    },

    /** A provider's keys and its own spelling of its name, which verify that it sent something without a visit. */
    async signerOf(provider: ProviderConfig) {
      const { keysBy, openId } = await converse(provider);
      if (!openId) throw new Error('the provider has no keys');
      return { keys: keysBy(openId, KEYS_COOLDOWN_MS), issuer: openId.metadata.issuer };
    },

    /** The checked claims of the ID token, if there is one, and those that userinfo adds. */
    async claimsOf(provider: ProviderConfig, { redirectUrl, visit, query }: Returned) {
      const { configurationBy, keysBy, openId } = await converse(provider);
      const url = new URL(redirectUrl);
      url.search = query.toString();
      const ways = openId ? secretWaysOf(openId) : (['client_secret_post'] as const);
      const { way, answer: tokens } = await byEachWay(ways, (each) =>
        authorizationCodeGrant(configurationBy(each), url, {
          expectedState: visit.state,
          pkceCodeVerifier: visit.verifier,
          ...(openId && { expectedNonce: visit.nonce, idTokenExpected: true }),
        }),
      );
      const configuration = configurationBy();
      const [signed, idToken] = [tokens.claims(), tokens.id_token];
      if (!openId || !signed || idToken === undefined)
        return 'userInfo' in provider.at
          ? { more: await readUserInfo(configuration, tokens.access_token, provider.at.userInfo) }
          : undefined;
      openId.secretWay = way;
      await compactVerify(idToken, keysBy(openId, 0));
      if (openId.metadata.userinfo_endpoint === undefined || (hasAddress(signed) && hasNames(signed)))
        return { signed, idToken };
      enableNonRepudiationChecks(configuration);
      const asked = fetchUserInfo(configuration, tokens.access_token, signed.sub);
      // Nobody is refused for a missing name, and an address counts from one place only.
      const more = hasAddress(signed) ? await asked.then(namesIn, () => undefined) : await asked;
      return { signed, idToken, more };
    },
  };
}
export type Conversations = ReturnType<typeof openConversations>;

/** The providers of the configuration, which the operator trusts. Their failures are logged and end as undefined. */
export function openProviders(deps: Pick<Deps, 'config' | 'clock' | 'log'>) {
  const conversations = openConversations(deps, boundedFetch);
  const logged = (name: ProviderName) => (error: unknown) => logFailure(deps, name, error);
  return {
    addressOf: (name: ProviderName, provider: ProviderConfig, visit: Visit) =>
      conversations
        .addressOf(provider, { redirectUrl: callbackUrl(deps.config, name), visit })
        .catch(logged(name)),
    /** The checked claims about the person, and those of the signed ID token, if there is one. */
    async claimsOf(name: ProviderName, provider: ProviderConfig, query: URLSearchParams, visit: Visit) {
      const asked = { redirectUrl: callbackUrl(deps.config, name), visit, query };
      const answer = await conversations.claimsOf(provider, asked).catch(logged(name));
      if (!answer) return undefined;
      const { signed, more } = answer;
      return { person: { ...signed, ...(more as object | undefined) }, ...(signed && { signed }) };
    },
  };
}
export type Providers = ReturnType<typeof openProviders>;

const metadataOf = (at: ProviderConfig['at']): ServerMetadata =>
  'issuer' in at
    ? { issuer: at.issuer.href }
    : {
        issuer: at.authorize.origin,
        authorization_endpoint: at.authorize.href,
        token_endpoint: at.token.href,
      };

async function readUserInfo(configuration: Configuration, accessToken: string, url: URL): Promise<unknown> {
  const response = await fetchProtectedResource(configuration, accessToken, url, 'GET');
  if (!response.ok) throw new Error(`userinfo answered ${response.status}`);
  return response.json();
}

/** For the providers of the configuration, which the operator trusts. */
const boundedFetch: CustomFetch = async (url, { body, ...options }) => {
  const response = await fetch(url, {
    ...options,
    // The e2e tests compile this with browser types, which are narrower.
    body: (body ?? null) as Exclude<RequestInit['body'], undefined>,
    redirect: 'manual',
  });
  const text = response.body ? await readBounded(response.body) : '';
  return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
};

/** Logs only codes, because other fields of an error may hold the provider's answer with codes and tokens. */
function logFailure({ log }: Pick<Deps, 'log'>, provider: ProviderName, error: unknown) {
  const [codes, answers]: [string[], unknown[]] = [[], []];
  for (let at = error; at instanceof Error && codes.length < 4; at = at.cause) {
    codes.push('code' in at && typeof at.code === 'string' ? at.code : at.name);
    answers.push((at as { error?: unknown }).error);
  }
  const answer = answers.find(isKnownAnswer);
  log.warn(
    {
      event: 'identity provider failed',
      provider,
      codes,
      ...(answer !== undefined && { answered: answer }),
    },
    'a social sign-in could not go on',
  );
}

/** The standard's error codes. Other text could be anything, because a provider may be hostile. */
const isKnownAnswer = (answer: unknown) =>
  typeof answer === 'string' &&
  /^(invalid_(client|grant|request|scope)|unauthorized_client|unsupported_grant_type)$/.test(answer);
