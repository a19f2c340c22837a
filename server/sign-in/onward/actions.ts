import { timingSafeEqual } from 'node:crypto';
import { applications, applicationUrl } from '#contract/applications/cards.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { REDIRECT_CODE_SECONDS } from '#contract/limits.ts';
import type { onward } from '#contract/sign-in/onward.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { redeeming } from '#contract/sign-in/redeem.ts';
import { permissionOf } from '#contract/roles/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { findFacts } from '#server/access/data.ts';
import { isAccountProven, sortOrganizations, whyNoEntry } from '#server/access/rules.ts';
import { findAccountById, findUser } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { allowedRedirect } from '#server/redirects.ts';
import { inSession, type SessionOwner } from '#server/sessions/actions.ts';
import { siteOf } from '#server/site.ts';
import { findDefaultOrgId, findMembership, findOrgIdAt, insertCode, useCode } from './data.ts';

/** The URL of a registered application. Undefined for the portal's own pages and any other address. */
function applicationAt({ config }: Deps, redirectUrl: string | undefined) {
  const url = allowedRedirect(config, redirectUrl);
  return url?.origin === config.publicUrl.origin ? undefined : url;
}

/**
 * For one person, session, organization and exact address; undefined if a company alone speaks for the session, and not
 * for the account. Lock the account and check the session first.
 */
export async function mintCode(
  tx: Tx,
  deps: Deps,
  caller: SessionOwner,
  redirectUrl: string | undefined,
  orgId?: OrgId,
) {
  if (redirectUrl === undefined || !applicationAt(deps, redirectUrl)) return undefined;
  if (!isAccountProven(await findFacts(tx, caller.sessionId))) return undefined;
  return storeNewCode(tx, deps, caller, redirectUrl, orgId);
}

async function storeNewCode(
  tx: Tx,
  deps: Deps,
  { userId, sessionId }: SessionOwner,
  redirectUrl: string,
  orgId: OrgId | undefined,
) {
  const code = randomToken();
  await insertCode(tx, {
    code_hash: sha256(code),
    user_id: userId,
    session_id: sessionId,
    org_id: orgId ?? (await findDefaultOrgId(tx, userId)),
    redirect_url: withoutFragment(redirectUrl),
    expires_at: fromNow(deps.clock, REDIRECT_CODE_SECONDS * SECOND_MS),
  });
  return code;
}

/** A code is bound to this, because the application's server never sees the fragment. */
const withoutFragment = (redirectUrl: string) => redirectUrl.replace(/#.*$/s, '');

/** The allowed address to go on to, with a code for its application unless `withCode` is false. */
export async function redirectTo(deps: Deps, caller: SessionOwner, input: Input<typeof onward.redirect>) {
  const url = allowedRedirect(deps.config, input.redirectUrl);
  if (!url) return { url: null };
  if (input.withCode === false || !applicationAt(deps, input.redirectUrl)) return { url: url.href };
  // Locks the account, so that a concurrent sign-out also deletes this code.
  return inSession(deps, caller, async (tx) => {
    const { userId, sessionId } = caller;
    const facts = await findFacts(tx, sessionId);
    // Before the account's proof nothing tells whether the person belongs to an organization.
    if (!isAccountProven(facts)) return refuse('account_proof_required');
    const orgId = input.org === undefined ? input.orgId : await findOrgIdAt(tx, userId, input.org);
    if (orgId === undefined && input.org !== undefined) return refuse('org_not_found');
    const membership = facts.memberships.find((one) => one.orgId === orgId);
    const reason = membership && whyNoEntry(membership, facts.session, deps.clock.now());
    if (reason) return refuse(reason);
    const code = await storeNewCode(tx, deps, caller, input.redirectUrl, orgId);
    url.searchParams.set('code', code);
    return { url: url.href };
  });
}

export async function redeem(deps: Deps, input: Input<typeof redeeming.redeem>) {
  const { redirectSecrets } = deps.config;
  const url = allowedRedirect(deps.config, input.redirectUrl, new Set(redirectSecrets.keys()));
  const secret = url && redirectSecrets.get(url.origin);
  if (secret === undefined || !isSameText(secret, input.secret)) return refuse('not_allowed');
  const row = await transaction(deps.sql, (tx) =>
    useCode(tx, input.code, withoutFragment(input.redirectUrl), deps.clock.now()),
  );
  if (!row) return refuse('digest_invalid');
  if (row.expires_at <= deps.clock.now()) return refuse('digest_expired');
  const account = await findAccountById(deps.sql, row.user_id, deps.clock.now());
  const user = await findUser(deps.sql, row.user_id);
  // An account closed after the code was made voids the code.
  if (!account || !user || blockOf(account)) return refuse('digest_invalid');
  const facts = await findFacts(deps.sql, row.session_id);
  if (facts.session === null || !isAccountProven(facts)) return refuse('digest_invalid');
  const orgId = sortOrganizations(facts, deps.clock.now()).open.find((id) => id === row.org_id);
  const organization = orgId && (await findMembership(deps.sql, user.id, orgId));
  return {
    user: {
      id: user.id,
      email: user.email,
      fullName: personName(user.first_name, user.last_name, user.email),
      confirmed: user.confirmed_at !== null,
    },
    organization: organization
      ? { ...organization, rolePermission: permissionOf(organization.rights) }
      : null,
  };
}

/** Compares in constant time. The hashes have equal lengths, which `timingSafeEqual` needs. */
const isSameText = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b));

export async function followUp(deps: Deps, userId: UserId, orgId: OrgId | undefined, path: string) {
  const organization = orgId === undefined ? undefined : await findMembership(deps.sql, userId, orgId);
  const site = siteOf(deps.config);
  const pageUrl = (page: string) => (organization ? `/${organization.urlName}/${page}` : '/');
  const urls: Record<string, string | null> = {
    ...Object.fromEntries(
      applications.map((name) => [name, applicationUrl(name, site, organization?.urlName)]),
    ),
    myapps: pageUrl('myapps'),
    myprofile: pageUrl('myprofile'),
  };
  const url = Object.hasOwn(urls, path) ? urls[path] : undefined;
  return url ? { url } : refuse('not_found');
}
