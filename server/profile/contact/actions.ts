import { ACTION, type ActionOf, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS, RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { maskEmail } from '#contract/mask.ts';
import { profileText } from '#contract/text/profile.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import { mayDisclose, type NewAddressDoor } from '#server/accounts/actions.ts';
import {
  deletePending,
  findPending,
  moveToAddress,
  storePending,
  takeUnproven,
  touchPending,
} from '#server/accounts/addresses/data.ts';
import {
  deletePassword,
  findUser,
  findUserByEmail,
  freeAddress,
  getUser,
  holdAccount,
  lockUser,
  updateUser,
} from '#server/accounts/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { findToken, issueToken, useToken, voidRestores, voidTokens } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { refuseUntil } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { internationalPhone } from '#server/phone.ts';
import { addressTakenMail, changeNotice, newAddressMail, setBackMail } from '#server/profile/contact/mail.ts';
import { hasSession } from '#server/sessions/data.ts';
import { isRecentProof } from '#server/sessions/rules.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { endEverything, issueReset } from '#server/sign-in/recovery/actions.ts';

export type Who = { readonly userId: UserId; readonly sessionId: SessionId; readonly authenticatedAt: Date };
export type Where = { readonly orgId: OrgId; readonly roleId: RoleId } | null;
type Reach = { readonly email?: string | undefined; readonly contactNumber?: string | undefined };

/**
 * Changes how a person is reached. A number counts at once. An address waits until its mailed link is opened: the one
 * before stays what one signs in with, and is told. Whether a free address or a taken one waits shows only where the
 * portal tells who has an account.
 */
export async function updateContact(deps: Deps, who: Who, input: Reach, where: Where, prefix: string) {
  const { userId } = who;
  const email = input.email === undefined ? undefined : emailOrRefusal(input.email, 'email');
  if (email instanceof Refusal) return email;
  const before = await findUser(deps.sql, userId);
  const moves =
    email !== undefined && email !== before?.email && email !== (await findPending(deps.sql, userId))?.email;
  const disclose = moves ? await mayAsk(deps, who, prefix) : false;
  if (disclose instanceof Refusal) return disclose;

  return transaction(deps.sql, async (tx) => {
    const person = await lockUser(tx, userId);
    // What ended the session meanwhile, a reset for instance, ends this too.
    if (!(await hasSession(tx, who.sessionId))) return refuse('not_signed_in');
    const { contactNumber: typed = person.contact_number } = input;
    const changed = changes(person, { contact_number: typed });
    if (changed['contact_number'])
      await updateUser(tx, userId, {
        contact_number: typed,
        phone_e164: internationalPhone(typed, person.country),
      });
    if (moves && email !== person.email && email !== (await findPending(tx, userId))?.email) {
      await freeAddress(tx, email);
      if (disclose && (await findUserByEmail(tx, email))) return refuse('email_id_exist');
      const waited = await letWait(tx, deps, userId, email);
      changed['pending_email'] = [waited === undefined ? null : maskEmail(waited), maskEmail(email)];
    }
    if (Object.keys(changed).length === 0) return refuse('no_changes');
    await record(tx, deps, userId, ACTION.update, changed);
    return getUser(tx, userId, where?.roleId);
  });
}

/** Whether somebody may ask for a new address now, and whether the answer may tell that it is taken. */
async function mayAsk(deps: Deps, { userId, authenticatedAt }: Who, prefix: string) {
  if (
    deps.config.disclosure === 'neutral' &&
    !isRecentProof(authenticatedAt, deps.clock.now(), deps.config.reauthWindowMinutes)
  )
    return refuse('reauthentication_required');
  const tooMany = await deps.limiter.take('newAddressesHour', String(userId));
  return tooMany ?? mayDisclose(deps, prefix);
}

/** Notes the address, has its mail written, and tells the one before; returns the address that waited until now. */
async function letWait(tx: Tx, deps: Deps, userId: UserId, email: string) {
  const now = deps.clock.now();
  const former = await findPending(tx, userId);
  await voidTokens(tx, userId, now, ['change-email']);
  await storePending(tx, userId, email, now);
  await askForMail(tx, deps, userId);
  await tellFormer(tx, deps, await findUser(tx, userId), email, false);
  return former?.email;
}

/** Has the link mailed to the address that waits, where one does. */
export const askForMail = (tx: Tx, deps: Deps, userId: UserId) =>
  enqueue(tx, deps, { kind: 'new-address-mail', payload: { userId }, lane: `new-address:${userId}` });

type Former = { readonly id: UserId; readonly email: string | null; readonly confirmed_at: Date | null };
/** An address that was never proven may be a stranger's, who is to get no way into the account. */
async function tellFormer(tx: Tx, deps: Deps, former: Former | undefined, email: string, done: boolean) {
  if (!former?.confirmed_at || former.email === null) return;
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'restore-email',
    userId: former.id,
    subject: former.email,
    lifeMs: EMAIL_UNDO_DAYS * DAY_MS,
    alongside: true,
  });
  const content = changeNotice(deps.config.publicUrl, email, done);
  await queueMail(tx, deps, { to: former.email, content, digest: seed, expiresAt });
}

/**
 * Mails the link to the address that waits; a job, so that an answer takes as long for a taken address. The owner of a
 * taken one is told instead. An address gets ten of these mails a day, whoever asks.
 */
export async function mailNewAddress(deps: Deps, userId: UserId) {
  const pending = await findPending(deps.sql, userId);
  if (!pending || (await deps.limiter.take('newAddressMailsToAddressDay', pending.email))) return;
  await transaction(deps.sql, async (tx) => {
    const { email } = pending;
    await holdAccount(tx, userId, deps.clock.now());
    if ((await findPending(tx, userId))?.email !== email) return;
    await freeAddress(tx, email);
    if (await findUserByEmail(tx, email)) {
      await queueMail(tx, deps, { to: email, content: addressTakenMail(deps.config.publicUrl) });
      return;
    }
    const { seed, expiresAt } = await issueToken(tx, deps, {
      purpose: 'change-email',
      userId,
      subject: email,
      lifeMs: EMAIL_CHANGE_HOURS * HOUR_MS,
    });
    const content = newAddressMail(deps.config.publicUrl);
    await queueMail(tx, deps, { to: email, content, digest: seed, expiresAt });
  });
}

/** Has the link mailed again, every 30 seconds and five times an hour at most; answers alike for a taken address. */
export async function resendPendingEmail(deps: Deps, userId: UserId) {
  const now = deps.clock.now();
  const waitMs = RESEND_WAIT_SECONDS * SECOND_MS;
  const pending = await findPending(deps.sql, userId);
  if (!pending) return refuse('not_found', { details: profileText.nothingPending });
  const mayAt = new Date(pending.mailed_at.getTime() + waitMs);
  if (mayAt > now) return refuseUntil(mayAt, now);
  const tooMany = await deps.limiter.take('newAddressesHour', String(userId));
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    if (!(await touchPending(tx, userId, now, fromNow(deps.clock, -waitMs))))
      return refuse('too_many_requests', { retryAfterSeconds: RESEND_WAIT_SECONDS });
    await askForMail(tx, deps, userId);
    return { waitSeconds: RESEND_WAIT_SECONDS };
  });
}

/** Lets go of the address that waits. The way back that was mailed to the former one stays: it may be needed still. */
export const cancelPendingEmail = (deps: Deps, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    await holdAccount(tx, userId, deps.clock.now());
    const gone = await deletePending(tx, userId);
    if (!gone) return refuse('not_found', { details: profileText.nothingPending });
    await voidTokens(tx, userId, deps.clock.now(), ['change-email']);
    await record(tx, deps, userId, ACTION.delete, { pending_email: [maskEmail(gone.email), null] });
    return {};
  });

/** The address that waited is the account's now; links mailed to the former one end, but for the way back. */
export const confirmNewAddress: NewAddressDoor = (deps, token) =>
  transaction(deps.sql, async (tx) => {
    const { user_id: userId, subject: email } = token;
    const now = deps.clock.now();
    const former = await holdAccount(tx, userId, now);
    const pending = await findPending(tx, userId);
    if (!former || pending?.email !== email || !(await useToken(tx, token.id, now)))
      return refuse('digest_invalid');
    await freeAddress(tx, email);
    const moved = await moveToAddress(tx, userId, email, now);
    if (moved instanceof Refusal) return moved;
    await deletePending(tx, userId);
    await endLinks(tx, userId, now);
    const left = former.email !== null && !former.confirmed_at ? maskEmail(former.email) : former.email;
    await record(tx, deps, userId, ACTION.change, { email: [left, email] });
    await tellFormer(tx, deps, former, email, true);
    return { passwordNeeded: false as const };
  });

/** What was mailed to an address that is the account's no more, and half-done sign-ins whose code went there. */
async function endLinks(tx: Tx, userId: UserId, now: Date) {
  await voidTokens(tx, userId, now, ['verify-email', 'set-password', 'reset-password', 'change-email']);
  await deleteChallengesOf(tx, userId);
}

/**
 * Takes a former address back, by whoever reads it: everything that was opened since ends, and with the address that
 * took its place goes the password, which may be a stranger's by now. An account that was opened with the address
 * meanwhile and never proved it makes room.
 */
export async function restoreEmail(deps: Deps, digest: string) {
  const token = await findToken(deps.sql, 'restore-email', digest);
  if (!token || token.used_at) return refuse('digest_invalid');
  if (token.expires_at <= deps.clock.now()) return refuse('digest_expired');
  const { user_id: userId, subject: email } = token;
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const account = await holdAccount(tx, userId, now);
    if (!account || !(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    await voidRestores(tx, token, now);
    const pending = await findPending(tx, userId);
    if (account.email !== email) {
      const other = await takeUnproven(tx, email);
      // Not theirs: it is not to stay in their log for longer than with its owner.
      if (other) await record(tx, deps, other.id, ACTION.delete, { email: [maskEmail(email), null] }, true);
      const moved = await moveToAddress(tx, userId, email, now);
      if (moved instanceof Refusal) return moved;
      await deletePassword(tx, userId);
      if (account.email !== null)
        await queueMail(tx, deps, { to: account.email, content: setBackMail(deps.config.publicUrl) });
    }
    await endEverything(tx, deps, { id: userId, confirmed_at: now });
    await record(tx, deps, userId, ACTION.change, {
      ...changes({ email: account.email }, { email }),
      ...(pending && { pending_email: [maskEmail(pending.email), null] }),
      reported: [false, true],
    });
    return { digest: (await issueReset(tx, deps, userId, email)).digest };
  });
}

/** In the person's own log: a private number and an address not yet proven are nothing for their admins. */
const record = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: ActionOf<'contactInformation'>,
  information: Record<string, [unknown, unknown]>,
  byAnother?: true,
) =>
  recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.profile,
    type: ACTIVITY_TYPE.contactInformation,
    action,
    recordId: userId,
    information,
    ...(byAnother && { byAnother }),
  });
