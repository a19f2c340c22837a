// A visit to a company's provider, from the button to the return, and the test that a Super Admin makes of it.
import { randomBytes } from 'node:crypto';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { COMPANY_VISIT_MINUTES, type companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { ownPageAt } from '#contract/own-page.ts';
import type { SessionId } from '#contract/wire.ts';
import { namesAlike } from '#contract/company-sign-in/issuer.ts';
import { companyFieldText } from '#words/company-field.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { refuseOthers } from '#server/company-sign-in/changes.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';
import {
  promoteNextSecret,
  providerOf,
  redirectUrlOf,
  secretsOf,
} from '#server/company-sign-in/connections/connections.ts';
import { type Connection, findConnection } from '#server/company-sign-in/connections/data.ts';
import { listProvenDomains } from '#server/company-sign-in/data.ts';
import { providerKindOf } from '#server/company-sign-in/connections/rules.ts';
import {
  findEntered,
  findIdentity,
  findLink,
  insertAttempt,
  insertVisit,
  takeVisit,
  type Waiting,
} from './data.ts';
import { noteTested, tellOfSecret } from './aftermath.ts';
import { findAsked, findProving } from './discovery.ts';
import { addTo, enter, type Failed, linkPageOf, type Outcome, proveAgain } from './entries.ts';
import { VisitRefused } from './people.ts';
import {
  addressIn,
  type Answer,
  hintIn,
  isFresh,
  type Problem,
  problemOf,
  providerText,
  refusalOf,
  shownClaims,
  sidIn,
  subjectIn,
} from './claims.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { sha256 } from '#server/keys.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import { type Browser } from '#server/sign-in/completion/actions.ts';
import { type Conversations, newVisit, type Visit, visitOf } from '#server/social/provider/providers.ts';
import { saysSecondStep, vouchedBy } from '#server/social/rules.ts';

const settingsPage = ({ urlName }: Connection) => `/${urlName}/organization/signin`;

/** Short enough to read out, and rare enough among 50. */
const newReference = () => randomBytes(4).toString('hex').toUpperCase();

type Start = {
  readonly connection: Connection;
  readonly purpose: OpenVisit['purpose'];
  readonly sessionId: SessionId | null;
  readonly next: string | null;
  /** The `portico-company` cookie of the browser that leaves. */
  readonly cookie: string | undefined;
  /** Parameters for the provider. */
  readonly more?: Readonly<Record<string, string>>;
};
/** A person who leaves for a provider. */
type Leaving<Caller> = Pick<Start, 'cookie'> & { readonly caller: Caller; readonly network: string };
type Return = {
  readonly query: URLSearchParams;
  /** The `portico-company` cookie of the browser that came back. */
  readonly cookie: string | undefined;
  readonly caller: SessionOwner | null;
  readonly browser: Browser;
};
type OpenVisit = NonNullable<Awaited<ReturnType<typeof takeVisit>>>;
/** Another visit of this browser has signed the person in already. */
type LedOn = { readonly outcome: 'ledOn'; readonly to: string };
/** A Super Admin reads these about the attempt. */
type Shown = { email?: string | null; claims?: string };

export type Visits = ReturnType<typeof openVisits>;
export function openVisits(deps: Deps, conversations: Conversations) {
  /** Returns the provider's address, or ours with the reason why there is none. */
  async function begin({ connection, purpose, sessionId, next, cookie, more = {} }: Start) {
    const { browser, visit } = newVisit(deps, 'company', cookie);
    const redirectUrl = redirectUrlOf(deps, connection.id);
    const [secret = ''] = secretsOf(deps, connection);
    const asked = { redirectUrl, visit, more };
    const there = await conversations.addressOf(providerOf(connection, secret), asked).catch(problemOf);
    const failed = 'outcome' in there ? there : undefined;
    const url = 'outcome' in there ? new URL(`?state=${visit.state}`, redirectUrl) : there;
    return transaction(deps.sql, async (tx) => {
      if (sessionId !== null && !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
      await insertVisit(tx, {
        state_hash: sha256(visit.state),
        browser_hash: sha256(browser),
        connection_id: connection.id,
        issuer: connection.issuer,
        client_id: connection.clientId,
        purpose,
        session_id: sessionId,
        next,
        failed: failed?.outcome ?? null,
        problem: failed?.problem ?? '',
        expires_at: fromNow(deps.clock, COMPANY_VISIT_MINUTES * MINUTE_MS),
      });
      return { authUrl: url.href, browser };
    });
  }

  /** Asks the provider with each secret. The next one takes the place of one that is refused. */
  async function claimsOf(connection: Connection, visit: Visit, query: URLSearchParams) {
    const [secret = '', next] = secretsOf(deps, connection);
    const returned = { redirectUrl: redirectUrlOf(deps, connection.id), visit, query };
    try {
      return await conversations.claimsOf(providerOf(connection, secret), returned);
    } catch (error) {
      if (problemOf(error).outcome !== 'wrongSecret' || next === undefined) throw error;
      const claims = await conversations.claimsOf(providerOf(connection, next), returned);
      await promoteNextSecret(deps, connection);
      return claims;
    }
  }

  async function answerOf(
    connection: Connection,
    { failed, problem }: OpenVisit,
    visit: Visit,
    query: URLSearchParams,
  ): Promise<Answer> {
    // Nobody was sent to the provider.
    if (failed !== null) throw new VisitRefused(failed, problem);
    const error = query.get('error');
    if (error !== null) throw refusedVisit(refusalOf(error, query.get('error_description')));
    const claims = await claimsOf(connection, visit, query).catch(async (thrown: unknown) => {
      const found = problemOf(thrown);
      deps.log.warn({ connection: connection.id, why: found.outcome }, 'a company’s provider failed');
      if (found.outcome === 'wrongSecret') await tellOfSecret(deps, connection);
      throw refusedVisit(found);
    });
    if (!claims?.idToken) throw new VisitRefused('wrongAnswer');
    return claims;
  }

  /** Follows a visit to its end. A refusal is thrown. */
  async function follow(
    connection: Connection,
    visit: OpenVisit,
    answer: Answer,
    from: Return,
    shown: Shown,
  ) {
    const kind = providerKindOf(connection.issuer);
    const subject = subjectIn(kind, answer);
    const address = addressIn(kind, answer, await listProvenDomains(deps.sql, connection.orgId));
    shown.email = address.email ?? (providerText(answer.signed['email']) || null);
    if (visit.purpose === 'test') shown.claims = JSON.stringify(shownClaims(answer));
    if (subject === undefined) throw new VisitRefused('noSubject');
    if (visit.purpose === 'test') {
      if (address.failed) throw new VisitRefused(address.failed);
      await noteTested(deps, connection, String(answer.signed['iss']));
      return { outcome: 'tested', to: settingsPage(connection) } as const;
    }
    const { firstName = '', lastName = '' } =
      vouchedBy({ ...(answer.more as object), ...answer.signed }) ?? {};
    const saidStep = saysSecondStep(answer.signed);
    const arrival = {
      connection,
      subject,
      address,
      names: { firstName, lastName },
      sid: sidIn(answer.signed),
      idToken: hintIn(answer),
      saidStep,
      hasStep: saidStep || connection.declaresStep,
      next: visit.next,
      state: from.query.get('state') ?? '',
      cookie: from.cookie ?? '',
    };
    // Another visit of this browser may have signed the person in meanwhile.
    const isOwn = async ({ userId }: SessionOwner) =>
      visit.sessionId !== null || (await findIdentity(deps.sql, connection.id, subject))?.userId === userId;
    if (!from.caller || !(await isOwn(from.caller))) return enter(deps, arrival, from.browser);
    if (visit.purpose === 'sign-in') return addTo(deps, arrival, from.caller);
    const start = new Date(visit.end.getTime() - COMPANY_VISIT_MINUTES * MINUTE_MS);
    return proveAgain(deps, arrival, isFresh(answer.signed, { start, end: visit.end }), from.caller);
  }

  async function leadOn(
    id: ConnectionId,
    caller: SessionOwner | null,
    waiting: Waiting,
  ): Promise<LedOn | undefined> {
    const link = await findLink(deps.sql, waiting, deps.clock.now());
    if (link?.connectionId === id) return { outcome: 'ledOn', to: linkPageOf(waiting.visit) };
    const urlName = caller && (await findEntered(deps.sql, caller.sessionId, id));
    return urlName ? { outcome: 'ledOn', to: `/${urlName}` } : undefined;
  }

  async function finish(connectionId: ConnectionId, from: Return): Promise<Outcome | LedOn> {
    const { query, cookie, caller } = from;
    const state = query.get('state') ?? '';
    const stale: Failed = { outcome: 'stale', reference: '', failed: true };
    if (cookie === undefined) return stale;
    const key = { state, browser: cookie, connectionId };
    const visit = await transaction(deps.sql, (tx) => takeVisit(tx, key, deps.clock.now()));
    if (!visit) return (await leadOn(connectionId, caller, { visit: state, browser: cookie })) ?? stale;
    const connection = await findConnection(deps.sql, connectionId);
    if (!connection || (!connection.isOn && visit.purpose !== 'test')) return stale;
    if (!namesAlike(connection, visit)) return stale;
    if (visit.sessionId !== null && visit.sessionId !== caller?.sessionId) return stale;
    const shown: Shown = {};
    const attempt = {
      connection_id: connectionId,
      reference: newReference(),
      created_at: deps.clock.now(),
      is_test: visit.purpose === 'test',
      is_said_in_address: visit.failed === null && query.has('error'),
    };
    let problem = '';
    const outcome = await answerOf(connection, visit, visitOf(deps, 'company', state, cookie), query)
      .then((answer) => follow(connection, visit, answer, from, shown))
      .catch((thrown: unknown): Failed => {
        if (!(thrown instanceof VisitRefused)) throw thrown;
        ({ problem } = thrown);
        const to = visit.purpose === 'proof' && { to: visit.next ?? '/' };
        return { outcome: thrown.outcome, reference: attempt.reference, failed: true, ...to };
      });
    const row = { email: null, claims: null, ...attempt, ...shown, outcome: outcome.outcome, problem };
    await transaction(deps.sql, (tx) => insertAttempt(tx, row));
    return outcome;
  }

  return {
    async start(
      { email, company, redirectPath }: Input<typeof companyVisits.start>,
      { caller, network, cookie }: Leaving<SessionOwner | null>,
    ) {
      const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
      if (tooMany) return tooMany;
      const connection = await findAsked(deps, { email, company }, caller);
      if (!connection) return refuse('connection_not_found');
      const next = ownPageAt(redirectPath) ?? null;
      const sessionId = caller?.sessionId ?? null;
      const more = email === undefined ? {} : { login_hint: email };
      return begin({ connection, purpose: 'sign-in', sessionId, next, cookie, more });
    },
    /** The provider asks the person to sign in once more, whatever its own session says. */
    async prove(
      { redirectPath }: Input<typeof companyVisits.prove>,
      { caller, network, cookie }: Leaving<SessionOwner>,
    ) {
      const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
      if (tooMany) return tooMany;
      const connection = await findProving(deps, caller);
      if (!connection) return refuse('connection_not_found');
      const more = { prompt: 'login', max_age: '0' };
      const next = ownPageAt(redirectPath) ?? null;
      const { sessionId } = caller;
      return begin({ connection, purpose: 'proof', sessionId, next, cookie, more });
    },
    async test(id: ConnectionId, { caller: actor, network, cookie }: Leaving<SuperAdmin & SessionOwner>) {
      const refusal = await refuseOthers(deps, actor);
      if (refusal) return refusal;
      if (!actor.confirmed) return refuse('account_not_confirmed');
      const connection = await findConnection(deps.sql, id, actor.orgId);
      if (!connection) return refuse('connection_not_found');
      const isWhole = connection.issuer && connection.clientId && connection.sealedSecret;
      if (!isWhole) return refuse('not_allowed', { details: companyFieldText.fillInFirst });
      const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
      if (tooMany) return tooMany;
      return begin({ connection, purpose: 'test', sessionId: actor.sessionId, next: null, cookie });
    },
    async finish(connectionId: ConnectionId, from: Return) {
      const outcome = await finish(connectionId, from);
      if (!('failed' in outcome) && outcome.outcome !== 'ledOn')
        await deps.limiter.giveBack([['socialStartsHour', ipPrefix(from.browser.client.ipAddress)]]);
      return outcome;
    },
  };
}

const refusedVisit = ({ outcome, problem }: Problem) => new VisitRefused(outcome, problem);
