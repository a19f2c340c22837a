// Every way of signing in ends here: with a session, with a second step that is still asked, or with a refusal.
import { DEMANDS } from '#contract/access/demands.ts';
import { zoneNamed } from '#contract/profile/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { ownPageAt } from '#contract/own-page.ts';
import type { SecondStep, signIn as calls } from '#contract/sign-in/calls.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { companyFieldText } from '#words/company-field.ts';
import { findLinking } from '#server/access/company/data.ts';
import { listMemberships } from '#server/access/data.ts';
import { closingCompanies, demands, signedInBy } from '#server/access/rules.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, lockAccount, updateUser } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { ProvenStep } from '#contract/organizations/second-step-rule.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Method } from '#server/db/tables.ts';
import { chosenLanguage, languageNow } from '#server/language.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken } from '#server/keys.ts';
import { UNKNOWN_LOCATION } from '#server/locations.ts';
import type { Client } from '#server/origin.ts';
import { type LocatedClient, locate, openSession, traceOf } from '#server/sessions/actions.ts';
import type { Entry } from '#server/sessions/data.ts';
import { countCodeMail, startChallenge, startSilentChallenge } from '#server/sign-in/challenge/actions.ts';
import { rememberDevice } from '#server/sign-in/devices/data.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { secondSteps } from '#server/sign-in/factors/rules.ts';
import { newDeviceNotice } from './mail.ts';
import { mintCode } from '#server/sign-in/onward/actions.ts';
import { rememberBrowser } from '#server/sign-in/remembered/actions.ts';
import { findRemembered, type RememberedStep } from '#server/sign-in/remembered/data.ts';
import { readUserAgent } from '#server/user-agent.ts';

export type Browser = {
  readonly client: Client;
  readonly device: string | undefined;
  /** The secret of its visits to a company's provider. */
  readonly company?: string | undefined;
};

/** A browser with its location, which is looked up before the transaction. */
type LocatedBrowser = Browser & { readonly client: LocatedClient };
type ProvenBrowser = LocatedBrowser & {
  readonly methods: readonly Method[];
  readonly secondStep?: ProvenStep | undefined;
  /** The second step that this browser need not give again for some time. */
  readonly remembers?: RememberedStep | undefined;
  /** A visit to a company's provider. */
  readonly entry?: Entry | undefined;
};
export const locateBrowser = async (deps: Deps, browser: Browser): Promise<LocatedBrowser> => ({
  ...browser,
  client: await locate(deps, browser.client),
});

export type CompletedSignIn = {
  readonly sessionId: SessionId;
  readonly token: string;
  readonly device: string;
  /** The one that the person chose on the page, else that of the account, else of the page. The account keeps it. */
  readonly language: string;
  readonly next: string | undefined;
  /** The code for the requested application. */
  readonly code: string | undefined;
};
/** A sign-in that waits for its second step. The `challenge` cookie proves only the step before. */
export type Challenged = {
  readonly challenge: string;
  /** The masked address that codes are mailed to. */
  readonly contact: string | undefined;
  /** The strongest first. If it is `mail`, a code was mailed. */
  readonly ways: readonly SecondStep[];
};

export type Proof = {
  readonly method: Method;
  /** The second step that the proof contains, as a passkey does. No other one is asked for. */
  readonly secondStep?: ProvenStep | undefined;
  /** Checks the proof again under the account's lock, because a reset may have voided it. */
  readonly holds: (tx: Tx, account: Account) => Promise<boolean>;
};

/** Closed or unconfirmed accounts are refused. A two-step sign-in waits, unless this browser is remembered. */
export async function signInOrChallenge(
  deps: Deps,
  account: Account,
  proof: Proof,
  onward: Onward,
  browser: Browser,
): Promise<
  | CompletedSignIn
  | Challenged
  | Refusal<
      | 'invalid_credentials'
      | 'account_is_disable'
      | 'account_not_confirmed'
      | 'company_sign_in_required'
      | 'too_many_requests'
    >
> {
  // Right sign-ins empty no budget of the network, but somebody with a password must not flood log and mailbox.
  const tooOften = await deps.limiter.take('signInsHour', String(account.id));
  if (tooOften) return tooOften;
  const asksMore = account.mfa_enabled && proof.secondStep === undefined && !refusalFor(account);
  const likelyStep = asksMore ? await nextStep(deps.sql, deps, account.id, browser.device) : undefined;
  const tooMany = likelyStep?.ways?.[0] === 'mail' ? await countCodeMail(deps, account.id) : undefined;
  if (tooMany) return tooMany;
  const locatedBrowser = await locateBrowser(deps, browser);
  return transaction(deps.sql, async (tx) => {
    const lockedAccount = await lockAccount(tx, account.id, deps.clock.now());
    if (!lockedAccount || !(await proof.holds(tx, lockedAccount))) return refuse('invalid_credentials');
    const refusal = refusalFor(lockedAccount);
    if (refusal) return refusal;
    const { id, email } = lockedAccount;
    const { method, secondStep } = proof;
    const complete = (step: ProvenStep | undefined) =>
      completeSignIn(tx, deps, lockedAccount, onward, {
        ...locatedBrowser,
        methods: [method],
        secondStep: step,
      });
    if (!lockedAccount.mfa_enabled || secondStep !== undefined)
      return (await whyNotOwnWay(tx, deps, id, secondStep, browser)) ?? complete(secondStep);
    const { remembered, ways } = await nextStep(tx, deps, id, browser.device);
    if (remembered !== undefined || ways.length === 0)
      return (await whyNotOwnWay(tx, deps, id, remembered, browser)) ?? complete(remembered);
    const closed = await whyNotOwnWay(tx, deps, id, 'comes', browser);
    if (closed) return closed;
    const challenge = randomToken();
    const contact = email === null || !ways.includes('mail') ? undefined : maskEmail(email);
    const key = { token: challenge, method };
    if (ways[0] === 'mail' && email !== null) {
      const mail = await startChallenge(tx, deps, { id, email }, key, 'signInCode');
      if (mail instanceof Refusal) return mail;
    } else await startSilentChallenge(tx, deps, id, key);
    return { challenge, contact, ways };
  });
}

/**
 * A company closes the own ways into accounts with its addresses, after the right proof. A Super Admin keeps theirs with
 * a strong step, and all Super Admins are told. `comes`: the second step is asked next.
 */
export async function whyNotOwnWay(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  step: ProvenStep | 'comes' | undefined,
  browser: Browser,
) {
  const now = deps.clock.now();
  const memberships = await listMemberships(tx, userId);
  const [company] = closingCompanies(memberships, now);
  if (!company) return undefined;
  const { orgId, organization } = company;
  const linksTo = await findLinking(tx, userId, now, browser.company);
  const stepComes = step === 'comes';
  const session = signedInBy(stepComes ? null : (step ?? null), now);
  const [missing] = demands({ session, memberships, linksTo }, { at: 'sign-in', stepComes }, now);
  if (missing === 'company')
    return refuse(DEMANDS.company, { details: companyFieldText.enterThroughCompany({ organization }) });
  if (stepComes || orgId === linksTo) return undefined;
  await enqueue(tx, deps, { kind: 'company-break-glass', payload: { orgId, userId }, userId });
  return undefined;
}

/** The second step that this browser is remembered for, or else the person's second steps. */
async function nextStep(sql: Db, deps: Deps, userId: UserId, device: string | undefined) {
  const remembered = await findRemembered(sql, device, userId, deps.clock.now());
  return { remembered, ways: remembered ? [] : secondSteps(await findFactors(sql, userId)) };
}

/** Without a password the address may stay unconfirmed, because a provider signs the person in. */
export const mustConfirm = ({ email, confirmed_at, password }: Account) =>
  email !== null && !confirmed_at && password !== null;
/** The facts about the account itself, which come before all others. */
export const accountFacts = (account: Account) => ({
  isBlocked: blockOf(account) !== undefined,
  mustConfirm: mustConfirm(account),
});
function refusalFor(account: Account) {
  const facts = { account: accountFacts(account), session: null, memberships: [] };
  const [missing] = demands(facts, { at: 'sign-in', stepComes: false }, new Date(0));
  if (missing === 'open') return blockOf(account);
  return missing === 'confirmed' ? refuse(DEMANDS.confirmed) : undefined;
}

export type Onward = Pick<Input<typeof calls.signIn>, 'timeZone' | 'redirectPath' | 'redirectUrl'>;

export async function openDeviceSession(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  { client, device: cookie, methods, secondStep, remembers, entry }: ProvenBrowser,
) {
  const renewed = remembers && 'renewed';
  const { device, isNew } = await rememberDevice(tx, cookie, userId, deps.clock, renewed);
  const session = await openSession(tx, deps, userId, { ...client, methods, secondStep, entry }, device);
  if (remembers) await rememberBrowser(tx, deps, userId, { device, step: remembers, client });
  return { ...session, device, isNew };
}

export async function completeSignIn(
  tx: Tx,
  deps: Deps,
  account: Account,
  onward: Onward,
  browser: ProvenBrowser,
): Promise<CompletedSignIn> {
  const chosen = account.language_chosen ? undefined : chosenLanguage();
  const language = chosen ?? account.language ?? languageNow();
  const time_zone = account.time_zone ?? zoneNamed(onward.timeZone) ?? null;
  if (time_zone !== account.time_zone || language !== account.language)
    await updateUser(tx, account.id, {
      time_zone,
      language,
      ...(chosen !== undefined && { language_chosen: true }),
    });
  const { token, sessionId, device, isNew } = await openDeviceSession(tx, deps, account.id, browser);
  // An unproven mailbox may belong to a stranger.
  if (isNew && account.confirmed_at)
    await notifyOfNewDevice(tx, deps, { ...account, time_zone }, browser.client);
  await recordActivity(tx, deps, 'person.signIn.create', {
    userId: account.id,
    information: traceOf(browser.client, 'begins'),
  });
  const code = await mintCode(tx, deps, { userId: account.id, sessionId }, onward.redirectUrl);
  return { sessionId, token, device, language, next: ownPageAt(onward.redirectPath), code };
}

async function notifyOfNewDevice(tx: Tx, deps: Deps, account: Account, client: LocatedClient) {
  const { userAgent, ipAddress, location } = client;
  const { browser, system } = readUserAgent(userAgent);
  const details = { browser, system, place: location === UNKNOWN_LOCATION ? ipAddress : location };
  await notify(tx, deps, account.id, { kind: 'new_device', details });
  await mailNotice(tx, deps, account, newDeviceNotice(userAgent, deps.clock.now(), account.time_zone));
}
