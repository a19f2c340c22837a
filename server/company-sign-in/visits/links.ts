import { refuse } from '#contract/errors.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { companyFieldText } from '#words/company-field.ts';
import { companyVisitText } from '#words/company-visit.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, lockAccount } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { isOfCompany } from '#server/company-sign-in/data.ts';
import { deleteLinks, findLink, insertEntry, insertIdentity, type Waiting } from './data.ts';
import { linkedNotice } from './mail.ts';
import { VisitRefused, settleMembership, vouchFor } from './people.ts';
import type { Address } from './claims.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import type { Session } from '#contract/access/facts.ts';

const MASKED = '…';
export async function readPendingLink(deps: Deps, waiting: Waiting, userId: UserId) {
  const link = await findLink(deps.sql, waiting, deps.clock.now());
  if (!link) return { link: null };
  const isYours = link.userId === userId;
  const shown = isYours ? link : { email: MASKED, saidEmail: MASKED };
  return {
    link: {
      organization: link.organization,
      isYours,
      email: shown.email ?? '',
      companyEmail: shown.saidEmail,
    },
  };
}

const mayLink = (tx: Tx, orgId: OrgId, address: Address, account: Account) =>
  vouchFor(tx, orgId, address, account, 'none').catch((error: unknown) => {
    if (error instanceof VisitRefused) return undefined;
    throw error;
  });

/** Links the identity with the caller's account, which was just proven by its own way in. */
export const completeLink = (
  deps: Deps,
  { userId, sessionId, proven }: SessionOwner & Pick<Session, 'proven'>,
  waiting: Waiting,
) =>
  transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const link = await findLink(tx, waiting, now);
    if (!link) return refuse('not_found');
    if (link.userId !== userId || proven !== 'account')
      return refuse('not_allowed', { details: companyFieldText.otherAccount });
    const { saidEmail, failed } = link;
    const address = failed ? { email: saidEmail, failed } : { email: saidEmail };
    // An account with another address is a guest's, and links as a member only.
    const joins = !failed && (await isOfCompany(tx, link.orgId, link.email));
    const newcomer = { orgId: link.orgId, roleId: link.roleId, email: joins ? link.email : null };
    try {
      await settleMembership(tx, deps, userId, { firstName: '', lastName: '' }, newcomer);
    } catch (error) {
      if (!(error instanceof VisitRefused)) throw error;
      return error.outcome === 'noSeat'
        ? refuse('sign_max_users_reached')
        : refuse('not_allowed', {
            details:
              error.outcome === 'inactiveInDirectory'
                ? companyVisitText.failures.inactiveInDirectory
                : companyFieldText.noMember,
          });
    }
    // The connection may have been switched off while this call waited for the lock.
    const issuer = (await findLink(tx, waiting, now))?.issuer;
    if (issuer === undefined) return refuse('not_found');
    const account = await lockAccount(tx, userId, now);
    if (!account || blockOf(account) || !(await hasSession(tx, sessionId))) return refuse('not_found');
    // A mailbox that nobody has proven may be a stranger's, who would pass for its owner here.
    if (account.email !== null && !account.confirmed_at) return refuse('account_not_confirmed');
    // Somebody may have moved to one of the two addresses since the visit.
    if (!(await mayLink(tx, link.orgId, address, account)))
      return refuse('not_allowed', { details: companyFieldText.otherAccount });
    const { connectionId, subject, orgId, sid, idToken, hasStep, organization } = link;
    await deleteLinks(tx, waiting.browser, link);
    const named = { connection_id: connectionId, subject, created_at: now };
    const isGuest = !(await isOfCompany(tx, orgId, account.email));
    if (!(await insertIdentity(tx, { ...named, issuer, user_id: userId, is_guest: isGuest })))
      return refuse('changed_meanwhile');
    const entry = { ...named, session_id: sessionId, sid, id_token: idToken };
    await insertEntry(tx, entry, { orgId, hasStep });
    await recordActivity(tx, deps, 'person.signIn.update', {
      userId,
      information: { social_sign_in: [null, organization] },
    });
    await mailNotice(tx, deps, account, linkedNotice(organization, saidEmail));
    return { urlName: link.urlName, next: link.next };
  });
