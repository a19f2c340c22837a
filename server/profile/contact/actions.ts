// People change their address and phone number here. A new address counts once its mailed link is opened.
import type { Details } from '#contract/activity/recorded.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS, RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { profileText } from '#words/profile.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import {
  claimAddress,
  claiming,
  isOutdated,
  lockForAddress,
  mailNewLink,
  recordContact,
} from '#server/accounts/addresses/actions.ts';
import {
  deletePending,
  findHolder,
  findPending,
  storePending,
  touchPending,
} from '#server/accounts/addresses/data.ts';
import type { NewAddressPort } from '#server/accounts/confirmation/actions.ts';
import { findUser, getUser, lockAccount, lockProfile, updateUser } from '#server/accounts/data.ts';
import { countFirstMail, mayMailTo } from '#server/accounts/mailboxes/limits.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { mailLink } from '#server/accounts/tokens/links.ts';
import { type Token, useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { refuseUntil } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { internationalPhone } from '#server/phone.ts';
import { addressTakenMail, changeNotice, newAddressMail } from './mail.ts';
import type { ProvenOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import { isRecentlyProven, servesAccount } from '#server/access/data.ts';
import { findClosingCompany } from '#server/access/company/data.ts';
import { companyFieldText } from '#words/company-field.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';

export type ShownRole = { readonly orgId: OrgId; readonly roleId: RoleId } | null;
type ContactChange = { readonly email?: string | undefined; readonly contactNumber?: string | undefined };

/** A number takes effect at once, an address once its mailed link is opened. The current address gets a notice. */
export async function updateContact(
  deps: Deps,
  caller: ProvenOwner,
  input: ContactChange,
  scope: ShownRole,
  network: string,
) {
  const { userId } = caller;
  const email = input.email === undefined ? undefined : emailOrRefusal(input.email, 'email');
  if (email instanceof Refusal) return email;
  const before = await findUser(deps.sql, userId);
  const isNewAddress =
    email !== undefined && email !== before?.email && email !== (await findPending(deps.sql, userId))?.email;
  const disclose = isNewAddress ? await mayRequestAddress(deps, caller, network, email) : false;
  if (disclose instanceof Refusal) return disclose;

  return transaction(deps.sql, async (tx) => {
    // The company names the address that opens its account.
    if (isNewAddress && (await findClosingCompany(tx, userId, deps.clock.now())))
      return refuse('not_allowed', { details: companyFieldText.addressOfCompany });
    const person = await lockProfile(tx, userId);
    // The session may have ended while this call waited for the lock, for instance by a reset.
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const { contactNumber: typed = person.contact_number } = input;
    const edits: { -readonly [F in keyof Details]: Details[F] } = changes(person, { contact_number: typed });
    if (edits.contact_number)
      await updateUser(tx, userId, {
        contact_number: typed,
        phone_e164: await internationalPhone(typed, person.country),
      });
    if (isNewAddress && email !== person.email && email !== (await findPending(tx, userId))?.email) {
      if (disclose && (await findHolder(tx, email))?.confirmed_at) return refuse('email_id_exist');
      const replaced = await storeNewAddress(tx, deps, userId, email);
      edits.pending_email = [replaced === undefined ? null : maskEmail(replaced), maskEmail(email)];
    }
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    await recordContact(tx, deps, userId, 'update', edits);
    return getUser(tx, userId, scope?.roleId, deps);
  });
}

/** Refuses if no new address may be requested now. Returns whether the answer may disclose a taken one. */
async function mayRequestAddress(deps: Deps, caller: ProvenOwner, network: string, email: string) {
  // A company's word moves no account to another mailbox.
  const isOwn = await servesAccount(deps.sql, caller);
  const isRecent = deps.config.disclosure !== 'neutral' || (await isRecentlyProven(deps.sql, deps, caller));
  if (!isOwn || !isRecent) return refuse('reauthentication_required');
  const tooMany = await deps.limiter.take('newAddressesHour', String(caller.userId));
  return tooMany ?? mayMailTo(deps, network, email);
}

/** Stores the pending address, queues its mail and a notice to the current one. Returns the replaced pending address. */
async function storeNewAddress(tx: Tx, deps: Deps, userId: UserId, email: string) {
  const now = deps.clock.now();
  const replaced = await findPending(tx, userId);
  await voidTokens(tx, userId, now, ['change-email']);
  await storePending(tx, userId, email, now);
  await queueNewAddressMail(tx, deps, userId);
  await mailFormerAddress(tx, deps, await findUser(tx, userId), email, false);
  return replaced?.email;
}

/** Queues the mail with the link to the pending address. Without one, the job sends nothing. */
export const queueNewAddressMail = (tx: Tx, deps: Deps, userId: UserId) =>
  enqueue(tx, deps, { kind: 'new-address-mail', payload: { userId }, lane: `new-address:${userId}`, userId });

type Former = { readonly id: UserId; readonly email: string | null; readonly confirmed_at: Date | null };
/** An unconfirmed address gets no notice, because its link would let a stranger into the account. */
async function mailFormerAddress(
  tx: Tx,
  deps: Deps,
  formerAccount: Former | undefined,
  email: string,
  done: boolean,
) {
  if (!formerAccount?.confirmed_at || formerAccount.email === null) return;
  await mailLink(tx, deps, changeNotice(deps.config.publicUrl, email, done), {
    purpose: 'restore-email',
    userId: formerAccount.id,
    subject: formerAccount.email,
    lifeMs: EMAIL_UNDO_DAYS * DAY_MS,
  });
}

/** A job, so that the call takes equally long for a taken address. The mail was counted when it was requested. */
export async function mailNewAddress(deps: Deps, userId: UserId) {
  const pending = await findPending(deps.sql, userId);
  if (!pending) return;
  await transaction(deps.sql, async (tx) => {
    const { email } = pending;
    await lockAccount(tx, userId, deps.clock.now());
    if ((await findPending(tx, userId))?.email !== email) return;
    const holder = await findHolder(tx, email);
    if (holder?.confirmed_at) {
      await queueMail(tx, deps, {
        userId: holder.id,
        to: email,
        content: addressTakenMail(deps.config.publicUrl),
      });
      return;
    }
    await mailLink(tx, deps, newAddressMail(deps.config.publicUrl), {
      purpose: 'change-email',
      userId,
      subject: email,
      lifeMs: EMAIL_CHANGE_HOURS * HOUR_MS,
    });
  });
}

/** Queues the link again, at most every 30 seconds and five times per hour, also for a taken address. */
export async function resendPendingEmail(deps: Deps, userId: UserId, network: string) {
  const now = deps.clock.now();
  const waitMs = RESEND_WAIT_SECONDS * SECOND_MS;
  const pending = await findPending(deps.sql, userId);
  if (!pending) return refuse('not_found', { details: profileText.nothingPending });
  const nextAt = new Date(pending.mailed_at.getTime() + waitMs);
  if (nextAt > now) return refuseUntil('pending address', nextAt, now);
  const tooMany =
    (await deps.limiter.take('newAddressesHour', String(userId))) ??
    (await countFirstMail(deps, pending.email, network));
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    if (!(await touchPending(tx, userId, now, fromNow(deps.clock, -waitMs))))
      return refuseUntil('pending address', fromNow(deps.clock, waitMs), now);
    await queueNewAddressMail(tx, deps, userId);
    return { waitSeconds: RESEND_WAIT_SECONDS };
  });
}

/** Drops the pending address. The restore link stays valid, because the owner may need it against an intruder. */
export const cancelPendingEmail = (deps: Deps, userId: UserId) =>
  transaction(deps.sql, async (tx) =>
    (await dropPending(tx, deps, userId)) ? {} : refuse('not_found', { details: profileText.nothingPending }),
  );

/** Drops the pending address; if `only` is given, only that one. Returns whether it did. */
async function dropPending(tx: Tx, deps: Deps, userId: UserId, only?: string): Promise<boolean> {
  const now = deps.clock.now();
  await lockAccount(tx, userId, now);
  const pending = await findPending(tx, userId);
  if (!pending || (only !== undefined && pending.email !== only)) return false;
  await deletePending(tx, userId);
  await voidTokens(tx, userId, now, ['change-email']);
  await recordContact(tx, deps, userId, 'delete', { pending_email: [maskEmail(pending.email), null] });
  return true;
}

/** Earlier links end, except the restore link. If another person was invited there since, a new link goes there. */
export const confirmNewAddress: NewAddressPort = async (deps, token) => {
  const result = await claiming(deps, token.subject, () => moveAccount(deps, token));
  if (result === 'outdated') {
    await mailNewLink(deps, token, newAddressMail(deps.config.publicUrl), EMAIL_CHANGE_HOURS * HOUR_MS);
    return refuse('digest_invalid');
  }
  // The person has proven account and mailbox, so the answer may say that the address is taken.
  if (result instanceof Refusal && result.name === 'email_id_exist')
    await transaction(deps.sql, (tx) => dropPending(tx, deps, token.user_id, token.subject));
  return result;
};

const moveAccount = (deps: Deps, token: Token) =>
  transaction(deps.sql, async (tx) => {
    const { user_id: userId, subject: email } = token;
    const now = deps.clock.now();
    const claim = await lockForAddress(tx, userId, email);
    const formerAccount = await lockAccount(tx, userId, now);
    // A thief who was shut out must not take the account along to an address of their own, nor anybody past the company.
    if (!formerAccount || formerAccount.restricted_until) return refuse('digest_invalid');
    if (await findClosingCompany(tx, userId, now)) return refuse('digest_invalid');
    if (await isOutdated(tx, token)) return 'outdated';
    if (!(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    const holder = await findHolder(tx, email);
    if (holder?.confirmed_at && holder.id !== userId) return refuse('email_id_exist');
    if ((await findPending(tx, userId))?.email !== email) return refuse('digest_invalid');
    const result = await claimAddress(tx, deps, claim, token.provenAt);
    if (result instanceof Refusal) return result;
    await deletePending(tx, userId);
    await voidTokens(tx, userId, now, ['verify-email', 'set-password', 'reset-password', 'change-email']);
    await deleteChallengesOf(tx, userId);
    const formerEmail =
      formerAccount.email !== null && !formerAccount.confirmed_at
        ? maskEmail(formerAccount.email)
        : formerAccount.email;
    await recordContact(tx, deps, userId, 'change', { email: [formerEmail, email] });
    await mailFormerAddress(tx, deps, formerAccount, email, true);
    return { passwordNeeded: false as const };
  });
