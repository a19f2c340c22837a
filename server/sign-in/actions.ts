import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { zoneNamed } from '#contract/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { ownPageAt } from '#contract/own-page.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';
import type { signIn as calls } from '#contract/sign-in.ts';
import { refusalText } from '#contract/text/refusals.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccount, lockAccount, rehashPassword, updateUser } from '#server/accounts/data.ts';
import { blockOf, canonicalEmail } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { randomToken } from '#server/keys.ts';
import { UNKNOWN_PLACE } from '#server/locations.ts';
import { type LocatedClient, locate, openSession, type Client, traceOf } from '#server/sessions/actions.ts';
import { deleteSession, listSessions } from '#server/sessions/data.ts';
import {
  answerChallenge,
  closeChallenge,
  countCodeMail,
  renewChallenge,
  startChallenge,
} from '#server/sign-in/challenge/actions.ts';
import { isKnownDevice, rememberDevice } from '#server/sign-in/data.ts';
import { mintCode } from '#server/sign-in/onward/actions.ts';
import { newDeviceNotice } from '#server/sign-in/mail.ts';
import { readUserAgent } from '#server/user-agent.ts';

/** After this many failures in a row, only a known browser may try. Others use the mailed link. */
const FAILURES_FROM_ANYWHERE_MAX = 100;
const NOBODY = 0 as UserId;

/** The client of a sign-in and the device cookie of its browser. */
export type Browser = {
  readonly client: Client;
  readonly device: string | undefined;
};

/** A browser with its location, which is looked up before the transaction. */
type LocatedBrowser = Browser & { readonly client: LocatedClient };
export const locateBrowser = async (deps: Deps, browser: Browser): Promise<LocatedBrowser> => ({
  ...browser,
  client: await locate(deps, browser.client),
});

/** A finished sign-in: the cookies to set and the answer. */
export type CompletedSignIn = {
  readonly token: string;
  readonly device: string;
  readonly next: string | undefined;
  /** The code for the requested application. */
  readonly code: string | undefined;
};
/** The password was right and a code is mailed. `challenge` is a cookie that proves only that. */
export type Challenged = { readonly challenge: string; readonly contact: string };

/**
 * Signs in with address and password. An unknown address, a wrong password and an account without a password
 * take the same time and get the same answer. The reason why an account is closed is told only after the
 * right password.
 */
export async function signIn(deps: Deps, input: Input<typeof calls.signIn>, browser: Browser) {
  const email = canonicalEmail(input.email);
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  const tries = await countTry(deps, email ?? input.email, account?.id, browser);
  if (tries instanceof Refusal) return tries;

  const record = account?.phc && account.key_id ? { phc: account.phc, keyId: account.key_id } : undefined;
  const by = ipPrefix(browser.client.ipAddress);
  const matches = await deps.passwords.matches(input.password, record, by);
  if (matches instanceof Refusal) return matches;
  if (!matches || !account || !record) {
    deps.log.warn(
      { event: 'sign-in refused', userId: account?.id ?? null, ...browser.client },
      'wrong address or password',
    );
    return refuse('invalid_credentials');
  }
  await deps.limiter.forget([tries.fromHere, tries.fromAnywhere]);
  // A full queue does not turn away a person whose password was right. The next sign-in replaces the hash.
  const fresh = deps.passwords.isOutdated(record) ? await deps.passwords.hash(input.password, by) : record;
  if (!(fresh instanceof Refusal) && fresh !== record)
    await transaction(deps.sql, (tx) => rehashPassword(tx, account.id, record, fresh));
  const proof: Proof = async (_tx, now) => isSameTime(now.password_changed_at, account.password_changed_at);
  return signInOrChallenge(deps, account, proof, input, browser);
}

const isSameTime = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();

/** Checks the caller's proof again under the account's lock, because a reset may have voided it. */
export type Proof = (tx: Tx, account: Account) => Promise<boolean>;

/**
 * The last step of every sign-in, once the account is proven. A closed or unconfirmed account is refused.
 * With two-step sign-in on, a code is mailed instead of a session opened.
 */
export async function signInOrChallenge(
  deps: Deps,
  account: Account,
  proof: Proof,
  onward: Onward,
  browser: Browser,
): Promise<
  | CompletedSignIn
  | Challenged
  | Refusal<'invalid_credentials' | 'account_is_disable' | 'account_not_confirmed' | 'too_many_requests'>
> {
  const getsCode = account.mfa_enabled && !closedBy(account);
  const tooMany = getsCode ? await countCodeMail(deps, account.id) : undefined;
  if (tooMany) return tooMany;
  const arrived = await locateBrowser(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const lockedAccount = await lockAccount(tx, account.id, deps.clock.now());
    if (!lockedAccount || !(await proof(tx, lockedAccount))) return refuse('invalid_credentials');
    const closed = closedBy(lockedAccount);
    if (closed) return closed;
    const { id, email } = lockedAccount;
    if (!lockedAccount.mfa_enabled || email === null)
      return completeSignIn(tx, deps, lockedAccount, onward, arrived);
    const challenge = randomToken();
    const mailed = await startChallenge(tx, deps, { id, email }, { token: challenge }, 'signInCode');
    return mailed instanceof Refusal ? mailed : { challenge, contact: mailed.contact };
  });
}

/** An account without a password came with a provider: a mistyped address must not lock its person out. */
const mustConfirm = ({ email, confirmed_at, phc }: Account) =>
  email !== null && !confirmed_at && phc !== null;
const closedBy = (account: Account) =>
  blockOf(account) ?? (mustConfirm(account) ? refuse('account_not_confirmed') : undefined);

/** Counts a try before the password check, per network and per account. A known browser has its own count. */
async function countTry(deps: Deps, email: string, userId: UserId | undefined, browser: Browser) {
  const { limiter } = deps;
  const prefix = ipPrefix(browser.client.ipAddress);
  const flooding = await limiter.takeInTurn([
    ['signInMinute', prefix],
    ['signInHour', prefix],
  ]);
  if (flooding) return flooding.refusal;
  // Also looked up for an unknown address, so that both take the same time.
  const known = await isKnownDevice(deps.sql, browser.device, userId ?? NOBODY, deps.clock);
  const fromAnywhere = `anywhere ${email}`;
  const fromHere = known ? `device ${browser.device} ${email}` : `network ${prefix} ${email}`;
  const shut = refuse('too_many_requests', {
    details: refusalText.tooManySignIns,
  });
  // Checked first, because waiting does not lift it. Counted last, so that a try that must wait does not
  // count.
  if (!known && (await limiter.failures(fromAnywhere)) >= FAILURES_FROM_ANYWHERE_MAX) return shut;
  const tooSoon = await limiter.tryOnce(fromHere);
  if (tooSoon) return tooSoon;
  const oneLeft = await limiter.tryOneOf(FAILURES_FROM_ANYWHERE_MAX, fromAnywhere);
  return oneLeft || known ? { fromHere, fromAnywhere } : shut;
}

type Onward = Pick<Input<typeof calls.signIn>, 'timeZone' | 'redirectPath' | 'redirectUrl'>;

/** Opens a session and remembers its browser. */
export async function openDeviceSession(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  { client, device: cookie }: LocatedBrowser,
) {
  const { device, isNew } = await rememberDevice(tx, cookie, userId, deps.clock);
  return { ...(await openSession(tx, deps, userId, client, device)), device, isNew };
}

/**
 * Finishes any sign-in: opens and records the session, reports a new browser, makes the application's code.
 */
export async function completeSignIn(
  tx: Tx,
  deps: Deps,
  account: Account,
  onward: Onward,
  browser: LocatedBrowser,
): Promise<CompletedSignIn> {
  const zone = zoneNamed(onward.timeZone);
  if (account.time_zone === null && zone !== undefined) await updateUser(tx, account.id, { time_zone: zone });
  const { token, sessionId, device, isNew } = await openDeviceSession(tx, deps, account.id, browser);
  // An unproven mailbox may belong to a stranger.
  if (isNew && account.confirmed_at) await tellOfNewDevice(tx, deps, account, browser.client);
  await recordSignIn(tx, deps, account.id, ACTION.create, traceOf(browser.client, 'begins'));
  const code = await mintCode(tx, deps, { userId: account.id, sessionId }, onward.redirectUrl);
  return { token, device, next: ownPageAt(onward.redirectPath), code };
}

/** Notifies the person by mail and in the panel of their other devices. */
async function tellOfNewDevice(tx: Tx, deps: Deps, account: Account, client: LocatedClient) {
  const { userAgent, ipAddress, location } = client;
  const { browser, system } = readUserAgent(userAgent);
  const details = { browser, system, place: location === UNKNOWN_PLACE ? ipAddress : location };
  await notify(tx, deps, account.id, { kind: 'new_device', details });
  await mailNotice(tx, deps, account, newDeviceNotice(userAgent, deps.clock.now()));
}

/** Mails a new code for the challenge of the cookie. */
export const renewCode = (deps: Deps, challenge: string | undefined) =>
  challenge
    ? renewChallenge(deps, { token: challenge }, 'signInCode')
    : Promise.resolve(refuse('otp_expired'));

/** Finishes a sign-in with the mailed code. The account comes from the challenge cookie, not the request. */
export async function verifyCode(
  deps: Deps,
  input: Input<typeof secondStep.verifyCode>,
  challenge: string | undefined,
  browser: Browser,
) {
  if (!challenge) return refuse('otp_expired');
  const answered = await answerChallenge(deps, { token: challenge }, input.otp);
  if (answered instanceof Refusal) return answered;
  const arrived = await locateBrowser(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, answered.userId, deps.clock.now());
    // The account may have been closed between password and code.
    const block = account && blockOf(account);
    if (block) return block;
    const late = await closeChallenge(tx, deps, answered);
    if (late || !account) return late ?? refuse('otp_expired');
    return completeSignIn(tx, deps, account, input, arrived);
  });
}

const recordSignIn = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: typeof ACTION.create | typeof ACTION.delete,
  information: Record<string, unknown>,
) =>
  recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.signInDevice,
    type: ACTIVITY_TYPE.signIn,
    action,
    information,
  });

/** Ends a session and records it. */
export const signOut = (deps: Deps, userId: UserId, sessionId: SessionId) =>
  transaction(deps.sql, async (tx) => {
    // Serialised by the lock of the account with the creation of codes for this session.
    await lockAccount(tx, userId, deps.clock.now());
    const mine = await listSessions(tx, deps, userId);
    const left = mine.find(({ id }) => id === sessionId);
    await deleteSession(tx, sessionId);
    await recordSignIn(tx, deps, userId, ACTION.delete, left ? traceOf(left, 'ends') : {});
    return {};
  });
