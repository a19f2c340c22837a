import { randomBytes } from 'node:crypto';
import { type ErrorOut, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { SCOPES } from '#contract/applications/registration.ts';
import type { Deps } from '#server/deps.ts';

/** The application and the address of a request, which a developer compares with the registration. */
const requestOf = ({ oidc }: KoaContextWithOIDC) => ({
  client: oidc.params?.['client_id'] ?? oidc.client?.clientId,
  address: oidc.params?.['redirect_uri'] ?? oidc.params?.['post_logout_redirect_uri'],
});

/** Sends the browser to the page of an error. Only the log has the detail, because anybody can write an address. */
export function showError(ctx: KoaContextWithOIDC, { config, log }: Deps, out: ErrorOut, error?: Error) {
  const page = new URL('/authorize', config.publicUrl);
  const reference = randomBytes(6).toString('hex');
  const detail = out.error_description;
  // The library has no error of its own for the address after a sign-out.
  const code = detail === 'post_logout_redirect_uri not registered' ? 'invalid_redirect_uri' : out.error;
  // The page does not find this request and says that it has ended.
  const hasEnded = error instanceof errors.SessionNotFound;
  page.search = new URLSearchParams(hasEnded ? { request: 'ended' } : { error: code, reference }).toString();
  log.warn({ reference, code, detail, ...requestOf(ctx) }, 'an application asked wrongly');
  ctx.status = 303;
  ctx.redirect(page.href);
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

/** Refuses a misspelled scope on a page of ours. The library would drop it, and claims would be missing. */
export function refuseUnknownScopes(ctx: KoaContextWithOIDC) {
  const { scope } = (ctx.method === 'POST' ? ctx.oidc.body : ctx.query) ?? {};
  const names = typeof scope === 'string' ? scope.split(' ') : [];
  const unknown = names.find((name) => name !== '' && !knownScopes.has(name));
  if (unknown === undefined) return;
  const error = new errors.InvalidScope(`there is no scope ${unknown}`, unknown);
  throw Object.assign(error, { allow_redirect: false });
}
