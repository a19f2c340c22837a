import { randomBytes } from 'node:crypto';
import { type ErrorOut, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { SCOPES } from '#contract/applications/registration.ts';
import type { Deps } from '#server/deps.ts';

/** The application and the address of a request, which a developer compares with the registration. */
const requestOf = ({ oidc }: KoaContextWithOIDC) => ({
  client: oidc.params?.['client_id'] ?? oidc.client?.clientId,
  address: oidc.params?.['redirect_uri'] ?? oidc.params?.['post_logout_redirect_uri'],
});

/** The address of an error's page. Only the log has the facts, because anybody can write an address. */
export function errorPage(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  code: string,
  facts: object,
): string {
  const reference = randomBytes(6).toString('hex');
  log.warn({ reference, code, ...facts }, 'an application asked wrongly');
  return pageOf(config, { error: code, reference });
}

function pageOf({ publicUrl }: Deps['config'], query: Record<string, string>): string {
  const page = new URL('/authorize', publicUrl);
  page.search = new URLSearchParams(query).toString();
  return page.href;
}

/** Sends the browser to the page of an error. */
export function showError(ctx: KoaContextWithOIDC, deps: Deps, out: ErrorOut, error?: Error) {
  const { error: code, error_description: detail } = scopeErrorOf(ctx, error) ?? out;
  // The library has no error of its own for the address after a sign-out.
  const isAddress = detail === 'post_logout_redirect_uri not registered';
  ctx.status = 303;
  ctx.redirect(
    // The page does not find this request and says that it has ended.
    error instanceof errors.SessionNotFound
      ? pageOf(deps.config, { request: 'ended' })
      : errorPage(deps, isAddress ? 'invalid_redirect_uri' : code, { detail, ...requestOf(ctx) }),
  );
}

/** Answers a request whose writes failed. The provider has handled its own errors by then. */
export function refuseUnwritten(ctx: KoaContextWithOIDC, deps: Deps, error: Error) {
  const isRefused = error instanceof errors.OIDCProviderError;
  if (!isRefused) ctx.oidc.provider.emit('server_error', ctx, error);
  const out = isRefused
    ? { error: error.error, error_description: error.error_description ?? '' }
    : { error: 'server_error' };
  if (['authorization', 'resume'].includes(ctx.oidc.route)) return showError(ctx, deps, out);
  ctx.status = isRefused ? error.statusCode : 500;
  ctx.body = out;
}

/** The answers to servers say little, so the log says why an application got no tokens. */
export function logErrors(provider: Provider, { log }: Deps) {
  provider.on('server_error', (_ctx, error) =>
    log.error({ reason: error.message, stack: error.stack }, 'the provider failed'),
  );
  provider.on('grant.error', (ctx, error) => {
    const { error: code, error_detail: detail = error.error_description } = error;
    // Refused refreshes are normal: sessions end.
    const level = ctx.oidc.params?.['grant_type'] === 'refresh_token' ? 'info' : 'warn';
    log[level]({ code, detail, ...requestOf(ctx) }, 'an application got no tokens');
  });
}

/** Scopes of OpenID Connect Core 1.0 that a library may ask for. */
const knownScopes = new Set<string>([...SCOPES, 'address']);

function unknownScopeOf(ctx: KoaContextWithOIDC): string | undefined {
  const { scope = [] } = ((ctx.method === 'POST' ? ctx.oidc.body : ctx.query) ?? {}) as {
    readonly scope?: string | string[];
  };
  const names = [scope].flat().flatMap((one) => one.split(' '));
  return names.find((name) => name !== '' && !knownScopes.has(name));
}

/** The error of an unknown scope, unless the client or the address is unknown, too. */
function scopeErrorOf(ctx: KoaContextWithOIDC, error?: Error) {
  const isOther = error instanceof errors.InvalidClient || error instanceof errors.InvalidRedirectUri;
  const unknown = isOther ? undefined : unknownScopeOf(ctx);
  if (unknown === undefined) return undefined;
  const scopeError = new errors.InvalidScope(`there is no scope ${unknown}`, unknown);
  return Object.assign(scopeError, { allow_redirect: false });
}

/** Refuses a misspelled scope on a page of ours. The library would drop it, and claims would be missing. */
export function refuseUnknownScopes(ctx: KoaContextWithOIDC) {
  const error = scopeErrorOf(ctx);
  if (error) throw error;
}

/** Keeps a request with a misspelled `openid` on a page of ours. The library would send its error to the application. */
export const keepScopeErrors = (provider: Provider) =>
  provider.on('authorization.error', (ctx, error) => {
    if (scopeErrorOf(ctx, error)) Object.assign(error, { allow_redirect: false });
  });
