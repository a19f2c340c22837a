import * as z from 'zod/mini';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { countryOfZone } from '#contract/countries.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { email as emailField } from '#contract/fields.ts';
import { type ProviderName, providerNames, SOCIAL_SIGN_IN_MINUTES } from '#contract/social.ts';
import { type SocialFailure, socialText } from '#contract/text/social.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import {
  type Account,
  findAccount,
  findAccountById,
  freeAddress,
  holdAccount,
  insertUser,
  isLeftOver,
} from '#server/accounts/data.ts';
import { blockOf, canonicalEmail } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { mac, randomToken } from '#server/keys.ts';
import type { Notice } from '#server/mail/frame.ts';
import type { Place } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import {
  arrive,
  type Browser,
  type Challenged,
  type LetIn,
  letIn,
  passGate,
  type Proof,
} from '#server/sign-in/actions.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { deleteIdentities, insertIdentity, listProviders, rememberDevice } from '#server/sign-in/data.ts';
import { findIdentityOwner, insertVisit, isInvited, takeVisit } from '#server/social/data.ts';
import { linkedNotice, unlinkedNotice } from '#server/social/mail.ts';
import {
  callbackUrl,
  openProviders,
  providerOf,
  type Providers,
  type Visit,
} from '#server/social/provider/actions.ts';
import { courseOf, failureOf, type Vouched, vouchedBy } from '#server/social/rules.ts';

/** What a return came to: somebody is in, a code is on its way, an identity was linked, or why not. */
export type Outcome = LetIn | Challenged | 'linked' | Failed;
export type Failed = { readonly failed: SocialFailure; readonly until?: Date | undefined };
export const isFailed = (outcome: Outcome): outcome is Failed =>
  typeof outcome === 'object' && 'failed' in outcome;

type Caller = { readonly userId: UserId; readonly sessionId: SessionId };
type Identity = Vouched & { readonly provider: ProviderName };

/** A provider tells no time zone; the profile asks for it. */
const onward = { timeZone: '' };

/** PKCE verifier and nonce are made of what the browser carries and our key, so none of them has to be kept. */
function visitOf({ keys: [key] }: Deps, state: string, browser: string): Visit {
  const made = (purpose: string) => mac(key.derive(purpose), `${state}.${browser}`).toString('base64url');
  return { state, verifier: made('social-verifier'), nonce: made('social-nonce') };
}

export type Social = ReturnType<typeof openSocial>;
/** The way to a provider and back; what is learned about a provider is kept here. */
export function openSocial(deps: Deps) {
  const providers = openProviders(deps);
  return {
    start: (name: ProviderName, by: Leaving) => startVisit(deps, providers, name, by),
    finish: async (name: ProviderName, by: Return) => {
      const outcome = deps.metrics.countSignIn(await finishVisit(deps, providers, name, by));
      if (isFailed(outcome)) {
        const fields = { event: 'social sign-in refused', provider: name, why: outcome.failed };
        deps.log.warn({ ...fields, ...by.browser.place }, 'a return from a provider was refused');
      }
      return outcome;
    },
    linked: async (userId: UserId) => linkedOf(deps, await listProviders(deps.sql, userId)),
    unlink: (who: Caller, name: ProviderName) => unlink(deps, who, name),
  };
}

/** Each provider, whether it opens the account, and whether it is set up here. */
const linkedOf = ({ config }: Deps, mine: readonly ProviderName[]) =>
  providerNames.map((provider) => ({
    provider,
    linked: mine.includes(provider),
    available: Boolean(providerOf(config, provider)),
  }));

type Leaving = { readonly place: Place; readonly sessionId: SessionId | undefined };

/** Notes who leaves for which provider; returns where to send them and the cookie that only their browser gets. */
async function startVisit(deps: Deps, providers: Providers, name: ProviderName, by: Leaving) {
  const provider = providerOf(deps.config, name);
  if (!provider) return refuse('social_not_set_up');
  const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(by.place.ipAddress));
  if (tooMany) return tooMany;
  const [state, browser] = [randomToken(), randomToken()];
  const visit = visitOf(deps, state, browser);
  const address = (await providers.addressOf(name, provider, visit)) ?? unanswered(deps, name, state);
  const expiresAt = fromNow(deps.clock, SOCIAL_SIGN_IN_MINUTES * MINUTE_MS);
  const sessionId = by.sessionId ?? null;
  return transaction(deps.sql, async (tx) => {
    // The provider took its time to be found.
    if (sessionId !== null && !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    await insertVisit(tx, { state, browser, provider: name, sessionId, expiresAt });
    return { authUrl: address.href, browser };
  });
}

/** Our own page, asked as a provider would that is out of order (RFC 6749 4.1.2.1): it has the words and the way back. */
function unanswered({ config }: Deps, name: ProviderName, state: string): URL {
  const url = callbackUrl(config, name);
  url.search = new URLSearchParams({ error: 'temporarily_unavailable', state }).toString();
  return url;
}

type Return = {
  readonly query: URLSearchParams;
  /** The cookie of the browser that came back. */
  readonly cookie: string | undefined;
  readonly caller: Caller | null;
  readonly browser: Browser;
};

/** Takes somebody back from a provider. The visit is used up first, so whatever follows, this return serves once. */
async function finishVisit(
  deps: Deps,
  providers: Providers,
  name: ProviderName,
  { query, cookie, caller, browser }: Return,
): Promise<Outcome> {
  const state = query.get('state') ?? '';
  if (cookie === undefined) return { failed: 'stale' };
  const visit = { state, browser: cookie, provider: name };
  const taken = await transaction(deps.sql, (tx) => takeVisit(tx, visit, deps.clock.now()));
  if (!taken) return { failed: 'stale' };
  // Who left to link an identity to their account must still be the one who is signed in.
  if (taken.sessionId !== null && taken.sessionId !== caller?.sessionId) return { failed: 'stale' };
  const provider = providerOf(deps.config, name);
  if (!provider) return { failed: 'notSetUp' };
  const error = query.get('error');
  if (error !== null) return { failed: error === 'access_denied' ? 'cancelled' : 'noAnswer' };

  const claims = await providers.claimsOf(name, provider, query, visitOf(deps, state, cookie));
  const vouched = vouchedBy(claims);
  if (!vouched) return { failed: 'noAnswer' };
  const linkTo = taken.sessionId === null ? undefined : (caller ?? undefined);
  const outcome = await follow(deps, { ...vouched, provider: name }, linkTo, browser);
  return outcome instanceof Refusal ? { failed: failureOf(outcome), until: outcome.detail.until } : outcome;
}

async function follow(deps: Deps, identity: Identity, linkTo: Caller | undefined, browser: Browser) {
  const typed = z.safeParse(emailField, identity.verifiedEmail);
  const email = typed.success ? canonicalEmail(typed.data) : undefined;
  const addressOf = await findHolder(deps, email);
  // Looked up last: an account that another return of theirs makes meanwhile is theirs, not a stranger's with their address.
  const owner = await findIdentityOwner(deps.sql, identity.provider, identity.subject);
  const course = courseOf({ linkTo: linkTo?.userId, owner, addressOf });
  if (course === 'link') return linkTo?.userId === owner ? 'linked' : link(deps, identity, linkTo as Caller);
  if (course === 'sign in') return signInAs(deps, owner as UserId, identity, browser);
  if (course !== 'create') return { failed: course };
  const created = await createAccount(deps, identity, email ?? null, browser);
  if (!(created instanceof Refusal)) return created;
  // Of two first returns at once the other one may have made the account meanwhile.
  const other = await findIdentityOwner(deps.sql, identity.provider, identity.subject);
  return other === undefined ? created : signInAs(deps, other, identity, browser);
}

/** Who has the address: nobody, an account, or somebody who was invited and has never come. */
async function findHolder(deps: Deps, email: string | undefined) {
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  if (!account) return 'nobody';
  if (account.phc !== null || account.confirmed_at !== null) return 'somebody';
  if (await isInvited(deps.sql, account.id)) return 'somebody invited';
  return (await isLeftOver(deps.sql, account.id)) ? 'nobody' : 'somebody';
}

async function signInAs(deps: Deps, userId: UserId, { provider, subject }: Identity, browser: Browser) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  const proof: Proof = async (tx) => (await findIdentityOwner(tx, provider, subject)) === userId;
  return account ? passGate(deps, account, proof, onward, browser) : { failed: 'stale' as const };
}

/** An account without a password, confirmed where the provider vouches for the address, and its owner let in at once. */
async function createAccount(deps: Deps, identity: Identity, email: string | null, browser: Browser) {
  const arrived = await arrive(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const { provider, subject, firstName, lastName } = identity;
    const now = deps.clock.now();
    if (email !== null) await freeAddress(tx, email);
    const user = await insertUser(tx, {
      email,
      firstName,
      lastName,
      createdAt: now,
      country: countryOfZone(onward.timeZone),
      timeZone: null,
      confirmedAt: email === null ? null : now,
    });
    if (user instanceof Refusal) return user;
    if (!(await insertIdentity(tx, { provider, subject, userId: user.id, createdAt: now })))
      return refuse('email_id_exist');
    await recordActivity(tx, deps, {
      orgId: null,
      userId: user.id,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.profileInformation,
      action: ACTION.create,
      recordId: user.id,
      information: { email: [null, email], social_sign_in: [null, provider] },
    });
    const account = await findAccountById(tx, user.id, now);
    if (!account) throw new Error('the account is gone');
    // Known from the start: nobody is warned of the browser they signed up with.
    const { device } = await rememberDevice(tx, browser.device, user.id, deps.clock);
    return letIn(tx, deps, account, onward, { ...arrived, device });
  });
}

/** Lets an identity open the account of who is signed in, and tells its owner. */
const link = (deps: Deps, { provider, subject }: Identity, { userId, sessionId }: Caller): Promise<Outcome> =>
  transaction<Outcome>(deps.sql, async (tx) => {
    const now = deps.clock.now();
    // The provider took its time: whatever ended the session or closed the account meanwhile ends this too.
    const account = await holdAccount(tx, userId, now);
    if (!account || blockOf(account) || !(await hasSession(tx, sessionId))) return { failed: 'stale' };
    if (!(await insertIdentity(tx, { provider, subject, userId, createdAt: now })))
      return (await findIdentityOwner(tx, provider, subject)) === userId
        ? 'linked'
        : { failed: 'linkedElsewhere' };
    await tell(tx, deps, account, [null, provider], linkedNotice(socialText.providers[provider]));
    return 'linked';
  });

/** Lets a provider open the account no more and tells its owner, unless nothing else opens it. */
const unlink = (deps: Deps, { userId, sessionId }: Caller, provider: ProviderName) =>
  transaction(deps.sql, async (tx) => {
    const account = await holdAccount(tx, userId, deps.clock.now());
    if (!account || !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    const mine = await listProviders(tx, userId);
    const others = mine.filter((name) => name !== provider);
    if (mine.length === others.length) return linkedOf(deps, mine);
    // A password opens an account by its address, which others may have taken back.
    const hasPassword = account.phc !== null && account.email !== null;
    if (!hasPassword && !others.some((name) => providerOf(deps.config, name)))
      return refuse('not_allowed', { details: socialText.onlyWay });
    await deleteIdentities(tx, userId, { provider });
    // One that began with the provider and waits for its code would open it still.
    await deleteChallengesOf(tx, userId);
    await tell(tx, deps, account, [provider, null], unlinkedNotice(socialText.providers[provider]));
    return linkedOf(deps, others);
  });

type Change = readonly [ProviderName | null, ProviderName | null];
/** In the log, and by mail where somebody has proven that the mailbox is theirs. */
async function tell(tx: Tx, deps: Deps, account: Account, change: Change, notice: Notice) {
  await recordActivity(tx, deps, {
    orgId: null,
    userId: account.id,
    module: MODULE.signInDevice,
    type: ACTIVITY_TYPE.signIn,
    action: ACTION.update,
    information: { social_sign_in: change },
  });
  if (account.confirmed_at) await mailNotice(tx, deps, account, notice);
}
