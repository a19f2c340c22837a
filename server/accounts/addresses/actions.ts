import type { Details } from '#contract/activity/recorded.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import {
  deleteLeftOver,
  deleteRivals,
  findHolder,
  findMembership,
  lockOrganizations,
  type InvitedAt,
  listInvitedAt,
  moveInvitation,
  moveToAddress,
  takeUnproven,
} from './data.ts';
import { isContested, renewToken, type Token, voidTokensTo } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { lockUser, lockUsers } from '#server/accounts/locking/data.ts';
import type { Deps } from '#server/deps.ts';
import { reassignMails } from '#server/jobs/data.ts';
import { type WriteMail, queueMail } from '#server/mail/outbox.ts';
import { endMembership } from '#server/members/ending/membership.ts';

const TRIES_MAX = 5;
const RIVALS_MAX = 100;

/** A person's claim on an address, with locks on all rows that it may change. */
type Claim = {
  readonly userId: UserId;
  readonly email: string;
  readonly holder: UserId | undefined;
  readonly orgs: ReadonlySet<OrgId>;
};

/** Locks all rows that a claim may change. Call it first: organizations are locked before people everywhere. */
export async function lockForAddress(tx: Tx, userId: UserId, email: string): Promise<Claim> {
  const occupant = await findHolder(tx, email);
  const holder = occupant && occupant.id !== userId && !occupant.confirmed_at ? occupant.id : undefined;
  const invitations = holder === undefined ? [] : await listInvitedAt(tx, holder, email);
  const orgs = new Set(invitations.map(({ orgId }) => orgId));
  if (orgs.size > 0) await lockOrganizations(tx, [...orgs]);
  await lockUsers(tx, holder === undefined ? [userId] : [userId, holder]);
  return { userId, email, holder, orgs };
}

/** Invitations to the address pass to the person; an unproven account loses it. `unavailable`: `claiming` retries. */
export async function claimAddress(tx: Tx, deps: Deps, claim: Claim, provenAt: Date) {
  const { userId, email } = claim;
  const holder = await findHolder(tx, email);
  if (holder && holder.id !== userId) {
    if (holder.confirmed_at) return refuse('email_id_exist');
    if (holder.id !== claim.holder) return refuse('unavailable');
    const invitations = await listInvitedAt(tx, holder.id, email);
    if (invitations.some(({ orgId }) => !claim.orgs.has(orgId))) return refuse('unavailable');
    for (const invitation of invitations) await passOn(tx, deps, invitation, claim);
    await reassignMails(tx, holder.id, userId, email);
    await takeAddress(tx, deps, holder.id, email);
  }
  const result = await moveToAddress(tx, userId, email, provenAt);
  if (!(result instanceof Refusal)) await endRivals(tx, deps, email, userId);
  return result;
}

/** Under neutral disclosure, and beyond `RIVALS_MAX`, claims of others stay until their own links are opened. */
export async function endRivals(tx: Tx, deps: Deps, email: string, winner: UserId) {
  if (deps.config.disclosure === 'neutral') return;
  const information = { pending_email: [maskEmail(email), null] };
  for (const { userId } of await deleteRivals(tx, email, winner, RIVALS_MAX))
    await recordContact(tx, deps, userId, 'delete', information, true);
}

/** Takes an address from an account that never proved it. Deletes an unused person, else records the loss. */
async function takeAddress(tx: Tx, deps: Deps, userId: UserId, email: string) {
  await voidTokensTo(tx, userId, email, deps.clock.now());
  if (!(await takeUnproven(tx, userId, email)) || (await deleteLeftOver(tx, userId))) return;
  // The address belongs to another person now, so the log must not keep it in clear.
  const information = { email: [maskEmail(email), null] };
  await recordContact(tx, deps, userId, 'delete', information, true);
}

/** Writes to the person's own log, because admins must not see a private number or an unconfirmed address. */
export const recordContact = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: 'update' | 'change' | 'delete',
  information: Details,
  byAnother = false,
) =>
  recordActivity(tx, deps, `person.contactInformation.${action}`, {
    userId,
    recordId: userId,
    byAnother,
    information,
  });

/** If they are already a member, the invitation ends; if they have another one there, that one ends. */
async function passOn(tx: Tx, deps: Deps, invitation: InvitedAt, { userId, email }: Claim) {
  const { id, orgId } = invitation;
  const membership = await findMembership(tx, orgId, userId);
  const isMember = membership !== undefined && membership.status !== MEMBER_STATUS.invited;
  if (membership) {
    const endedId = isMember ? id : membership.id;
    const endedMembership = { ...invitation, id: endedId, userId, email, status: MEMBER_STATUS.invited };
    await endMembership(tx, deps, 'declined', endedMembership, { orgId, by: userId, byAnother: true });
  }
  if (isMember) return;
  await moveInvitation(tx, id, userId);
  await recordActivity(tx, deps, 'organization.invitedContact.update', {
    orgId,
    userId,
    recordId: userId,
    byAnother: true,
    information: { confirmed: [false, true] },
  });
}

/** Retries a claim on an address while it loses races. It is final only if the holder has proven the address. */
export async function claiming<T>(deps: Deps, email: string, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const result = await attempt();
    const refusal = result instanceof Refusal ? result.name : undefined;
    if (tries === TRIES_MAX || (refusal !== 'email_id_exist' && refusal !== 'unavailable')) return result;
    if (refusal === 'email_id_exist' && (await findHolder(deps.sql, email))?.confirmed_at) return result;
  }
}

/** After the mail, another person was invited there, or proved the address and left it. A holder who proved it keeps it. */
export const isOutdated = async (tx: Tx, token: Token) =>
  !(await findHolder(tx, token.subject))?.confirmed_at && (await isContested(tx, token));

/** Mails a new link, at most three times per hour; the old one stops. The mailbox's reader decides by opening it. */
export async function mailNewLink(deps: Deps, token: Token, content: WriteMail, lifeMs: number) {
  if (await deps.limiter.take('wayBackMailsHour', String(token.user_id))) return;
  await transaction(deps.sql, async (tx) => {
    const { user_id: userId, subject: to } = token;
    await lockUser(tx, userId);
    const renewed = await renewToken(tx, deps, token, lifeMs);
    if (!renewed) return;
    const { seed: digest, expiresAt } = renewed;
    await queueMail(tx, deps, { userId, to, content, digest, expiresAt });
  });
}
