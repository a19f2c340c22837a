import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { signIn as calls } from '#contract/sign-in/calls.ts';
import { refusalText } from '#words/refusal.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { findAccount, lockAccount, rehashPassword } from '#server/accounts/data.ts';
import { canonicalEmail } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { traceOf } from '#server/sessions/actions.ts';
import { deleteSession, listSessions } from '#server/sessions/data.ts';
import { leaveCompany } from '#server/access/company/data-leaving.ts';
import { isKnownDevice } from '#server/sign-in/devices/data.ts';
import { noteWait } from '#server/sign-in/waits/data.ts';
import { type Browser, type Proof, signInOrChallenge } from '#server/sign-in/completion/actions.ts';

/** After this many failures in a row, only a known browser may try. Others use the mailed link. */
const FAILURES_FROM_ANYWHERE_MAX = 100;
const NOBODY = 0 as UserId;

/** Unknown address, wrong or no password: same time, same answer. A closed account is told after the right password. */
export async function signIn(deps: Deps, input: Input<typeof calls.signIn>, browser: Browser) {
  const email = canonicalEmail(input.email);
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  const counters = await countTry(deps, email ?? input.email, account?.id, browser);
  if (counters instanceof Refusal) return counters;

  const stored = account?.password ? { owner: account.id, sealed: account.password } : undefined;
  const network = ipPrefix(browser.client.ipAddress);
  const matches = await deps.passwords.matches(input.password, stored, network);
  if (matches instanceof Refusal) return matches;
  if (!matches || !account || !stored) {
    deps.log.warn(
      { event: 'sign-in refused', userId: account?.id ?? null, ...browser.client },
      'wrong address or password',
    );
    return refuse('invalid_credentials');
  }
  await deps.limiter.forget([counters.fromHere, counters.fromAnywhere]);
  await deps.limiter.giveBack(counters.ofNetwork);
  if (deps.passwords.isOutdated(stored)) {
    const phc = await deps.passwords.hash(input.password, network);
    // If the hash queue is full, the next sign-in replaces the hash.
    if (!(phc instanceof Refusal))
      await transaction(deps.sql, (tx) => rehashPassword(tx, deps.keys, account.id, stored, phc));
  }
  const proof: Proof = {
    method: 'pwd',
    holds: async (_tx, lockedAccount) =>
      isSameTime(lockedAccount.password_changed_at, account.password_changed_at),
  };
  return signInOrChallenge(deps, account, proof, input, browser);
}

const isSameTime = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();

/** Counts a try before the password check, per network and per account. A known browser has its own count. */
async function countTry(deps: Deps, email: string, userId: UserId | undefined, browser: Browser) {
  const { limiter } = deps;
  const network = ipPrefix(browser.client.ipAddress);
  const ofNetwork = [
    ['signInMinute', network],
    ['signInHour', network],
  ] as const;
  const spent = await limiter.takeInTurn(ofNetwork);
  if (spent) return spent.refusal;
  // Look this up for an unknown address too, so that both take the same time.
  const isKnown = await isKnownDevice(deps.sql, browser.device, userId ?? NOBODY, deps.clock);
  const fromAnywhere = `anywhere ${email}`;
  const fromHere = isKnown ? `device ${browser.device} ${email}` : `network ${network} ${email}`;
  const tooMany = refuse('too_many_requests', {
    limit: 'tries from anywhere',
    details: refusalText.tooManySignIns,
  });
  // Waiting does not lift this limit, so check it before the one that asks the person to wait.
  const note = (by: string, until: Date | null) =>
    noteWait(deps, { email, counter: limiter.counterOf(by), network, until });
  if (!isKnown && (await limiter.failures(fromAnywhere)) >= FAILURES_FROM_ANYWHERE_MAX) {
    await note(fromAnywhere, null);
    return tooMany;
  }
  const tooSoon = await limiter.tryOnce(fromHere);
  if (tooSoon) {
    await note(fromHere, fromNow(deps.clock, (tooSoon.detail.retryAfterSeconds ?? 0) * SECOND_MS));
    return tooSoon;
  }
  const hasTryLeft = await limiter.tryOneOf(FAILURES_FROM_ANYWHERE_MAX, fromAnywhere);
  return hasTryLeft || isKnown ? { fromHere, fromAnywhere, ofNetwork } : tooMany;
}

export const signOut = (deps: Deps, userId: UserId, sessionId: SessionId) =>
  transaction(deps.sql, async (tx) => {
    // Lock the account, so that a concurrent call makes no code for the ended session.
    await lockAccount(tx, userId, deps.clock.now());
    const sessions = await listSessions(tx, deps, userId);
    const session = sessions.find(({ id }) => id === sessionId);
    const ticket = await leaveCompany(tx, deps, sessionId);
    await deleteSession(tx, sessionId);
    await recordActivity(tx, deps, 'person.signIn.delete', {
      userId,
      information: session && traceOf(session, 'ends'),
    });
    return ticket;
  });
