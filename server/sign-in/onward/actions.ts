import { createHash, timingSafeEqual } from 'node:crypto';
import { applications, applicationUrl } from '#contract/applications.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { REDIRECT_CODE_SECONDS } from '#contract/limits.ts';
import type { onward } from '#contract/onward.ts';
import type { redeeming } from '#contract/redeem.ts';
import { permissionOf } from '#contract/roles.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { findAccountById, findUser, holdAccount } from '#server/accounts/data.ts';
import { blockOf, fullName } from '#server/accounts/rules.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken } from '#server/keys.ts';
import { allowedRedirect, redirectOrigins } from '#server/redirects.ts';
import { hasSession } from '#server/sessions/data.ts';
import { siteOf } from '#server/site.ts';
import {
  findDefaultOrgId,
  findMembership,
  findOrgIdAt,
  insertCode,
  useCode,
} from '#server/sign-in/onward/data.ts';

type Who = { readonly userId: UserId; readonly sessionId: SessionId };

/** The application's address that a code would be for: not our own pages, and none that is not on the list. */
function applicationAt({ config }: Deps, asked: string | undefined) {
  const url = allowedRedirect(redirectOrigins(config), asked);
  return url?.origin === config.publicUrl.origin ? undefined : url;
}

/**
 * A one-time code for an application's address, bound to the person, their session, the organization and exactly that
 * address; undefined where there is no application. Whoever asks holds the account, and the session stands.
 */
export async function mintCode(tx: Tx, deps: Deps, who: Who, asked: string | undefined, orgId?: OrgId) {
  if (!applicationAt(deps, asked)) return undefined;
  const code = randomToken();
  await insertCode(tx, {
    ...who,
    code,
    orgId: orgId ?? (await findDefaultOrgId(tx, who.userId)),
    redirectUrl: bound(asked ?? ''),
    expiresAt: fromNow(deps.clock, REDIRECT_CODE_SECONDS * SECOND_MS),
  });
  return code;
}

/** The address a code is bound to: without its fragment, which the application's server never sees. */
const bound = (redirectUrl: string) => redirectUrl.replace(/#.*$/s, '');

/** Where somebody who is signed in goes on to, with a code for its application unless none is wanted. */
export async function redirectTo(deps: Deps, caller: Who, input: Input<typeof onward.redirect>) {
  const url = allowedRedirect(redirectOrigins(deps.config), input.redirectUrl);
  if (!url) return { url: null };
  if (input.withCode === false || !applicationAt(deps, input.redirectUrl)) return { url: url.href };
  return transaction(deps.sql, async (tx) => {
    // Whatever ends the session comes before this, or takes the code along.
    await holdAccount(tx, caller.userId, deps.clock.now());
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const { userId, sessionId } = caller;
    const orgId = input.org === undefined ? input.orgId : await findOrgIdAt(tx, userId, input.org);
    if (orgId === undefined && input.org !== undefined) return refuse('org_not_found');
    const code = await mintCode(tx, deps, { userId, sessionId }, input.redirectUrl, orgId);
    if (code) url.searchParams.set('code', code);
    return { url: url.href };
  });
}

/** Who came with a code, for the server of the application it was minted for. */
export async function redeem(deps: Deps, input: Input<typeof redeeming.redeem>) {
  const secret = secretOf(deps.config, input.redirectUrl);
  if (secret === undefined || !sameText(secret, input.secret)) return refuse('not_allowed');
  const row = await transaction(deps.sql, (tx) =>
    useCode(tx, input.code, bound(input.redirectUrl), deps.clock.now()),
  );
  if (!row) return refuse('digest_invalid');
  if (row.expires_at <= deps.clock.now()) return refuse('digest_expired');
  const account = await findAccountById(deps.sql, row.user_id, deps.clock.now());
  const user = await findUser(deps.sql, row.user_id);
  // Closed within the minute: the code no longer stands for anybody.
  if (!account || !user || blockOf(account)) return refuse('digest_invalid');
  const organization = row.org_id === null ? undefined : await findMembership(deps.sql, user.id, row.org_id);
  return {
    user: { id: user.id, email: user.email, fullName: fullName(user), confirmed: user.confirmed_at !== null },
    organization: organization
      ? { ...organization, rolePermission: permissionOf(organization.rights) }
      : null,
  };
}

/** Only for an address that a code could have been minted for. */
function secretOf({ redirectSecrets }: Pick<Config, 'redirectSecrets'>, redirectUrl: string) {
  const url = allowedRedirect(new Set(redirectSecrets.keys()), redirectUrl);
  return url && redirectSecrets.get(url.origin);
}

/** Compares without telling by its time how much was right. */
const sameText = (a: string, b: string) => {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
};

/** The follow-ups that a sign-in may name with next and base 1; each inside the portal or its applications. */
export async function followUp(deps: Deps, userId: UserId, orgId: OrgId | undefined, path: string) {
  const organization = orgId === undefined ? undefined : await findMembership(deps.sql, userId, orgId);
  const site = siteOf(deps.config);
  const inside = (page: string) => (organization ? `/${organization.urlName}/${page}` : '/');
  const urls: Record<string, string | null> = {
    ...Object.fromEntries(applications.map((one) => [one, applicationUrl(one, site, organization?.urlName)])),
    myapps: inside('myapps'),
    myprofile: inside('myprofile'),
  };
  const url = Object.hasOwn(urls, path) ? urls[path] : undefined;
  return url ? { url } : refuse('not_found');
}
