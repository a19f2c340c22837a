import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  getJwksCache,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { createRemoteJWKSet, customFetch as customKeyFetch } from 'jose';
import type { ProviderName } from '#contract/social/calls.ts';
import { fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import type { ProviderConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { readBounded } from '#server/guarded-requests.ts';
import { mac, randomToken } from '#server/keys.ts';

const METADATA_KEPT_MS = HOUR_MS;
const KEYS_PATIENCE_MS = 5 * SECOND_MS;

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
  keys?: Parameters<typeof setJwksCache>[1] | undefined;
  keySet?: ReturnType<typeof createRemoteJWKSet>;
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

/** Talks to providers: one deadline per conversation, no redirects, at most 64 KB per answer. It throws on any failure. */
export function openConversations(deps: Pick<Deps, 'config' | 'clock'>, send: CustomFetch) {
  const cache = new Map<string, CachedProvider>();

  /** Prepares a conversation with a provider. Its deadline covers every request. */
  async function converse({ at, clientId, clientSecret }: ProviderConfig) {
    const deadline = AbortSignal.timeout(deps.config.providerPatienceMs);
    const fetch: CustomFetch = (url, { signal, ...options }) =>
      send(url, { ...options, signal: signal ? AbortSignal.any([deadline, signal]) : deadline });
    const base = 'issuer' in at ? at.issuer : at.authorize;
    // Only a provider on loopback has plain http.
    const extensions = base.protocol === 'http:' ? [allowInsecureRequests] : [];
    const cached = cache.get(base.href);
    const current = cached && cached.until > deps.clock.now() ? cached : undefined;
    const discover = async (issuer: URL) => {
      const options = { [customFetch]: fetch, execute: extensions };
      const discovered = await discovery(issuer, clientId, clientSecret, undefined, options);
      const fresh: CachedProvider = {
        metadata: discovered.serverMetadata(),
        until: fromNow(deps.clock, METADATA_KEPT_MS),
      };
      cache.set(base.href, fresh);
      return fresh;
    };
    const openId = 'issuer' in at ? (current ?? (await discover(at.issuer))) : undefined;
    const configuration = new Configuration(openId?.metadata ?? metadataOf(at), clientId, clientSecret);
    configuration[customFetch] = fetch;
    configuration.timeout = deps.config.providerPatienceMs / SECOND_MS;
    for (const extend of extensions) extend(configuration);
    if (openId) {
      enableNonRepudiationChecks(configuration);
      if (openId.keys) setJwksCache(configuration, openId.keys);
    }
    return { configuration, openId };
  }

  return {
    async addressOf(provider: ProviderConfig, { redirectUrl, visit, more }: Asked) {
      const { configuration, openId } = await converse(provider);
      return buildAuthorizationUrl(configuration, {
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
    async endSessionAddressOf(provider: ProviderConfig, backUrl: URL) {
      const { configuration, openId } = await converse(provider);
      const address = openId?.metadata.end_session_endpoint;
      if (
        address === undefined ||
        new URL(address).protocol !== new URL(openId?.metadata.issuer ?? '').protocol
      )
        return undefined;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: backUrl.href });
    },

    /** The keys that verify what a provider sends us without a visit. */
    async keysOf(provider: ProviderConfig) {
      const { openId } = await converse(provider);
      const address = openId?.metadata.jwks_uri;
      if (!openId || address === undefined) throw new Error('the provider names no keys');
      return (openId.keySet ??= createRemoteJWKSet(new URL(address), {
        timeoutDuration: KEYS_PATIENCE_MS,
        [customKeyFetch]: (url, { headers, method, signal }) =>
          send(url, {
            headers: Object.fromEntries(headers),
            method,
            signal,
            body: undefined,
            redirect: 'manual',
          }),
      }));
    },

    /** The checked claims of the ID token, if there is one, and of the answer that gives the address. */
    async claimsOf(provider: ProviderConfig, { redirectUrl, visit, query }: Returned) {
      const { configuration, openId } = await converse(provider);
      const url = new URL(redirectUrl);
      url.search = query.toString();
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: visit.state,
        pkceCodeVerifier: visit.verifier,
        ...(openId && { expectedNonce: visit.nonce, idTokenExpected: true }),
      });
      const signed = tokens.claims();
      if (!openId || !signed)
        return 'userInfo' in provider.at
          ? { more: await readUserInfo(configuration, tokens.access_token, provider.at.userInfo) }
          : undefined;
      openId.keys = getJwksCache(configuration);
      // Some providers give the address only at this endpoint, as the standard allows.
      const isElsewhere = signed.email === undefined && openId.metadata.userinfo_endpoint;
      const more: unknown = isElsewhere
        ? await fetchUserInfo(configuration, tokens.access_token, signed.sub)
        : undefined;
      return { signed, more };
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
  const codes: string[] = [];
  for (let at = error; at instanceof Error && codes.length < 4; at = at.cause)
    codes.push('code' in at && typeof at.code === 'string' ? at.code : at.name);
  const answer = (error as { error?: unknown }).error;
  log.warn(
    {
      event: 'identity provider failed',
      provider,
      codes,
      ...(isKnownAnswer(answer) && { answered: answer }),
    },
    'a social sign-in could not go on',
  );
}

/** The standard's error codes. Other text could be anything, because a provider may be hostile. */
const isKnownAnswer = (answer: unknown) =>
  typeof answer === 'string' &&
  /^(invalid_(client|grant|request|scope)|unauthorized_client|unsupported_grant_type)$/.test(answer);
