import type { confirmation } from '#contract/accounts/confirmation.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { RESET_MINUTES } from '#contract/limits.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { servesAccount } from '#server/access/data.ts';
import type { Session } from '#contract/access/facts.ts';
import { mailNewConfirmation, resendTo } from '#server/accounts/actions.ts';
import {
  claimAddress,
  claiming,
  endRivals,
  isOutdated,
  lockForAddress,
  recordContact,
} from '#server/accounts/addresses/actions.ts';
import { confirmUser, deletePassword, findPassword, findUser, lockAccount } from '#server/accounts/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { getToken, giveBackRequest } from '#server/accounts/tokens/links.ts';
import { countTry, issueToken, type Token, useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';

/** Ends everything that opens an account. Passed in because recovery stands above accounts. */
export type EndSessionsPort = { endAll(tx: Tx, userId: UserId): Promise<unknown> };
/** Moves an account to the address that its link was mailed to. Passed in, because profile stands above. */
export type NewAddressPort = (
  deps: Deps,
  token: Token,
) => Promise<{ passwordNeeded: false } | Refusal<'digest_invalid' | 'email_id_exist' | 'unavailable'>>;

const PASSWORD_TRIES_MAX = 5;

type Caller = Session & { readonly userId: UserId; readonly sessionId: SessionId };
/**
 * Confirms an address. The link alone proves the mailbox, but not that its reader signed up. Without the
 * account's session or password, earlier sessions end, the earlier password goes, and the answer carries a
 * digest to choose a new password. A changed address always needs the session or password, because a mistyped
 * address must not give its reader the account.
 */
export async function verifyEmail(
  deps: Deps,
  input: Input<typeof confirmation.verifyEmail>,
  network: string,
  caller: Caller | undefined,
  sessions: EndSessionsPort,
  moveTo: NewAddressPort,
) {
  const token = await getToken(deps, ['verify-email', 'change-email'], input.digest);
  if (token instanceof Refusal) return token;
  const isChange = token.purpose === 'change-email';

  const callerId = caller?.userId;
  // A company's word proves no other mailbox.
  let isProven =
    caller !== undefined && callerId === token.user_id && (await servesAccount(deps.sql, caller));
  if (!isProven && input.password !== undefined) {
    const mayTry = await transaction(deps.sql, async (tx) => {
      if (await countTry(tx, token.id, PASSWORD_TRIES_MAX)) return true;
      await useToken(tx, token.id, deps.clock.now());
      return false;
    });
    if (!mayTry) return refuse('digest_invalid');
    const stored = await findPassword(deps.sql, token.user_id);
    const matches = await deps.passwords.matches(input.password, stored, network);
    if (matches instanceof Refusal) return matches;
    if (!matches) return refuse('wrong_password');
    isProven = true;
  }
  // A caller signed in as somebody else is asked for the password first; nothing changes yet.
  if (!isProven && (callerId !== undefined || isChange)) return { passwordNeeded: true };
  if (isChange) return moveTo(deps, token);
  const result = await claiming(deps, token.subject, () => confirm(deps, token, isProven, sessions));
  if (result !== 'outdated') {
    if (!(result instanceof Refusal)) await giveBackRequest(deps, 'verify-email', token.asked_from);
    return result;
  }
  await mailNewConfirmation(deps, token);
  return refuse('digest_invalid');
}

const confirm = (deps: Deps, token: Token, isProven: boolean, sessions: EndSessionsPort) =>
  transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const claim = await lockForAddress(tx, token.user_id, token.subject);
    const user = await lockAccount(tx, token.user_id, now);
    if (!user) return refuse('digest_invalid');
    // An address from onboarding moves to the account only now.
    const isNew = user.email === null;
    if (isNew && (await isOutdated(tx, token))) return 'outdated';
    if (!(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    const result = isNew ? await claimAddress(tx, deps, claim, token.provenAt) : undefined;
    if (result instanceof Refusal) return result;
    if (!isNew && user.email !== token.subject) return refuse('digest_invalid');
    await confirmUser(tx, user.id, token.provenAt);
    if (!isNew) await endRivals(tx, deps, token.subject, user.id);
    await voidTokens(tx, user.id, now, ['verify-email']);
    await recordContact(tx, deps, user.id, 'update', {
      ...(isNew && { email: [null, token.subject] }),
      confirmed: [false, true],
    });
    if (isProven) return { passwordNeeded: false };
    await sessions.endAll(tx, user.id);
    await deletePassword(tx, user.id);
    const { digest } = await issueToken(tx, deps, {
      purpose: 'set-password',
      userId: user.id,
      subject: token.subject,
      lifeMs: RESET_MINUTES * MINUTE_MS,
      provenAt: token.provenAt,
    });
    return { passwordNeeded: true, digest };
  });

/** A stranger always gets the same answer, so a job looks the address up. Callers learn it about their own. */
export async function resendVerification(
  deps: Deps,
  typed: string,
  { ipAddress }: { readonly ipAddress: string },
  callerId: UserId | undefined,
) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  const network = ipPrefix(ipAddress);
  const caller = callerId === undefined ? undefined : await findUser(deps.sql, callerId);
  if (caller?.email === email) return (await resendTo(deps, email, network, true)) ?? {};
  if (await deps.limiter.take('confirmationRequestsHour', network)) return {};
  const job = { kind: 'resend-verification', payload: { email, by: network }, lane: `resend:${email}` };
  await enqueueAlone(deps, job);
  return {};
}
