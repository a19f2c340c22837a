import type { VisitFailure } from '#contract/company-sign-in/connections.ts';
import { namesAlike } from '#contract/company-sign-in/issuer.ts';
import { COMPANY_VISIT_MINUTES } from '#contract/company-sign-in/visits.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { findUser, lockAccount } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Connection, findConnection } from '#server/company-sign-in/connections/data.ts';
import {
  findIdentity,
  hasOtherOrganization,
  insertEntry,
  insertIdentity,
  insertLink,
  nameUnnamed,
} from './data.ts';
import {
  createColleague,
  findProvenHolder,
  type Names,
  VisitRefused,
  settleMembership,
  vouchFor,
} from './people.ts';
import { claimNewAddress, moveAddress } from './addresses.ts';
import type { Address } from './claims.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { lockOrganization } from '#server/members/data.ts';
import { findProvingCompany } from '#server/access/company/data.ts';
import { hasSession, renewSession } from '#server/sessions/data.ts';
import {
  type Browser,
  type CompletedSignIn,
  completeSignIn,
  locateBrowser,
} from '#server/sign-in/completion/actions.ts';

export type Outcome =
  | { readonly outcome: 'signedIn'; readonly to: string; readonly signedIn: CompletedSignIn }
  | { readonly outcome: 'linked' | 'tested' | 'linkPending'; readonly to: string }
  | { readonly outcome: 'proven'; readonly to: string; readonly token: string }
  | Failed;
export type Failed = {
  readonly outcome: VisitFailure;
  readonly reference: string;
  readonly failed: true;
  /** A proof leads back to the page that asked for it. */
  readonly to?: string;
};

/** The page of the area where a link that waits asks for the account's own proof. */
export const linkPageOf = (visit: string) => `/account/companylink?${new URLSearchParams({ visit })}`;
type Arrival = {
  readonly connection: Connection;
  readonly subject: string;
  readonly address: Address;
  readonly names: Names;
  readonly sid: string | null;
  readonly idToken: string | null;
  /** By signed claims; `hasStep` also by the Super Admin's declaration, for this organization only. */
  readonly saidStep: boolean;
  readonly hasStep: boolean;
  readonly next: string | null;
  readonly state: string;
  readonly cookie: string;
};

const addEntry = (
  tx: Tx,
  { connection, subject, sid, idToken, hasStep }: Arrival,
  sessionId: SessionId,
  now: Date,
) =>
  insertEntry(
    tx,
    { session_id: sessionId, connection_id: connection.id, subject, sid, id_token: idToken, created_at: now },
    { orgId: connection.orgId, hasStep },
  );

/** Other settings may have been saved while the provider answered. Needs the organization's lock. */
async function mustBeOn(tx: Tx, { id, issuer, clientId, declaresStep }: Connection) {
  const now = await findConnection(tx, id);
  const isSame = now?.isOn && namesAlike(now, { issuer, clientId }) && now.declaresStep === declaresStep;
  if (!isSame) throw new VisitRefused('stale');
  return now;
}

/** Opens a session for the person whom the subject names, or for a new colleague. Guests sign in their own way first. */
export async function enter(deps: Deps, arrival: Arrival, browser: Browser): Promise<Outcome> {
  const { connection, subject, address, names } = arrival;
  const email = address.failed ? null : address.email;
  const likely = await findIdentity(deps.sql, connection.id, subject);
  if (likely) {
    const tooOften = await deps.limiter.take('signInsHour', String(likely.userId));
    if (tooOften) throw new VisitRefused('blocked');
  } else if (address.failed) throw new VisitRefused(address.failed);
  const located = await locateBrowser(deps, browser);
  return transaction(deps.sql, async (tx): Promise<Outcome> => {
    const known = await findIdentity(tx, connection.id, subject);
    if (known === undefined && email === null) throw new VisitRefused('stale');
    const holder = known === undefined ? await findProvenHolder(tx, email ?? '') : undefined;
    if (holder !== undefined) return waitForProof(tx, deps, arrival, holder);
    const userId = known?.userId ?? (await createColleague(tx, deps, email ?? '', names));
    const claim = await claimNewAddress(tx, arrival, userId);
    await settleMembership(tx, deps, userId, names, { ...connection, email });
    const { id, issuer } = await mustBeOn(tx, connection);
    const now = deps.clock.now();
    const found = await lockAccount(tx, userId, now);
    if (!found || blockOf(found)) throw new VisitRefused('blocked');
    const course = await vouchFor(tx, connection.orgId, address, found, known?.link ?? 'own');
    if (course !== 'opens') throw new VisitRefused('guest');
    const account = claim ? await moveAddress(tx, deps, connection, found, claim) : found;
    const identity = { connection_id: id, issuer, subject, user_id: userId, created_at: now };
    if (known === undefined && !(await insertIdentity(tx, identity))) throw new VisitRefused('stale');
    const { orgId } = connection;
    await nameUnnamed(tx, { userId, orgId, email: account.email }, names);
    const hasOther = await hasOtherOrganization(tx, userId, orgId);
    const provesAccount = !hasOther && (!account.mfa_enabled || arrival.saidStep);
    const signedIn = await completeSignIn(
      tx,
      deps,
      account,
      { timeZone: '' },
      {
        ...located,
        methods: ['fed'],
        secondStep: provesAccount && arrival.saidStep ? 'provider' : undefined,
        entry: { orgId: connection.orgId, hasStep: arrival.hasStep, provesAccount },
      },
    );
    await addEntry(tx, arrival, signedIn.sessionId, now);
    return { outcome: 'signedIn', to: arrival.next ?? `/${connection.urlName}`, signedIn };
  });
}

/** Only the account's own proof completes the link, in the browser that came back. */
async function waitForProof(tx: Tx, deps: Deps, arrival: Arrival, userId: UserId): Promise<Outcome> {
  const { connection, subject, address, sid, idToken, hasStep, next, state, cookie } = arrival;
  await vouchFor(tx, connection.orgId, address, await findUser(tx, userId), 'none');
  await lockOrganization(tx, connection.orgId);
  await mustBeOn(tx, connection);
  await insertLink(tx, {
    visit_hash: sha256(state),
    browser_hash: sha256(cookie),
    connection_id: connection.id,
    subject,
    user_id: userId,
    sid,
    id_token: idToken,
    has_step: hasStep,
    email: address.email,
    failed: address.failed ?? null,
    next,
    expires_at: fromNow(deps.clock, COMPANY_VISIT_MINUTES * MINUTE_MS),
  });
  return { outcome: 'linkPending', to: linkPageOf(state) };
}

/** Adds an entry to the session that began the visit. A guest of the company links so, as a member. */
export async function addTo(
  deps: Deps,
  arrival: Arrival,
  { userId, sessionId }: SessionOwner,
): Promise<Outcome> {
  const { connection, subject, address } = arrival;
  return transaction(deps.sql, async (tx): Promise<Outcome> => {
    const known = await findIdentity(tx, connection.id, subject);
    if (!known) return waitForProof(tx, deps, arrival, userId);
    if (known.userId !== userId) throw new VisitRefused('linkedElsewhere');
    const claim = await claimNewAddress(tx, arrival, userId);
    const none = { firstName: '', lastName: '' };
    await settleMembership(tx, deps, userId, none, { orgId: connection.orgId, roleId: null, email: null });
    await mustBeOn(tx, connection);
    const now = deps.clock.now();
    const account = await lockAccount(tx, userId, now);
    if (!account || blockOf(account) || !(await hasSession(tx, sessionId))) throw new VisitRefused('blocked');
    const course = await vouchFor(tx, connection.orgId, address, account, known.link);
    if (claim && course === 'opens') await moveAddress(tx, deps, connection, account, claim);
    await addEntry(tx, arrival, sessionId, now);
    return { outcome: 'linked', to: arrival.next ?? `/${connection.urlName}` };
  });
}

/** Proves the account of the session again, no more than a mailed code would. The person is the one who entered. */
export const proveAgain = (
  deps: Deps,
  { connection, subject, address, next }: Arrival,
  isFreshProof: boolean,
  { userId, sessionId }: SessionOwner,
) =>
  transaction(deps.sql, async (tx): Promise<Outcome> => {
    await lockOrganization(tx, connection.orgId);
    await mustBeOn(tx, connection);
    const account = await lockAccount(tx, userId, deps.clock.now());
    const company = await findProvingCompany(tx, sessionId);
    if (!account || blockOf(account) || !(await hasSession(tx, sessionId))) throw new VisitRefused('blocked');
    if (company?.connectionId !== connection.id) throw new VisitRefused('stale');
    if (company.subject !== subject) throw new VisitRefused('otherPerson');
    const known = await findIdentity(tx, connection.id, subject);
    if (!known) throw new VisitRefused('stale');
    await vouchFor(tx, connection.orgId, address, account, known.link);
    if (!isFreshProof) throw new VisitRefused('notFresh');
    await recordActivity(tx, deps, 'person.stepUp.create', { userId });
    const token = await renewSession(tx, deps, sessionId, 'fed');
    return { outcome: 'proven', to: next ?? '/', token };
  });
