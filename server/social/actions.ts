// A visit to Facebook or Google, from the button to the return: it signs in, signs up, or links the identity.
import * as z from 'zod/mini';
import { countryOfZone } from '#contract/profile/countries.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { email as emailField } from '#contract/fields.ts';
import { type ProviderName, SOCIAL_SIGN_IN_MINUTES } from '#contract/social/calls.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { createAccount } from '#server/accounts/actions.ts';
import { freeAddress, isLeftOver } from '#server/accounts/addresses/data.ts';
import { findAccount, findAccountById } from '#server/accounts/data.ts';
import { canonicalEmail } from '#server/accounts/rules.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { languageNow } from '#server/language.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { sha256 } from '#server/keys.ts';
import type { Client } from '#server/origin.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import {
  locateBrowser,
  type Browser,
  type Challenged,
  type CompletedSignIn,
  completeSignIn,
  signInOrChallenge,
  type Proof,
} from '#server/sign-in/completion/actions.ts';
import { insertIdentity, listProviders } from '#server/sign-in/identities/data.ts';
import { rememberDevice } from '#server/sign-in/devices/data.ts';
import { refuseWeakSession } from '#server/sign-in/step-changes/guards.ts';
import { findIdentityOwner, findWaiting, insertVisit, isInvited, type Return, takeVisit } from './data.ts';
import { link, readLinked, readWaiting, unlink, type Waiting, waitForWord } from './links.ts';
import {
  callbackUrl,
  newVisit,
  openProviders,
  providerOf,
  type Providers,
  visitOf,
} from '#server/social/provider/providers.ts';
import { courseOf, failureOf, saysSecondStep, type SocialFailure, type Vouched, vouchedBy } from './rules.ts';

export type Outcome = CompletedSignIn | Challenged | Waiting | 'linked' | 'stays' | Failed;
export type Failed = { readonly failed: SocialFailure; readonly until?: Date | undefined };
export const isFailed = (outcome: Outcome): outcome is Failed =>
  typeof outcome === 'object' && 'failed' in outcome;

type Identity = Vouched & {
  readonly provider: ProviderName;
  readonly said: string | null;
  readonly secondStep: 'provider' | undefined;
  readonly termsVersion: string | null;
};

/** Providers give no time zone, so the profile asks for it later. */
const onward = { timeZone: '' };

export type Social = ReturnType<typeof openSocial>;
export function openSocial(deps: Deps) {
  const providers = openProviders(deps);
  return {
    start: (name: ProviderName, from: VisitStart) => startVisit(deps, providers, name, from),
    finish: async (name: ProviderName, from: VisitReturn) => {
      const outcome = deps.metrics.countSignIn(await finishVisit(deps, providers, name, from));
      // A repeated return gives nothing back.
      if (outcome === 'stays' || (typeof outcome === 'object' && 'isRepeated' in outcome)) return outcome;
      if (!isFailed(outcome))
        await deps.limiter.giveBack([['socialStartsHour', ipPrefix(from.browser.client.ipAddress)]]);
      else {
        const fields = { event: 'social sign-in refused', provider: name, why: outcome.failed };
        deps.log.warn({ ...fields, ...from.browser.client }, 'a return from a provider was refused');
      }
      return outcome;
    },
    linked: (userId: UserId) => readLinked(deps, userId),
    waiting: (caller: SessionOwner, visit: string) => readWaiting(deps, caller, visit),
    link: (caller: SessionOwner, visit: string) => link(deps, caller, visit),
    unlink: (caller: SessionOwner, name: ProviderName) => unlink(deps, caller, name),
  };
}

type VisitStart = {
  readonly client: Client;
  readonly caller: SessionOwner | null;
  /** The `portico-oauth` cookie of the browser that leaves. */
  readonly cookie: string | undefined;
  readonly termsVersion?: string | undefined;
};

/** Starts a visit to a provider. Returns its URL and the cookie that ties the return to this browser. */
async function startVisit(deps: Deps, providers: Providers, name: ProviderName, from: VisitStart) {
  const provider = providerOf(deps.config, name);
  if (!provider) return refuse('social_not_set_up');
  const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(from.client.ipAddress));
  if (tooMany) return tooMany;
  const { browser, visit } = newVisit(deps, 'social', from.cookie);
  const { state } = visit;
  const url = (await providers.addressOf(name, provider, visit)) ?? unavailableUrl(deps, name, state);
  const expiresAt = fromNow(deps.clock, SOCIAL_SIGN_IN_MINUTES * MINUTE_MS);
  const sessionId = from.caller?.sessionId ?? null;
  return transaction(deps.sql, async (tx) => {
    // The session may have ended while the provider answered.
    if (sessionId !== null && !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    // The linked service may say that it asked for a second step.
    const weak = from.caller && (await refuseWeakSession(tx, deps, from.caller));
    if (weak) return weak;
    await insertVisit(tx, {
      state_hash: sha256(state),
      browser_hash: sha256(browser),
      provider: name,
      session_id: sessionId,
      terms_version: from.termsVersion ?? null,
      expires_at: expiresAt,
    });
    return { authUrl: url.href, browser };
  });
}

/** Our callback URL with the error of an unavailable provider (RFC 6749 4.1.2.1). Its page explains the error. */
function unavailableUrl({ config }: Deps, name: ProviderName, state: string): URL {
  const url = callbackUrl(config, name);
  url.search = new URLSearchParams({ error: 'temporarily_unavailable', state }).toString();
  return url;
}

type VisitReturn = {
  readonly query: URLSearchParams;
  /** The `portico-oauth` cookie of the browser that came back. */
  readonly cookie: string | undefined;
  readonly caller: SessionOwner | null;
  readonly browser: Browser;
};

/** Handles a return from a provider. Deletes the visit first, so that no return can be replayed. */
async function finishVisit(
  deps: Deps,
  providers: Providers,
  name: ProviderName,
  { query, cookie, caller, browser }: VisitReturn,
): Promise<Outcome> {
  const state = query.get('state') ?? '';
  if (cookie === undefined) return { failed: 'stale' };
  const visit = { state, browser: cookie, provider: name };
  const openVisit = await transaction(deps.sql, (tx) => takeVisit(tx, visit, deps.clock.now()));
  if (!openVisit) return (await leadOn(deps, visit, caller)) ?? { failed: 'stale' };
  // A visit that began in a session to link an identity must end in the same session.
  if (openVisit.sessionId !== null && openVisit.sessionId !== caller?.sessionId) return { failed: 'stale' };
  const provider = providerOf(deps.config, name);
  if (!provider) return { failed: 'notSetUp' };
  const error = query.get('error');
  if (error !== null) return { failed: error === 'access_denied' ? 'cancelled' : 'noAnswer' };

  const claims = await providers.claimsOf(name, provider, query, visitOf(deps, 'social', state, cookie));
  const vouched = vouchedBy(claims?.person);
  if (!claims || !vouched) return { failed: 'noAnswer' };
  const linkTo = openVisit.sessionId === null ? undefined : (caller ?? undefined);
  const secondStep = saysSecondStep(claims.signed) ? 'provider' : undefined;
  const { termsVersion } = openVisit;
  const identity: Identity = {
    ...vouched,
    said: saidOf(claims.person, vouched),
    provider: name,
    secondStep,
    termsVersion,
  };
  const waits = (sessionId: SessionId) => waitForWord(deps, identity, { state, browser: cookie, sessionId });
  const outcome = await follow(deps, identity, { linkTo, caller, browser, waits });
  return outcome instanceof Refusal ? { failed: failureOf(outcome), until: outcome.detail.until } : outcome;
}

function saidOf({ email }: Readonly<Record<string, unknown>>, { firstName, lastName }: Vouched) {
  const address = z.safeParse(emailField, email);
  return address.success ? address.data : [firstName, lastName].filter(Boolean).join(' ') || null;
}

/** Where a second return leads a person whom the first one has signed in, or whose identity waits for their word. */
async function leadOn({ sql, clock }: Deps, { state, provider }: Return, caller: SessionOwner | null) {
  if (caller === null) return undefined;
  const { userId, sessionId } = caller;
  if (await findWaiting(sql, { visit: state, sessionId }, clock.now()))
    return { waits: state, isRepeated: true as const };
  return (await listProviders(sql, userId)).includes(provider) ? ('stays' as const) : undefined;
}

type Arrival = Pick<VisitReturn, 'caller' | 'browser'> & {
  readonly linkTo: SessionOwner | undefined;
  readonly waits: (sessionId: SessionId) => Promise<Outcome>;
};
async function follow(deps: Deps, identity: Identity, { linkTo, caller, browser, waits }: Arrival) {
  const typed = z.safeParse(emailField, identity.verifiedEmail);
  // People may paste an address in other forms, but a provider vouches only for the exact mailbox it names.
  const isExact = typed.success && typed.data === String(identity.verifiedEmail).normalize('NFC').trim();
  const email = isExact ? canonicalEmail(typed.data) : undefined;
  const addressOf = await findHolderKind(deps, email);
  // Look the owner up last, because a concurrent return may have just made this person's account.
  const owner = await findIdentityOwner(deps.sql, identity.provider, identity.subject);
  const course = courseOf({ linkTo: linkTo?.userId, caller: caller?.userId, owner, addressOf });
  if (course === 'stays') return course;
  if (course === 'link')
    return linkTo?.userId === owner ? 'linked' : waits((linkTo as SessionOwner).sessionId);
  if (course === 'sign in') return signInAs(deps, owner as UserId, identity, browser);
  if (course !== 'create') return { failed: course };
  const result = await createFrom(deps, identity, email ?? null, browser);
  if (!(result instanceof Refusal)) return result;
  // A concurrent first return may have made the account meanwhile.
  const other = await findIdentityOwner(deps.sql, identity.provider, identity.subject);
  return other === undefined ? result : signInAs(deps, other, identity, browser);
}

/** Whether the address belongs to nobody, to an account, or to an invited person without an account. */
async function findHolderKind(deps: Deps, email: string | undefined) {
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  if (!account) return 'nobody';
  if (account.password !== null || account.confirmed_at !== null) return 'somebody';
  if (await isInvited(deps.sql, account.id)) return 'somebody invited';
  return (await isLeftOver(deps.sql, account.id)) ? 'nobody' : 'somebody';
}

async function signInAs(
  deps: Deps,
  userId: UserId,
  { provider, subject, secondStep }: Identity,
  browser: Browser,
) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  const proof: Proof = {
    method: 'fed',
    secondStep,
    holds: async (tx) => (await findIdentityOwner(tx, provider, subject)) === userId,
  };
  return account ? signInOrChallenge(deps, account, proof, onward, browser) : { failed: 'stale' as const };
}

async function createFrom(deps: Deps, identity: Identity, email: string | null, browser: Browser) {
  const client = await locateBrowser(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const { provider, subject, firstName, lastName, secondStep, termsVersion } = identity;
    const now = deps.clock.now();
    if (email !== null) await freeAddress(tx, email);
    const person = {
      email,
      first_name: firstName,
      last_name: lastName,
      created_at: now,
      country: countryOfZone(onward.timeZone),
      language: languageNow(),
      confirmed_at: email === null ? null : now,
    };
    const information = { email: [null, email], social_sign_in: [null, provider] };
    const user = await createAccount(tx, deps, person, { information, termsVersion });
    if (user instanceof Refusal) return user;
    if (!(await insertIdentity(tx, { provider, subject, user_id: user.id, created_at: now })))
      return refuse('email_id_exist');
    const account = await findAccountById(tx, user.id, now);
    if (!account) throw new Error('the account is gone');
    // Remember the browser first, so that no mail reports it as new.
    const { device } = await rememberDevice(tx, browser.device, user.id, deps.clock);
    return completeSignIn(tx, deps, account, onward, { ...client, device, methods: ['fed'], secondStep });
  });
}
