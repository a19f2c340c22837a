import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { zoneNamed } from '#contract/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { secondStep } from '#contract/second-step.ts';
import type { signIn as calls } from '#contract/sign-in.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccount, holdAccount, rehashPassword, updateUser } from '#server/accounts/data.ts';
import { blockOf, canonicalEmail } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { randomToken } from '#server/keys.ts';
import { UNKNOWN_PLACE } from '#server/locations.ts';
import { type LocatedPlace, locate, openSession, type Place, traceOf } from '#server/sessions/actions.ts';
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
import { nextPath } from '#server/sign-in/rules.ts';
import { readUserAgent } from '#server/user-agent.ts';

/** After so many failures in a row from anywhere only a browser that was in before may try; the others use the mailed link. */
const FAILURES_FROM_ANYWHERE_MAX = 100;
const NOBODY = 0 as UserId;

/** What the browser brought along, as the cookies say. */
export type Browser = {
  readonly place: Place;
  readonly device: string | undefined;
};

/** The same, with where it is; known before a transaction begins. */
type Arrived = Browser & { readonly place: LocatedPlace };
export const arrive = async (deps: Deps, browser: Browser): Promise<Arrived> => ({
  ...browser,
  place: await locate(deps, browser.place),
});

/** Somebody is in: the cookies to set and what to answer. */
export type LetIn = {
  readonly token: string;
  readonly device: string;
  readonly next: string | undefined;
  /** For the application whose address was asked for. */
  readonly code: string | undefined;
};
/** The password was right and a code is on its way: the cookie that proves only that. */
export type Challenged = { readonly challenge: string; readonly contact: string };

/**
 * Signs in with address and password. Unknown address, wrong password and an account without one take the same
 * time and answer alike; what keeps an account closed is told only after the right password.
 */
export async function signIn(deps: Deps, input: Input<typeof calls.signIn>, browser: Browser) {
  const email = canonicalEmail(input.email);
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  const tries = await countTry(deps, email ?? input.email, account?.id, browser);
  if (tries instanceof Refusal) return tries;

  const record = account?.phc && account.key_id ? { phc: account.phc, keyId: account.key_id } : undefined;
  const by = ipPrefix(browser.place.ipAddress);
  const matches = await deps.passwords.matches(input.password, record, by);
  if (matches instanceof Refusal) return matches;
  if (!matches || !account || !record) {
    deps.log.warn(
      { event: 'sign-in refused', userId: account?.id ?? null, ...browser.place },
      'wrong address or password',
    );
    return refuse('invalid_credentials');
  }
  await deps.limiter.forget([tries.fromHere, tries.fromAnywhere]);
  // A full queue is no reason to turn away a person whose password was right; the next sign-in replaces the hash.
  const fresh = deps.passwords.isOutdated(record) ? await deps.passwords.hash(input.password, by) : record;
  if (!(fresh instanceof Refusal) && fresh !== record)
    await transaction(deps.sql, (tx) => rehashPassword(tx, account.id, record, fresh));
  const proof: Proof = async (_tx, now) => isSameTime(now.password_changed_at, account.password_changed_at);
  return passGate(deps, account, proof, input, browser);
}

const isSameTime = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();

/** What somebody came in with, asked again once the account is held: a reset may have taken it away meanwhile. */
export type Proof = (tx: Tx, account: Account) => Promise<boolean>;

/**
 * Where every way in ends, once it is sure who comes: a closed account stays closed, an address is to be confirmed
 * where there is one, and where the second step is on a code is mailed instead of a session opened.
 */
export async function passGate(
  deps: Deps,
  account: Account,
  proof: Proof,
  onward: Onward,
  browser: Browser,
): Promise<
  | LetIn
  | Challenged
  | Refusal<'invalid_credentials' | 'account_is_disable' | 'account_not_confirmed' | 'too_many_requests'>
> {
  const getsCode = account.mfa_enabled && !closedBy(account);
  const tooMany = getsCode ? await countCodeMail(deps, account.id) : undefined;
  if (tooMany) return tooMany;
  const arrived = await arrive(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const held = await holdAccount(tx, account.id, deps.clock.now());
    if (!held || !(await proof(tx, held))) return refuse('invalid_credentials');
    const closed = closedBy(held);
    if (closed) return closed;
    const { id, email } = held;
    if (!held.mfa_enabled || email === null) return letIn(tx, deps, held, onward, arrived);
    const challenge = randomToken();
    const mailed = await startChallenge(tx, deps, { id, email }, { token: challenge }, 'sign in');
    return mailed instanceof Refusal ? mailed : { challenge, contact: mailed.contact };
  });
}

/** Who has no password came with a provider, and an address they mistyped is theirs to mend, not to prove. */
const mustConfirm = ({ email, confirmed_at, phc }: Account) =>
  email !== null && !confirmed_at && phc !== null;
const closedBy = (account: Account) =>
  blockOf(account) ?? (mustConfirm(account) ? refuse('account_not_confirmed') : undefined);

/** Counts a try before the password is looked at: by network, and by account from here; a known browser has its own count. */
async function countTry(deps: Deps, email: string, userId: UserId | undefined, browser: Browser) {
  const { limiter } = deps;
  const prefix = ipPrefix(browser.place.ipAddress);
  const flooding = await limiter.takeInTurn([
    ['signInMinute', prefix],
    ['signInHour', prefix],
  ]);
  if (flooding) return flooding.refusal;
  // Looked up for nobody, too, so that it takes as long.
  const known = await isKnownDevice(deps.sql, browser.device, userId ?? NOBODY, deps.clock);
  const fromAnywhere = `anywhere ${email}`;
  const fromHere = known ? `device ${browser.device} ${email}` : `network ${prefix} ${email}`;
  const shut = refuse('too_many_requests', {
    details: 'Too many failed sign-ins. Choose a new password by mail to get back in.',
  });
  // Asked first, so that nobody is told to wait for what waiting does not mend; counted last, so that who has to wait does not use it up.
  if (!known && (await limiter.failures(fromAnywhere)) >= FAILURES_FROM_ANYWHERE_MAX) return shut;
  const tooSoon = await limiter.tryOnce(fromHere);
  if (tooSoon) return tooSoon;
  const oneLeft = await limiter.tryOneOf(FAILURES_FROM_ANYWHERE_MAX, fromAnywhere);
  return oneLeft || known ? { fromHere, fromAnywhere } : shut;
}

type Onward = Pick<Input<typeof calls.signIn>, 'timeZone' | 'redirectPath' | 'redirectUrl'>;

/** Opens a session in a browser that is remembered from then on. */
export async function openIn(tx: Tx, deps: Deps, userId: UserId, { place, device: cookie }: Arrived) {
  const { device, isNew } = await rememberDevice(tx, cookie, userId, deps.clock);
  return { ...(await openSession(tx, deps, userId, place, device)), device, isNew };
}

/** Lets somebody in, whatever door was used: an unknown browser is told to the owner. */
export async function letIn(
  tx: Tx,
  deps: Deps,
  account: Account,
  onward: Onward,
  browser: Arrived,
): Promise<LetIn> {
  const zone = zoneNamed(onward.timeZone);
  if (account.time_zone === null && zone !== undefined) await updateUser(tx, account.id, { time_zone: zone });
  const { token, sessionId, device, isNew } = await openIn(tx, deps, account.id, browser);
  // A mailbox that nobody has proven may be a stranger's.
  if (isNew && account.confirmed_at) await tellOfNewDevice(tx, deps, account, browser.place);
  await recordSignIn(tx, deps, account.id, ACTION.create, traceOf(browser.place, 'begins'));
  const code = await mintCode(tx, deps, { userId: account.id, sessionId }, onward.redirectUrl);
  return { token, device, next: nextPath(onward.redirectPath), code };
}

/** By mail, and in the panel of whoever is at another device. */
async function tellOfNewDevice(tx: Tx, deps: Deps, account: Account, place: LocatedPlace) {
  const { userAgent, ipAddress, location } = place;
  const { browser, system } = readUserAgent(userAgent);
  const details = { browser, system, place: location === UNKNOWN_PLACE ? ipAddress : location };
  await notify(tx, deps, account.id, { kind: 'new_device', details });
  await mailNotice(tx, deps, account, newDeviceNotice(userAgent, deps.clock.now()));
}

/** Mails a new code for the sign-in that the challenge cookie stands for. */
export const renewCode = (deps: Deps, challenge: string | undefined) =>
  challenge ? renewChallenge(deps, { token: challenge }, 'sign in') : Promise.resolve(refuse('otp_expired'));

/** Finishes a sign-in with the mailed code; the account comes from the challenge cookie, never from the request. */
export async function verifyCode(
  deps: Deps,
  input: Input<typeof secondStep.verifyCode>,
  challenge: string | undefined,
  browser: Browser,
) {
  if (!challenge) return refuse('otp_expired');
  const answered = await answerChallenge(deps, { token: challenge }, input.otp);
  if (answered instanceof Refusal) return answered;
  const arrived = await arrive(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const account = await holdAccount(tx, answered.userId, deps.clock.now());
    // What was closed between password and code stays closed.
    const block = account && blockOf(account);
    if (block) return block;
    const late = await closeChallenge(tx, deps, answered);
    if (late || !account) return late ?? refuse('otp_expired');
    return letIn(tx, deps, account, input, arrived);
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

/** Ends one session and notes it. */
export const signOut = (deps: Deps, userId: UserId, sessionId: SessionId) =>
  transaction(deps.sql, async (tx) => {
    // A code on its way for this session comes before this, or finds what this did.
    await holdAccount(tx, userId, deps.clock.now());
    const mine = await listSessions(tx, deps, userId);
    const left = mine.find(({ id }) => id === sessionId);
    await deleteSession(tx, sessionId);
    await recordSignIn(tx, deps, userId, ACTION.delete, left ? traceOf(left, 'ends') : {});
    return {};
  });
