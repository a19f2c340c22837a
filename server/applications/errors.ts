import { type ErrorOut, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { SCOPES } from '#contract/applications/registration.ts';
import type { OrgId } from '#contract/wire.ts';
import { insertRecord } from './data-records.ts';
import { errorPage, pageOf, LEAVING, type Leaving } from './error-pages.ts';
import { hasOpenedTooMany } from './store.ts';
import { currentVisit } from './visit.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { hostOf } from './rules.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken } from '#server/keys.ts';
import { findCaller } from '#server/members/standing/data.ts';

const requestOf = ({ oidc }: KoaContextWithOIDC) => ({
  client: oidc.params?.['client_id'] ?? oidc.client?.clientId,
  address: oidc.params?.['redirect_uri'] ?? oidc.params?.['post_logout_redirect_uri'],
});

/** The page's words for errors that the library sorts more coarsely, by its description. */
const finerCodes: readonly (readonly [description: RegExp, code: string])[] = [
  [/^post_logout_redirect_uri not registered/, 'invalid_redirect_uri'],
  [/^missing required parameter/, 'missing_parameter'],
  [/id_token_hint/, 'invalid_hint'],
];

export function showError(ctx: KoaContextWithOIDC, deps: Deps, out: ErrorOut, error?: Error) {
  const { error: code, error_description: detail = '' } = out;
  const [, finer = code] = finerCodes.find(([description]) => description.test(detail)) ?? [];
  ctx.status = 303;
  ctx.redirect(
    // The page does not find this request and says that it has ended.
    error instanceof errors.SessionNotFound
      ? pageOf(deps.config, { request: 'ended' })
      : errorPage(deps, finer, { detail, ...requestOf(ctx) }),
  );
}

const LEAVING_MINUTES = 10;
const failed = new WeakSet<object>();
export function noteErrors(provider: Provider) {
  provider.on('authorization.error', (ctx) => failed.add(ctx));
  provider.on('server_error', (ctx) => failed.add(ctx));
}

/** Anybody may found an organization and let a link end anywhere (RFC 9700, 4.11.2). Members trust their own. */
export async function nameHostFirst(ctx: KoaContextWithOIDC, deps: Deps): Promise<void> {
  if (!failed.has(ctx)) return;
  const { client, entities } = ctx.oidc;
  const { findVisitor, isFramed } = currentVisit();
  const orgId = client?.['org_id'] as OrgId | null | undefined;
  const { result } = (entities.Interaction ?? {}) as { readonly result?: { readonly error?: string } };
  // A person who declined has read the host already.
  if (!client || !orgId || isFramed || result?.error) return;
  const { location: url = '' } = ctx.response.headers as { readonly location?: string };
  const isSafe = url !== '' && (hostOf(url) === null || url.startsWith(pageOf(deps.config, {})));
  if (isSafe) return;
  const visitor = await findVisitor();
  if (visitor && (await findCaller(deps.sql, orgId, visitor.userId))) return;
  // A form that posts itself has no address.
  if (url === '') return showError(ctx, deps, { error: 'invalid_request' });
  if (await hasOpenedTooMany(deps)) return showError(ctx, deps, { error: 'temporarily_unavailable' });
  const id = randomToken();
  const { clientId } = client;
  const payload: Leaving = { clientId, url };
  const expiresAt = fromNow(deps.clock, LEAVING_MINUTES * MINUTE_MS);
  await insertRecord(deps, { kind: LEAVING, id, clientId, payload, expiresAt });
  ctx.redirect(pageOf(deps.config, { request: id }));
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

/** Logs the scopes that the provider drops (OpenID Connect Core 1.0, 3.1.2.1): one may be misspelled. */
export function checkScopes(ctx: KoaContextWithOIDC, { log }: Pick<Deps, 'log'>) {
  const { scope } = ((ctx.method === 'POST' ? ctx.oidc.body : ctx.query) ?? {}) as {
    readonly scope?: string;
  };
  const ignored = scope?.split(' ').filter((name) => !knownScopes.has(name)) ?? [];
  if (ignored.length > 0)
    log.warn(
      { ignored: ignored.join(' ').slice(0, 200), ...requestOf(ctx) },
      'an application asked for unknown scopes',
    );
  if (!ctx.oidc.requestParamScopes.has('openid'))
    throw new errors.InvalidScope('the scope openid is missing', 'openid');
}
