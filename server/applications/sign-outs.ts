import type { KoaContextWithOIDC } from 'oidc-provider';
import type { applicationSignOut } from '#contract/applications/sign-outs.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { findClient } from './data-clients.ts';
import { isSidOf } from './data-grants.ts';
import { deleteRecord, findRecord, insertRecord } from './data-records.ts';
import { currentVisit } from './visit.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken } from '#server/keys.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { sessionStands } from '#server/sessions/data.ts';
import { signOut } from '#server/sign-in/actions.ts';

type SignOutRequest = { readonly clientId: string | null; readonly url: string };
const KIND = 'SignOut';
const REQUEST_MINUTES = 10;

function addressAfter({ oidc }: KoaContextWithOIDC, { config }: Deps): string {
  const { post_logout_redirect_uri: address, state } = oidc.params as Record<string, string | undefined>;
  if (!address) return new URL('/login', config.publicUrl).href;
  const url = new URL(address);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

/** A first-party application with an ID token of this session ends it at once; else a page asks. */
export async function leave(ctx: KoaContextWithOIDC, deps: Deps): Promise<void> {
  const { oidc } = ctx;
  const url = addressAfter(ctx, deps);
  const visitor = await currentVisit().findVisitor();
  ctx.status = 303;
  if (!visitor) return ctx.redirect(url);
  const { client } = oidc;
  const { sid } = (oidc.entities.IdTokenHint?.payload ?? {}) as { readonly sid?: string };
  if (client?.['is_first_party'] && sid && (await isSidOf(deps.sql, visitor, client.clientId, sid))) {
    await signOut(deps, visitor.userId, visitor.sessionId);
    return ctx.redirect(url);
  }
  const request = randomToken();
  const payload: SignOutRequest = { clientId: client?.clientId ?? null, url };
  const isAsked = await insertRecord(deps, {
    kind: KIND,
    id: request,
    clientId: client?.clientId,
    sessionId: visitor.sessionId,
    payload,
    expiresAt: fromNow(deps.clock, REQUEST_MINUTES * MINUTE_MS),
  });
  // The session may have ended meanwhile, and then there is nothing to ask.
  const hasEnded = !isAsked && !(await sessionStands(deps.sql, visitor.sessionId));
  return ctx.redirect(hasEnded ? url : new URL(`/signout?request=${request}`, deps.config.publicUrl).href);
}

async function findSignOut(deps: Deps, { sessionId }: SessionOwner, id: string) {
  const record = await findRecord(deps, KIND, id);
  return record?.sessionId === sessionId ? (record.payload as SignOutRequest) : undefined;
}

export async function showSignOut(
  deps: Deps,
  caller: SessionOwner,
  { request }: Input<typeof applicationSignOut.showSignOut>,
) {
  const pending = await findSignOut(deps, caller, request);
  if (!pending) return refuse('authorization_expired');
  const client = pending.clientId === null ? undefined : await findClient(deps.sql, pending.clientId);
  return { application: client?.name ?? null, url: pending.url };
}

export async function confirmSignOut(
  deps: Deps,
  caller: SessionOwner,
  { request }: Input<typeof applicationSignOut.confirmSignOut>,
) {
  const pending = await findSignOut(deps, caller, request);
  if (!pending) return refuse('authorization_expired');
  await deleteRecord(deps, KIND, request);
  await signOut(deps, caller.userId, caller.sessionId);
  return { url: pending.url };
}
