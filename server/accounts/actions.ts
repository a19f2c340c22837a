// People sign up here. If addresses must not be disclosed, the answer is the same for a new and a known address.
import type { accounts } from '#contract/accounts/calls.ts';
import type { Details } from '#contract/activity/recorded.ts';
import { countryOfZone, zoneNamed } from '#contract/profile/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { isGuessable } from '#contract/accounts/guessable.ts';
import { CONFIRMATION_HOURS, NOT_ME_DAYS, RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { serverFieldText } from '#words/server-field.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNewLink } from '#server/accounts/addresses/actions.ts';
import { findHolder, findTaken, freeAddress } from '#server/accounts/addresses/data.ts';
import { recordConsent } from '#server/accounts/consents/consent.ts';
import { findUserByEmail, insertUser, lockAccount, type NewUser, storePassword } from './data.ts';
import { accountExistsMail, confirmAddressMail, noticeMail } from './mail.ts';
import { countFirstMail, mailboxFull, mayMailNew } from '#server/accounts/mailboxes/limits.ts';
import { emailOrRefusal } from './rules.ts';
import { mailLink } from '#server/accounts/tokens/links.ts';
import { lastTokenAt, type Token } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { isCommonPassword, isRepeated } from '#server/common-passwords.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import { refuseUntil } from '#server/db/limiter.ts';
import { languageNow } from '#server/language.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import type { Notice } from '#server/mail/frame.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { type Client, type ClientOrigin, workFor } from '#server/origin.ts';
import { openPassword, sealPassword } from '#server/passwords.ts';

type OpenedSession = { readonly token: string; readonly device: string };
/** The part of sessions that accounts need, passed in because sessions stand above accounts. */
export type SessionPort = {
  open(
    tx: Tx,
    userId: UserId,
    client: Client & { location: string },
    device: string | undefined,
  ): Promise<OpenedSession>;
};

export async function refuseWeakPassword(
  { config }: Pick<Deps, 'config'>,
  password: string,
  person: { email: string | null; names: readonly string[] },
  field = 'password',
): Promise<Refusal<'invalid_input'> | undefined> {
  if (!config.passwordBlocklist) return undefined;
  if (isRepeated(password))
    return refuse('invalid_input', { fields: { [field]: serverFieldText.repeatedPassword } });
  if (await isCommonPassword(password))
    return refuse('invalid_input', { fields: { [field]: serverFieldText.commonPassword } });
  if (isGuessable(password, person))
    return refuse('invalid_input', { fields: { [field]: serverFieldText.guessablePassword } });
  return undefined;
}

/** Under neutral disclosure it returns null whether the address is free or taken; a job does the rest. */
export async function signUp(
  deps: Deps,
  input: Input<typeof accounts.signUp>,
  { client, device }: { readonly client: Client; readonly device: string | undefined },
  sessions: SessionPort,
): Promise<
  | (OpenedSession & { id: UserId; language: string })
  | null
  | Refusal<'email_id_exist' | 'invalid_input' | 'too_many_requests' | 'unavailable'>
> {
  const email = emailOrRefusal(input.email, 'emailId');
  if (email instanceof Refusal) return email;
  const weak = await refuseWeakPassword(deps, input.password, { email, names: [] });
  if (weak) return weak;
  const network = ipPrefix(client.ipAddress);
  const holder = await findTaken(deps.sql, email);
  const disclose = await mayMailNew(deps, network, email, holder?.isLeftOver === false);
  if (disclose instanceof Refusal) return disclose;
  const phc = await deps.passwords.hash(input.password, network);
  if (phc instanceof Refusal) return phc;
  const password = sealPassword(deps.keys, email, phc).toString('base64');
  const language = languageNow();
  const { timeZone: zone, termsVersion } = input;
  const newAccount = { email, password, zone, language, termsVersion };
  if (!disclose) {
    const { ipAddress, userAgent } = client;
    const payload: SignUp = { ...newAccount, origin: { ipAddress, userAgent } };
    await enqueueAlone(deps, { kind: 'sign-up', payload, lane: `sign-up:${email}` });
    return null;
  }
  const location = await deps.locations.find(client.ipAddress);
  const session = await transaction(deps.sql, async (tx) => {
    const id = await createWithPassword(tx, deps, newAccount, holder === undefined);
    if (id instanceof Refusal) return id;
    return { id, language, ...(await sessions.open(tx, id, { ...client, location }, device)) };
  });
  if (session instanceof Refusal) await tellOwner(deps, email, network, true);
  return session;
}

/** `password` is a hash, sealed for the address, because a job may carry it. */
type NewAccount = {
  readonly email: string;
  readonly password: string;
  readonly zone: string;
  readonly language: string;
  readonly termsVersion: string | undefined;
};

async function createWithPassword(
  tx: Tx,
  deps: Deps,
  { email, password, zone, language, termsVersion }: NewAccount,
  isFree = false,
) {
  const now = deps.clock.now();
  if (!isFree) await freeAddress(tx, email);
  const time_zone = zoneNamed(zone) ?? null;
  const person = { email, country: countryOfZone(zone), time_zone, language, created_at: now };
  const information = { email: [null, maskEmail(email)] };
  const user = await createAccount(tx, deps, person, { information, termsVersion });
  if (user instanceof Refusal) return user;
  const phc = openPassword(deps.keys, { owner: email, sealed: Buffer.from(password, 'base64') });
  await storePassword(tx, deps.keys, user.id, phc, now);
  await mailConfirmation(tx, deps, user.id, email, { language });
  await notify(tx, deps, user.id, { kind: 'address_to_confirm', details: { email } });
  return user.id;
}

type Creation = { readonly information: Details; readonly termsVersion: string | null | undefined };
/** Adds the account of a person who comes by themselves, and what they agree to with it. */
export async function createAccount(
  tx: Tx,
  deps: Deps,
  person: NewUser & { readonly language: string },
  { information, termsVersion: seen }: Creation,
) {
  const user = await insertUser(tx, person);
  if (user instanceof Refusal) return user;
  const { id } = user;
  const act = { userId: id, recordId: id, information };
  await recordActivity(tx, deps, 'person.profileInformation.create', act);
  await recordConsent(tx, deps, id, { seen, language: person.language });
  return user;
}

export const agree = (deps: Deps, userId: UserId, seen: string) =>
  transaction(deps.sql, async (tx) => {
    await lockAccount(tx, userId, deps.clock.now());
    await recordConsent(tx, deps, userId, { seen });
    return {};
  });

/** A sign-up whose answer must not tell whether the address is taken. A job does the rest. */
export type SignUp = NewAccount & { readonly origin: ClientOrigin };

export async function finishSignUp(deps: Deps, { origin, ...newAccount }: SignUp) {
  const userId = await workFor({ origin }, () =>
    transaction(deps.sql, (tx) => createWithPassword(tx, deps, newAccount)),
  );
  if (userId instanceof Refusal) await tellOwner(deps, newAccount.email, ipPrefix(origin.ipAddress), false);
}

/** An address that a person enters at onboarding. A job mails its link, or tells the address's owner. */
export type Claim = { readonly userId: UserId; readonly email: string };

export async function answerClaim(deps: Deps, { userId, email }: Claim) {
  const isProven = await transaction(deps.sql, async (tx) => {
    const person = await lockAccount(tx, userId, deps.clock.now());
    if (!person || person.email !== null) return false;
    await freeAddress(tx, email);
    const holder = await findHolder(tx, email);
    if (holder?.confirmed_at) return true;
    await mailConfirmation(tx, deps, userId, email);
    return false;
  });
  if (isProven) await tellOwner(deps, email, `user ${userId}`, false);
}

/** The job mails an invited person their invitations; other owners only if the answer did not tell (`disclosed`). */
async function tellOwner(deps: Deps, email: string, by: string, disclosed: boolean) {
  const tooMany = await deps.limiter.takeInTurn([
    ['accountExistsMailsHour', `${by} ${email}`],
    ['accountExistsMailsToAddressHour', email],
  ]);
  if (tooMany) return;
  const job = { kind: 'taken-address', payload: { email, by, disclosed }, lane: `taken:${email}` };
  await enqueueAlone(deps, job);
}

export const mailAccountExists = (tx: Tx, deps: Deps, userId: UserId, email: string) =>
  queueMail(tx, deps, { userId, to: email, content: accountExistsMail(deps.config.publicUrl) });

export const mailConfirmation = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  email: string,
  more: { readonly askedFrom?: string | undefined; readonly language?: string } = {},
) =>
  mailLink(tx, deps, confirmAddressMail(deps.config.publicUrl), {
    ...more,
    purpose: 'verify-email',
    userId,
    subject: email,
    lifeMs: CONFIRMATION_HOURS * HOUR_MS,
  });

export const mailNewConfirmation = (deps: Deps, token: Token) =>
  mailNewLink(deps, token, confirmAddressMail(deps.config.publicUrl), CONFIRMATION_HOURS * HOUR_MS);

/** Mails the link again if the address is unconfirmed. A caller's own address waits only for their own requests. */
export async function resendTo(deps: Deps, email: string, by: string, isOwn = false) {
  const user = await findUserByEmail(deps.sql, email);
  if (!user || user.confirmed_at) return undefined;
  const tooSoon = isOwn
    ? await deps.limiter.take('ownLinksHalfMinute', String(user.id))
    : await refuseEarlyLink(deps.sql, deps, user.id);
  if (tooSoon) return tooSoon;
  const tooMany = await deps.limiter.take('confirmationMailsHour', `${by} ${email}`);
  if (tooMany) return mailboxFull(tooMany);
  return (
    (await countFirstMail(deps, email, by)) ??
    transaction(deps.sql, async (tx) => {
      const lockedAccount = await lockAccount(tx, user.id, deps.clock.now());
      if (lockedAccount?.email !== email || lockedAccount.confirmed_at || lockedAccount.deletion_due_at)
        return undefined;
      // A concurrent request may have mailed the link meanwhile.
      const refusal = isOwn ? undefined : await refuseEarlyLink(tx, deps, user.id);
      if (refusal) return refusal;
      await mailConfirmation(tx, deps, user.id, email, { askedFrom: isOwn ? undefined : by });
      return undefined;
    })
  );
}

async function refuseEarlyLink(sql: Db, { clock }: Deps, userId: UserId) {
  const last = await lastTokenAt(sql, userId, 'verify-email');
  const nextAt = last && new Date(last.getTime() + RESEND_WAIT_SECONDS * SECOND_MS);
  return nextAt && nextAt > clock.now() ? refuseUntil('confirmation link', nextAt, clock.now()) : undefined;
}

/** Mails the person what happened to their account, with a link that undoes it if it was not them. */
export async function mailNotice(
  tx: Tx,
  deps: Deps,
  person: { id: UserId; email: string | null },
  notice: Notice,
) {
  if (person.email === null) return;
  await mailLink(tx, deps, noticeMail(deps.config.publicUrl, notice), {
    purpose: 'not-me',
    userId: person.id,
    subject: person.email,
    lifeMs: NOT_ME_DAYS * DAY_MS,
  });
}
