import { refuse } from '#contract/errors.ts';
import { type ProviderName, providerNames, SOCIAL_SIGN_IN_MINUTES } from '#contract/social/calls.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { socialText } from '#words/social.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import type { Account } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import type { Notice } from '#server/mail/frame.ts';
import { inSession, type SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { deleteIdentities, insertIdentity, listProviders } from '#server/sign-in/identities/data.ts';
import { hasWayIn } from '#server/sign-in/locks/locks.ts';
import { refuseWeakSession } from '#server/sign-in/step-changes/guards.ts';
import { deleteWaiting, findIdentityOwner, findWaiting, insertVisit } from './data.ts';
import { linkedNotice, unlinkedNotice } from './mail.ts';
import { providerOf } from '#server/social/provider/providers.ts';

const linkedOf = ({ config }: Deps, mine: readonly ProviderName[]) =>
  providerNames.map((provider) => ({
    provider,
    linked: mine.includes(provider),
    available: Boolean(providerOf(config, provider)),
  }));

export const readLinked = async (deps: Deps, userId: UserId) =>
  linkedOf(deps, await listProviders(deps.sql, userId));

type Identity = {
  readonly provider: ProviderName;
  readonly subject: string;
  /** How the provider calls the person: an address, verified or not, or else a name. */
  readonly said: string | null;
};
/** An identity that waits until the person of the session links it. */
export type Waiting = { readonly waits: string; readonly isRepeated?: true };
type WaitingVisit = { readonly state: string; readonly browser: string; readonly sessionId: SessionId };
/** The browser's session at the provider may be somebody else's, so the person sees first whose identity came back. */
export const waitForWord = (
  deps: Deps,
  { provider, subject, said }: Identity,
  { state, browser, sessionId }: WaitingVisit,
) =>
  transaction<Waiting | { failed: 'stale' }>(deps.sql, async (tx) => {
    // The session may have ended while the provider answered.
    if (!(await hasSession(tx, sessionId))) return { failed: 'stale' };
    await insertVisit(tx, {
      state_hash: sha256(state),
      browser_hash: sha256(browser),
      provider,
      session_id: sessionId,
      subject,
      said,
      expires_at: fromNow(deps.clock, SOCIAL_SIGN_IN_MINUTES * MINUTE_MS),
    });
    return { waits: state };
  });

export async function readWaiting(deps: Deps, { sessionId }: SessionOwner, visit: string) {
  const found = await findWaiting(deps.sql, { visit, sessionId }, deps.clock.now());
  return { link: found ? { provider: found.provider, said: found.said } : null };
}

export const link = (deps: Deps, caller: SessionOwner, visit: string) =>
  inSession(deps, caller, async (tx, account) => {
    const { userId, sessionId } = caller;
    const now = deps.clock.now();
    const found = await findWaiting(tx, { visit, sessionId }, now);
    if (!found) return refuse('not_found');
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    await deleteWaiting(tx, { visit });
    const { provider, subject, said } = found;
    if (await insertIdentity(tx, { provider, subject, user_id: userId, created_at: now }))
      await reportChange(tx, deps, account, [null, provider], linkedNotice(provider, said));
    else if ((await findIdentityOwner(tx, provider, subject)) !== userId)
      return refuse('not_allowed', {
        details: socialText.failures.linkedElsewhere({ provider: socialButtonsText.providers[provider] }),
      });
    return { provider };
  });

export const unlink = (deps: Deps, caller: SessionOwner, provider: ProviderName) =>
  inSession(deps, caller, async (tx, account) => {
    const { userId } = caller;
    const linked = await listProviders(tx, userId);
    const others = linked.filter((name) => name !== provider);
    if (linked.length === others.length) return linkedOf(deps, linked);
    const { passkeys } = await findFactors(tx, userId);
    if (!hasWayIn(deps, account, { passkeys, providers: others })) return refuse('last_way_in');
    await deleteIdentities(tx, userId, { provider });
    // A challenge that began with the provider would still open the account.
    await deleteChallengesOf(tx, userId);
    await reportChange(tx, deps, account, [provider, null], unlinkedNotice(provider));
    return linkedOf(deps, others);
  });

type Change = readonly [ProviderName | null, ProviderName | null];
async function reportChange(tx: Tx, deps: Deps, account: Account, change: Change, notice: Notice) {
  await recordActivity(tx, deps, 'person.signIn.update', {
    userId: account.id,
    information: { social_sign_in: change },
  });
  if (account.confirmed_at) await mailNotice(tx, deps, account, notice);
}
