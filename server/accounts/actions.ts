import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { accounts } from '#contract/accounts.ts';
import type { confirmation } from '#contract/confirmation.ts';
import { countryOfZone, zoneNamed } from '#contract/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { isGuessable } from '#contract/guessable.ts';
import { CONFIRMATION_HOURS, NOT_ME_DAYS, RESEND_WAIT_SECONDS, RESET_MINUTES } from '#contract/limits.ts';
import { maskEmail } from '#contract/mask.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import {
  confirmUser,
  deletePassword,
  findPassword,
  findUserByEmail,
  freeAddress,
  holdAccount,
  insertUser,
  storePassword,
  updateUser,
} from '#server/accounts/data.ts';
import {
  countRecentTokens,
  countTry,
  findToken,
  issueToken,
  type Token,
  useToken,
  voidTokens,
} from '#server/accounts/tokens/data.ts';
import { accountExistsMail, confirmAddressMail, noticeMail } from '#server/accounts/mail.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { isCommonPassword } from '#server/common-passwords.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import type { Notice } from '#server/mail/frame.ts';
import { queueMail } from '#server/mail/outbox.ts';

type Place = {
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly replacedSession?: SessionId | undefined;
};
type Opened = { readonly token: string; readonly device: string };
/** What accounts need of sessions, which stand above them in the order of features. */
export type SessionDoor = {
  /** Opens one in a browser that is remembered from then on. */
  open(
    tx: Tx,
    userId: UserId,
    place: Place & { location: string },
    device: string | undefined,
  ): Promise<Opened>;
  endAll(tx: Tx, userId: UserId): Promise<unknown>;
};
/** Makes the address of an account the one that its link was mailed to; passed in, since changing it stands above. */
export type NewAddressDoor = (
  deps: Deps,
  token: Token,
) => Promise<{ passwordNeeded: false } | Refusal<'digest_invalid' | 'email_id_exist'>>;

const MAILS_AN_HOUR_MAX = 5;
const PASSWORD_TRIES_MAX = 5;

/**
 * Whether an answer may tell that an address has an account. Each telling answer draws from a budget of the caller's
 * network and one of the whole system; when either is empty answers turn neutral for all, and only a network that asks
 * on and on is refused.
 */
export async function mayDisclose({ config, limiter }: Deps, prefix: string) {
  const budgets = [
    ['disclosureHour', prefix],
    ['disclosureSystemHour', 'all'],
  ] as const;
  const mayTell = config.disclosure !== 'neutral';
  const spent = await limiter.takeInTurn([['disclosureRefusedHour', prefix], ...(mayTell ? budgets : [])]);
  if (spent?.empty === 'disclosureRefusedHour') return spent.refusal;
  return mayTell && !spent;
}

/** Refuses a new password that is on the lists or made of the person's own words, with the reason; unless switched off. */
export async function refuseWeakPassword(
  { config }: Pick<Deps, 'config'>,
  password: string,
  person: { email: string | null; names: readonly string[] },
  field = 'password',
): Promise<Refusal<'invalid_input'> | undefined> {
  if (!config.passwordBlocklist) return undefined;
  if (await isCommonPassword(password))
    return refuse('invalid_input', { fields: { [field]: serverFieldText.commonPassword } });
  if (isGuessable(password, person))
    return refuse('invalid_input', { fields: { [field]: serverFieldText.guessablePassword } });
  return undefined;
}

/**
 * Creates an account with its password, its confirmation mail, its activity row and a session, all or nothing.
 * Under neutral disclosure a taken address answers as a free one, with nothing.
 */
export async function signUp(
  deps: Deps,
  input: Input<typeof accounts.signUp>,
  { place, device }: { readonly place: Place; readonly device: string | undefined },
  sessions: SessionDoor,
): Promise<
  | (Opened & { id: UserId })
  | null
  | Refusal<'email_id_exist' | 'invalid_input' | 'too_many_requests' | 'unavailable'>
> {
  const email = emailOrRefusal(input.email, 'emailId');
  if (email instanceof Refusal) return email;
  const weak = await refuseWeakPassword(deps, input.password, { email, names: [] });
  if (weak) return weak;
  const prefix = ipPrefix(place.ipAddress);
  const disclose = await mayDisclose(deps, prefix);
  if (disclose instanceof Refusal) return disclose;
  const record = await deps.passwords.hash(input.password, prefix);
  if (record instanceof Refusal) return record;
  const location = await deps.locations.find(place.ipAddress);

  const created = await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const zone = { country: countryOfZone(input.timeZone), timeZone: zoneNamed(input.timeZone) ?? null };
    const person = { email, ...zone, createdAt: now };
    await freeAddress(tx, email);
    const user = await insertUser(tx, person);
    if (user instanceof Refusal) return user;
    await storePassword(tx, user.id, record, now);
    await mailConfirmation(tx, deps, user.id, email);
    await recordActivity(tx, deps, {
      orgId: null,
      userId: user.id,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.profileInformation,
      action: ACTION.create,
      recordId: user.id,
      information: { email: [null, maskEmail(email)] },
    });
    await notify(tx, deps, user.id, { kind: 'address_to_confirm', details: { email } });
    if (!disclose) return null;
    return { id: user.id, ...(await sessions.open(tx, user.id, { ...place, location }, device)) };
  });
  if (created instanceof Refusal) await tellOwner(deps, email, disclose);
  return disclose ? created : null;
}

/**
 * Somebody wants an address that is taken. A job tells its owner, as far as there is something to tell: who is only
 * invited gets the link anew, and everybody else learns of it when the answer did not say so.
 */
export async function tellOwner(deps: Deps, email: string, disclosed: boolean) {
  if (await deps.limiter.take('accountExistsMailsHour', email)) return;
  const job = { kind: 'taken-address', payload: { email, disclosed }, lane: `taken:${email}` };
  await enqueueAlone(deps, job);
}

/** Tells the owner of an address that it has an account, where the answer to a stranger did not. */
export const mailAccountExists = (tx: Tx, deps: Deps, email: string) =>
  queueMail(tx, deps, { to: email, content: accountExistsMail(deps.config.publicUrl) });

/** Mails a link that proves the mailbox; the link before it no longer serves. */
export async function mailConfirmation(tx: Tx, deps: Deps, userId: UserId, email: string) {
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'verify-email',
    userId,
    subject: email,
    lifeMs: CONFIRMATION_HOURS * HOUR_MS,
  });
  await queueMail(tx, deps, {
    to: email,
    content: confirmAddressMail(deps.config.publicUrl),
    digest: seed,
    expiresAt,
  });
}

/**
 * Confirms an address. Whoever proves the mailbox without proving the account too (its session or its password)
 * is taken for the owner of the mailbox and not for whoever signed up with it: earlier sessions end, the earlier
 * password goes, and the answer carries a digest to choose a new one with. A changed address is another matter: the
 * account has its owner, and whoever reads the mailbox of a mistyped one is to get nothing without that proof.
 */
export async function verifyEmail(
  deps: Deps,
  input: Input<typeof confirmation.verifyEmail>,
  place: Place,
  callerId: UserId | undefined,
  sessions: SessionDoor,
  moveTo: NewAddressDoor,
) {
  const first = await findToken(deps.sql, 'verify-email', input.digest);
  const token = first ?? (await findToken(deps.sql, 'change-email', input.digest));
  if (!token || token.used_at) return refuse('digest_invalid');
  if (token.expires_at <= deps.clock.now()) return refuse('digest_expired');

  let proven = callerId === token.user_id;
  if (!proven && input.password !== undefined) {
    const mayTry = await transaction(deps.sql, async (tx) => {
      if (await countTry(tx, token.id, PASSWORD_TRIES_MAX)) return true;
      await useToken(tx, token.id, deps.clock.now());
      return false;
    });
    if (!mayTry) return refuse('digest_invalid');
    const record = await findPassword(deps.sql, token.user_id);
    const matches = await deps.passwords.matches(input.password, record, ipPrefix(place.ipAddress));
    if (matches instanceof Refusal) return matches;
    if (!matches) return refuse('wrong_password');
    proven = true;
  }
  // Somebody else's session is no reason to shut anybody out: they are asked first, and nothing happens yet.
  if (!proven && (callerId !== undefined || !first)) return { passwordNeeded: true };
  if (!first) return moveTo(deps, token);
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const user = await holdAccount(tx, token.user_id, now);
    if (!user || !(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    // Where the portal does not tell which addresses are taken, somebody's first one is theirs only now.
    if (user.email === null) await freeAddress(tx, token.subject);
    const isNew =
      user.email === null && !((await updateUser(tx, user.id, { email: token.subject })) instanceof Refusal);
    if (!isNew && user.email !== token.subject) return refuse('digest_invalid');
    await confirmUser(tx, user.id, now);
    await voidTokens(tx, user.id, now, ['verify-email']);
    await recordActivity(tx, deps, {
      orgId: null,
      userId: user.id,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.contactInformation,
      action: ACTION.update,
      recordId: user.id,
      information: { ...(isNew && { email: [null, token.subject] }), confirmed: [false, true] },
    });
    if (proven) return { passwordNeeded: false };
    await sessions.endAll(tx, user.id);
    await deletePassword(tx, user.id);
    const { digest } = await issueToken(tx, deps, {
      purpose: 'set-password',
      userId: user.id,
      subject: token.subject,
      lifeMs: RESET_MINUTES * MINUTE_MS,
    });
    return { passwordNeeded: true, digest };
  });
}

/** Leaves the look-up to a job, so the answer takes as long whether the address waits for a mail or not. */
export async function resendVerification(deps: Deps, typed: string, { ipAddress }: Place) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  // The answer is the same past the limit of the network: it tells nothing, whatever became of the mail.
  if (await deps.limiter.take('confirmationRequestsHour', ipPrefix(ipAddress))) return {};
  const job = { kind: 'resend-verification', payload: { email }, lane: `resend:${email}` };
  await enqueueAlone(deps, job);
  return {};
}

/** Sends the link again if the address still waits for one, at most every 30 seconds and five times an hour. */
export const resendTo = (deps: Deps, email: string) =>
  transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const found = await findUserByEmail(tx, email);
    const user = found && (await holdAccount(tx, found.id, now));
    if (user?.email !== email || user.confirmed_at || user.deletion_due_at) return;
    const { count, last } = await countRecentTokens(tx, user.id, 'verify-email', now);
    const tooSoon = last !== null && now.getTime() - last.getTime() < RESEND_WAIT_SECONDS * SECOND_MS;
    if (tooSoon || count >= MAILS_AN_HOUR_MAX) return;
    await mailConfirmation(tx, deps, user.id, email);
  });

/** Mails what happened to the account to its address, with a link that undoes it all if it was not the owner. */
export async function mailNotice(
  tx: Tx,
  deps: Deps,
  person: { id: UserId; email: string | null },
  notice: Notice,
) {
  if (person.email === null) return;
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'not-me',
    userId: person.id,
    subject: person.email,
    lifeMs: NOT_ME_DAYS * DAY_MS,
    alongside: true,
  });
  await queueMail(tx, deps, {
    to: person.email,
    content: noticeMail(deps.config.publicUrl, notice),
    digest: seed,
    expiresAt,
  });
}
