// The operator's acts on one person, such as ending sessions or ways in, and the looks that support needs.
import { Refusal, refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { originText } from '#contract/activity/words.ts';
import { RESTRICTION_HOURS } from '#contract/limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { counted, LOG_SHOWN } from '#contract/operator/act.ts';
import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import type { UserId } from '#contract/wire.ts';
import { refusalText } from '#words/refusal.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { claimAddress, lockForAddress, recordContact } from '#server/accounts/addresses/actions.ts';
import { findFormerHolder } from '#server/accounts/addresses/data.ts';
import {
  type Account,
  deletePassword,
  findAccountById,
  insertRestriction,
  lockAccount,
} from '#server/accounts/data.ts';
import { cancelDeletion } from '#server/accounts/deletion/actions.ts';
import { canonicalEmail } from '#server/accounts/rules.ts';
import { voidTokens } from '#server/accounts/tokens/data.ts';
import { mailLink } from '#server/accounts/tokens/links.ts';
import { newestActs } from '#server/activity/actions.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Notice } from '#server/mail/frame.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { tellOfRole } from '#server/members/actions.ts';
import { findMember, lockOrganization, updateMember } from '#server/members/data.ts';
import { noMember } from '#server/members/rules.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { findSuperAdminRole, liftRestrictions, listRoles, listSubscribers } from './data.ts';
import {
  addressLostMail,
  addressReturnedMail,
  liftedNotice,
  passwordEndedMail,
  restrictedNotice,
  secondStepsResetNotice,
  sessionsEndedNotice,
} from './mail.ts';
import { no, rowOf, textOf } from '#server/operator/lines.ts';
import { showPerson, statusOf, waitLine } from './person.ts';
import { resend } from './resend.ts';
import { findEveryone, nameOf, oneOrganization, personLine } from '#server/operator/subjects.ts';
import type { Changes, Looks, Work } from '#server/operator/work.ts';
import { queueNewAddressMail } from '#server/profile/contact/actions.ts';
import { deleteSessionsOf, findShownSessions } from '#server/sessions/data.ts';
import { deleteChallengesOf, forgetWrongCodes } from '#server/sign-in/challenge/data.ts';
import { deleteFactors, findFactors, setMfa } from '#server/sign-in/factors/data.ts';
import { listProviders } from '#server/sign-in/identities/data.ts';
import { hasWayIn } from '#server/sign-in/locks/locks.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { endEverything, resetToken } from '#server/sign-in/recovery/actions.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { findLastEnd, listWaits } from '#server/sign-in/waits/data.ts';
import { readUserAgent } from '#server/user-agent.ts';

type OnPerson = Work<FoundPerson>;
/** Acts under the account's lock, which sign-ins also take, and tells the person. */
const onAccount =
  <Input, Output>(
    act: (work: OnPerson, account: Account, input: Input) => Promise<Output | Refusal>,
    noticeOf?: (output: Output, account: Account) => Notice | undefined,
  ) =>
  async (work: OnPerson, input: Input) => {
    const { tx, deps, on } = work;
    const account = await lockAccount(tx, on.id, deps.clock.now());
    if (!account) return refuse('user_not_found');
    const output = await act(work, account, input);
    const notice = output instanceof Refusal ? undefined : noticeOf?.(output, account);
    if (notice) await mailNotice(tx, deps, account, notice);
    return output;
  };

/** Ends every session and unfinished sign-in; returns the number of sessions. */
async function signOut(tx: Tx, userId: UserId) {
  const count = await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  return count;
}
/** Ends the password and all else that a thief may have; what the owner had long enough to reject stays. */
async function closeWaysIn(tx: Tx, deps: Deps, { id, confirmed_at }: Pick<Account, 'id' | 'confirmed_at'>) {
  const ended = await deleteSessionsOf(tx, id);
  await endEverything(tx, deps, { id, confirmed_at });
  await deletePassword(tx, id);
  await deleteRemembered(tx, id);
  return ended;
}

const endedSessions = (count: number) => (count > 0 ? { sessions: [count, 0] } : {});

export const peopleChanges = {
  'end-sessions': onAccount(
    async ({ tx, record }, { id }) => {
      const ended = await signOut(tx, id);
      await record(id, { sessions: [ended, 0] });
      return { ended };
    },
    () => sessionsEndedNotice,
  ),
  /** A password reset does not open the account. */
  restrict: onAccount(
    async ({ tx, deps: { clock }, record }, { id, restricted_until: former }, input: { until?: Date }) => {
      const [now, until = fromNow(clock, RESTRICTION_HOURS * HOUR_MS)] = [clock.now(), input.until];
      if (until <= now) return refuse('invalid_input', { details: refusalText.endInPast });
      // The new end replaces the one before, even if it is earlier.
      await liftRestrictions(tx, id, now);
      await insertRestriction(tx, id, 'operator', now, until);
      const count = await signOut(tx, id);
      await record(id, { restricted_until: [former, until], ...endedSessions(count) });
      return { until };
    },
    ({ until }, { time_zone: zone }) => restrictedNotice(until, zone),
  ),
  lift: onAccount(
    async ({ tx, deps, record }, { id, email, restricted_until: restricted }) => {
      const now = deps.clock.now();
      const lifted = restricted ?? (await findLastEnd(tx, email, now));
      if (!lifted) return no('no_changes', 'Nothing restricts this account.');
      await liftRestrictions(tx, id, now);
      // The end of a wait alone is not mailed, so it refills no guesses of codes.
      if (restricted) await forgetWrongCodes(tx, id);
      await record(id, { restricted_until: [lifted, null] });
      return { lifted };
    },
    (_, { restricted_until: restricted }) => (restricted ? liftedNotice : undefined),
  ),
  resend,
  /** Password, provider or a mailed link open the account again. A thief of the second step may have a session. */
  'reset-second-steps': onAccount(
    async ({ tx, deps, record }, account) => {
      const { id } = account;
      const { passkeys, hasApp, recoveryCodesLeft } = await findFactors(tx, id);
      if (passkeys === 0 && !hasApp && recoveryCodesLeft === 0 && !account.mfa_enabled)
        return no('no_changes', 'This account has no second step.');
      const ways = { passkeys: 0, providers: await listProviders(tx, id) };
      // A mailed link opens every account that has an address.
      if (account.email === null && !hasWayIn(deps, account, ways)) return refuse('last_way_in');
      await deleteFactors(tx, id);
      await deleteRemembered(tx, id);
      await setMfa(tx, id, false);
      const ended = await signOut(tx, id);
      await record(id, {
        mfa_enabled: [account.mfa_enabled, false],
        ...(passkeys > 0 && { passkey: [passkeys, 0] }),
        ...(recoveryCodesLeft > 0 && { left: [recoveryCodesLeft, 0] }),
        ...endedSessions(ended),
      });
      await notify(tx, deps, id, { kind: 'way_in_changed', details: { change: 'secondStepsReset' } });
      return { passkeys, hadApp: hasApp, ended };
    },
    () => secondStepsResetNotice,
  ),
  /** Nobody at the portal sets or sees a password. */
  'reset-password': onAccount(async ({ tx, deps, record }, account) => {
    const { id, email } = account;
    if (account.deletion_due_at) return refuse('not_allowed', { details: refusalText.waitsForErasure });
    if (email === null) return no('not_allowed', 'The account has no address for the link.');
    const ended = await closeWaysIn(tx, deps, account);
    await record(id, endedSessions(ended));
    await mailLink(tx, deps, passwordEndedMail(deps.config.publicUrl), resetToken(id, email));
    return { ended };
  }),
  /** The last to leave an address may have it back, unless somebody proved it since. The mailbox was theirs until then. */
  'restore-address': async ({ tx, deps, on: { id }, record }, { address }) => {
    const { publicUrl } = deps.config;
    const email = canonicalEmail(address);
    if (email === undefined) return no('invalid_input', `${address}: is no address.`);
    const claim = await lockForAddress(tx, id, email);
    const account = await lockAccount(tx, id, deps.clock.now());
    if (!account) return refuse('user_not_found');
    if (account.deletion_due_at) return refuse('not_allowed', { details: refusalText.waitsForErasure });
    if (account.email === email) return no('no_changes', `This account has ${email} already.`);
    const former = await findFormerHolder(tx, email);
    if (former?.id !== id)
      return no('not_allowed', `This account never had ${email}, or another one had it since.`);
    const claimed = await claimAddress(tx, deps, claim, former.leftAt);
    if (claimed instanceof Refusal) return claimed;
    const ended = await closeWaysIn(tx, deps, { id, confirmed_at: former.leftAt });
    await voidTokens(tx, id, deps.clock.now(), ['restore-email']);
    const { email: lost } = account;
    await recordContact(tx, deps, id, 'change', { email: [lost, email] }, true);
    const masked = [lost === null ? null : maskEmail(lost), maskEmail(email)];
    await record(id, { email: masked, ...endedSessions(ended) });
    if (lost !== null)
      await queueMail(tx, deps, { userId: id, to: lost, content: addressLostMail(publicUrl) });
    await mailLink(tx, deps, addressReturnedMail(publicUrl), resetToken(id, email));
    return { address: email, ended };
  },
  /** A pending address gets its link again, because the person may have no other way to sign in. */
  'restore-account': async ({ tx, deps, on, record }) => {
    const account = await findAccountById(tx, on.id, deps.clock.now());
    if (!account) return refuse('user_not_found');
    const wasDueAt = await cancelDeletion(tx, deps, account);
    if (!wasDueAt) return no('no_changes', 'This account does not wait for its erasure.');
    await record(on.id, { due_at: [wasDueAt, null] });
    if (account.email === null) await queueNewAddressMail(tx, deps, on.id);
    return { wasDueAt };
  },
  'make-super-admin': async (work, { organization: words }) => {
    const { tx, deps, on } = work;
    const found = await oneOrganization(tx, words);
    if (found instanceof Refusal) return found;
    const orgId = found.id;
    const organization = await lockOrganization(tx, orgId);
    const member = await findMember(tx, orgId, on.id);
    if (!organization) return refuse('org_not_found');
    if (!member) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.active)
      return refuse('not_allowed', { details: refusalText.notActive });
    const account = await findAccountById(tx, on.id, deps.clock.now());
    if (account?.deletion_due_at) return refuse('not_allowed', { details: refusalText.waitsForErasure });
    const role = await findSuperAdminRole(tx, orgId);
    if (member.roleId === role.id) return no('no_changes', 'They are Super Admin already.');
    await updateMember(tx, member.id, { role_id: role.id });
    const row = rowOf(work, orgId, on.id, { role: [member.role, role.name] });
    await recordActivity(tx, deps, 'organization.invitedContact.update', row);
    await tellOfRole(tx, deps, member, { orgId, organization: organization.name, role });
    return { organization: organization.name, was: member.role };
  },
} satisfies Partial<Changes>;

const statesOf = (person: FoundPerson, words: string) => [
  ...(words.includes('@') && person.email !== words.toLowerCase() ? [`had ${words} before`] : []),
  person.confirmed_at ? 'address confirmed' : 'address not confirmed',
  ...(person.mfa_enabled ? ['two-step sign-in'] : []),
  ...(person.restricted_until ? [`restricted until ${textOf(person.restricted_until)}`] : []),
  ...(person.erased_at ? [`deactivated, erased at ${person.erased_at.toISOString()}`] : []),
  counted(person.sessions ?? 0, 'session'),
];

const SUBSCRIBERS_AT_ONCE = 10_000;

export const peopleLooks = {
  find: async (deps, { words }) => {
    const people = await findEveryone(deps, words);
    if (people instanceof Refusal) return people;
    const data = [];
    const lines = [];
    for (const person of people) {
      const memberships = await listRoles(deps.sql, person.id);
      data.push({
        ...person,
        name: nameOf(person),
        organizations: memberships.map(({ name }) => name),
        memberships,
      });
      const waits = (await listWaits(deps.sql, person.email, deps.clock.now())).map(waitLine);
      lines.push(personLine(person), `    ${[...statesOf(person, words), ...waits].join(', ')}`);
      for (const { name, url_name, role, status } of memberships)
        lines.push(`    ${name} (${url_name}): ${role}, ${statusOf(status)}`);
    }
    return { lines, data };
  },
  activity: async (deps, { limit = LOG_SHOWN }, { id }) => {
    const sessions = (await findShownSessions(deps, [id])).get(id) ?? [];
    const devices = sessions.map(({ ipAddress, userAgent, location, created, lastSeen }) => ({
      device: originText({ ipAddress, location, ...readUserAgent(userAgent) }),
      since: new Date(created).toISOString(),
      last_seen: new Date(lastSeen).toISOString(),
    }));
    const orgIds = (await listRoles(deps.sql, id)).map((membership) => membership.id);
    const acts = await newestActs(deps, { userId: id, orgIds }, limit);
    const lines = [
      ...devices.map((one) => `${one.device}  signed in ${one.since}, last seen ${one.last_seen}`),
      ...(devices.length === 0 ? ['Signed in nowhere.'] : []),
      ...acts.flatMap(({ at, what, changes, origin }) => [
        [at, what, origin].filter(Boolean).join('  '),
        ...(changes === '' ? [] : [`    ${changes}`]),
      ]),
    ];
    return { lines, data: { devices, acts } };
  },
  person: (deps, _input, on) => showPerson(deps, on),
  /** Keeps only addresses in memory, because there may be many. */
  subscribers: async ({ sql, clock }, { type }) => {
    const name = type.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase());
    const number = NOTIFICATION_TYPE[name as keyof typeof NOTIFICATION_TYPE];
    const addresses: string[] = [];
    for (let after = 0 as UserId; ;) {
      const page = await listSubscribers(sql, { type: number, now: clock.now(), after }, SUBSCRIBERS_AT_ONCE);
      for (const { email } of page) addresses.push(email);
      const last = page.at(-1);
      if (!last) return { lines: addresses, data: addresses };
      after = last.id;
    }
  },
} satisfies Partial<Looks>;
