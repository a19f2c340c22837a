// People who forgot their password get a mailed link and choose another one, which ends all that a thief may hold.
import { countryOfZone, zoneNamed } from '#contract/profile/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { NOT_ME_DAYS, RESET_MINUTES } from '#contract/limits.ts';
import type { recovery } from '#contract/sign-in/recovery.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice, refuseWeakPassword } from '#server/accounts/actions.ts';
import { deletePending } from '#server/accounts/addresses/data.ts';
import { recordConsent } from '#server/accounts/consents/consent.ts';
import {
  type Account,
  confirmUser,
  findAccount,
  findPassword,
  findUser,
  findUserByEmail,
  lockAccount,
  liftRestriction,
  storePassword,
  updateUser,
} from '#server/accounts/data.ts';
import { countFirstMail, mayDisclose, mayMailLink } from '#server/accounts/mailboxes/limits.ts';
import { blockOf, emailOrRefusal } from '#server/accounts/rules.ts';
import { getToken, giveBackRequest, mailLink } from '#server/accounts/tokens/links.ts';
import { issueToken, type NewToken, useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { DAY_MS, fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { TokenPurpose } from '#server/db/tables.ts';
import { languageNow } from '#server/language.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import type { Client } from '#server/origin.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';
import { listMemberships } from '#server/access/data.ts';
import { strictestStep } from '#server/access/rules.ts';
import { findClosingCompany } from '#server/access/company/data.ts';
import { locateBrowser, type Browser, openDeviceSession } from '#server/sign-in/completion/actions.ts';
import { guessesOf } from '#server/sign-in/factors/guesses.ts';
import { deleteChallengesOf, forgetWrongCodes } from '#server/sign-in/challenge/data.ts';
import { deleteIdentities, listProviders } from '#server/sign-in/identities/data.ts';
import { forgetDevicesOf, rememberDevice } from '#server/sign-in/devices/data.ts';
import { deleteConsents, deleteFactors } from '#server/sign-in/factors/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { passwordNotice, resetMail, resetOfCompanyMail } from './mail.ts';
import { deleteWaits } from '#server/sign-in/waits/data.ts';

type NewPassword = Input<typeof recovery.resetPassword>;
type User = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** Requests a reset mail. A job sends it, so that known and unknown addresses take the same time. */
export async function forgotPassword(deps: Deps, typed: string, client: Client) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  const network = ipPrefix(client.ipAddress);
  const tooMany = await deps.limiter.take('resetRequestsHour', network);
  if (tooMany) return tooMany;
  const disclose = await mayDisclose(deps, network);
  if (disclose instanceof Refusal) return disclose;
  const user = await findUserByEmail(deps.sql, email);
  const job = { kind: 'reset-mail', payload: { email, by: network }, lane: `reset:${email}` };
  await enqueueAlone(deps, job);
  return disclose && !user ? refuse('user_not_found') : {};
}

export async function mailReset(deps: Deps, email: string, network: string) {
  const candidate = await findAccount(deps.sql, email, deps.clock.now());
  if (!candidate || candidate.deletion_due_at) return;
  if (!(await mayMailLink(deps, 'reset', candidate.id, network))) return;
  if (!candidate.confirmed_at && (await countFirstMail(deps, email, network))) return;
  await transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, candidate.id, deps.clock.now());
    if (account?.email !== email || account.deletion_due_at) return;
    await mailResetLink(tx, deps, account, email, network);
  });
}

/** Mails an account the link to a new password, to its own address. */
export async function mailResetLink(tx: Tx, deps: Deps, account: Account, email: string, askedFrom?: string) {
  const isSocialOnly = account.password === null && account.confirmed_at !== null;
  const providers = isSocialOnly ? await listProviders(tx, account.id) : [];
  const company = await findClosingCompany(tx, account.id, deps.clock.now());
  const { publicUrl } = deps.config;
  const content = company
    ? resetOfCompanyMail(publicUrl, company, hasNotBegun(account))
    : resetMail(publicUrl, providers, hasNotBegun(account));
  await mailLink(tx, deps, content, {
    ...resetToken(account.id, email),
    askedFrom,
  });
}

/** An invited person's account begins with their first password. */
const hasNotBegun = ({ language }: Account) => language === null;

export const resetToken = (userId: UserId, subject: string, provenAt?: Date): NewToken => ({
  purpose: 'reset-password',
  userId,
  subject,
  lifeMs: RESET_MINUTES * MINUTE_MS,
  ...(provenAt && { provenAt }),
});

/** The person of a valid digest, if their address is still the one it was mailed to. */
export async function openDigest(deps: Deps, purpose: TokenPurpose, digest: string) {
  const token = await getToken(deps, [purpose], digest);
  if (token instanceof Refusal) return token;
  const user = await findUser(deps.sql, token.user_id);
  return user?.email === token.subject
    ? { user, tokenId: token.id, provenAt: token.provenAt, askedFrom: token.asked_from }
    : refuse('digest_invalid');
}

/** Uses a digest. Locks the account first, so that sign-ins and address changes run before or after it. */
async function useDigest(tx: Tx, { clock }: Deps, { user, tokenId }: { user: User; tokenId: number }) {
  const account = await lockAccount(tx, user.id, clock.now());
  const isFirst = await useToken(tx, tokenId, clock.now());
  return isFirst && account?.email === user.email ? account : undefined;
}

/**
 * Ends everything that opens the account. A confirmed account keeps its first identity, and the passkeys, app
 * and recovery codes that the owner had `NOT_ME_DAYS` to reject. It keeps all of them if an organization asks for a
 * strong step, because a mailbox alone must not replace that step. Consents end by the same days: their mail names the
 * application, and nobody can tell which session of the account gave them.
 */
export async function endEverything(tx: Tx, deps: Deps, user: { id: UserId; confirmed_at: Date | null }) {
  await deleteSessionsOf(tx, user.id);
  await deleteChallengesOf(tx, user.id);
  await forgetWrongCodes(tx, user.id);
  await deleteCodesOf(tx, user.id);
  await forgetDevicesOf(tx, user.id);
  await deleteIdentities(tx, user.id, { keepFirst: user.confirmed_at !== null });
  const since = user.confirmed_at ? fromNow(deps.clock, -NOT_ME_DAYS * DAY_MS) : undefined;
  const { rule } = strictestStep(await listMemberships(tx, user.id));
  if (!since || rule !== 'strong') await deleteFactors(tx, user.id, since);
  await deleteConsents(tx, user.id, since);
  await voidTokens(tx, user.id, deps.clock.now());
  await deletePending(tx, user.id);
}

async function checkedHash(deps: Deps, user: User, password: string, network: string) {
  const person = { email: user.email, names: [user.first_name, user.last_name] };
  const weak = await refuseWeakPassword(deps, password, person);
  return weak ?? deps.passwords.hash(password, network);
}

export async function resetPassword(deps: Deps, input: NewPassword, { client, device: cookie }: Browser) {
  const link = await openDigest(deps, 'reset-password', input.digest);
  if (link instanceof Refusal) return link;
  const { user } = link;
  const current = await findPassword(deps.sql, user.id);
  const network = ipPrefix(client.ipAddress);
  const isSame = current ? await deps.passwords.matches(input.password, current, network) : false;
  if (isSame instanceof Refusal) return isSame;
  if (isSame) return refuse('same_password');
  const phc = await checkedHash(deps, user, input.password, network);
  if (phc instanceof Refusal) return phc;

  const browser = await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const account = await useDigest(tx, deps, link);
    if (!account) return refuse('digest_invalid');
    if (hasNotBegun(account)) await recordConsent(tx, deps, user.id, { seen: input.termsVersion });
    await storePassword(tx, deps.keys, user.id, phc, now);
    await confirmUser(tx, user.id, link.provenAt);
    await liftRestriction(tx, user.id, now);
    await endEverything(tx, deps, user);
    await recordActivity(tx, deps, 'person.password.change', { userId: user.id });
    await mailNotice(tx, deps, user, passwordNotice);
    // The reader of the mailbox uses this browser, so its next sign-in needs no mail about a new browser.
    return rememberDevice(tx, cookie, user.id, deps.clock);
  });
  if (browser instanceof Refusal) return browser;
  // A person who proved the mailbox starts with fresh limits, even if others have used them up.
  const ofAddress = [`anywhere ${user.email}`, `network ${network} ${user.email}`];
  await deps.limiter.forget([...ofAddress, ...Object.values(guessesOf('password', user.id))]);
  await deleteWaits(deps.sql, ofAddress.map(deps.limiter.counterOf));
  for (const bucket of ['codeMailsDay', 'signInsHour'] as const)
    await deps.limiter.refill(bucket, String(user.id));
  await giveBackRequest(deps, 'reset-password', link.askedFrom);
  return browser;
}

/** The invitations whose digest may set a first password, passed in because members stand above sign-in. */
export type FirstPasswordPort = {
  /** The person of an invitation's digest and when it was mailed. Undefined for other digests. */
  open(
    digest: string,
  ): Promise<{ userId: UserId; provenAt: Date } | Refusal<'digest_invalid' | 'digest_expired'> | undefined>;
  /** Accepts the invitation. Call it first in the transaction, because it locks the organization. */
  use(tx: Tx, digest: string): Promise<Refusal<'digest_invalid' | 'digest_expired'> | undefined>;
};

/** The person of a digest that sets a first password, from the portal or an invitation, and how to use it. */
async function openFirstPassword(deps: Deps, digest: string, invitations: FirstPasswordPort) {
  const invitation = await invitations.open(digest);
  if (invitation instanceof Refusal) return invitation;
  if (invitation === undefined) {
    const link = await openDigest(deps, 'set-password', digest);
    if (link instanceof Refusal) return link;
    const use = async (tx: Tx) => ((await useDigest(tx, deps, link)) ? undefined : refuse('digest_invalid'));
    return { ...link, use };
  }
  const { userId, provenAt } = invitation;
  const user = await findUser(deps.sql, userId);
  return user ? { user, provenAt, use: (tx: Tx) => invitations.use(tx, digest) } : refuse('digest_invalid');
}

/** The reader of the mailbox holds the digest, so the address is no news to them. */
export async function readPasswordOwner(deps: Deps, digest: string, invitations: FirstPasswordPort) {
  const reset = await openDigest(deps, 'reset-password', digest);
  const wasAnother = reset instanceof Refusal && reset.name === 'digest_invalid';
  const link = wasAnother ? await openFirstPassword(deps, digest, invitations) : reset;
  return link instanceof Refusal ? link : { email: link.user.email };
}

/** Ends everything that opened the account, and accepts an invitation. Opens no session where a second step is due. */
export async function createPassword(
  deps: Deps,
  input: NewPassword,
  browser: Browser,
  invitations: FirstPasswordPort,
) {
  const link = await openFirstPassword(deps, input.digest, invitations);
  if (link instanceof Refusal) return link;
  const { user } = link;
  const phc = await checkedHash(deps, user, input.password, ipPrefix(browser.client.ipAddress));
  if (phc instanceof Refusal) return phc;
  const locatedBrowser = await locateBrowser(deps, browser);

  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const refusal = await link.use(tx);
    if (refusal) return refusal;
    const account = await lockAccount(tx, user.id, now);
    if (!account) return refuse('digest_invalid');
    const timeZone = user.time_zone ?? zoneNamed(input.timeZone) ?? null;
    const country = user.country ?? countryOfZone(input.timeZone);
    const language = user.language ?? languageNow();
    if (hasNotBegun(account)) await recordConsent(tx, deps, user.id, { seen: input.termsVersion });
    await updateUser(tx, user.id, { time_zone: timeZone, country, language });
    await storePassword(tx, deps.keys, user.id, phc, now);
    await confirmUser(tx, user.id, link.provenAt);
    await endEverything(tx, deps, user);
    await recordActivity(tx, deps, 'person.password.create', { userId: user.id });
    const isClosed = await findClosingCompany(tx, user.id, now);
    return account.mfa_enabled || blockOf(account) || isClosed
      ? undefined
      : {
          language,
          ...(await openDeviceSession(tx, deps, user.id, { ...locatedBrowser, methods: ['pwd'] })),
        };
  });
}

/** Everything that opens the account ends, and the answer carries a digest for a new password. */
export async function notMe(deps: Deps, digest: string) {
  const link = await openDigest(deps, 'not-me', digest);
  if (link instanceof Refusal) return link;
  const { user } = link;
  return transaction(deps.sql, async (tx) => {
    if (!(await useDigest(tx, deps, link))) return refuse('digest_invalid');
    await endEverything(tx, deps, user);
    await recordActivity(tx, deps, 'person.signInDevice.delete', {
      userId: user.id,
      information: { reported: true },
    });
    const reset = await issueToken(tx, deps, resetToken(user.id, user.email ?? '', link.provenAt));
    return { digest: reset.digest };
  });
}
