import { randomBytes } from 'node:crypto';
import type { ConnectionId, VisitFailure } from '#contract/company-sign-in/connections.ts';
import { COMPANY_VISIT_MINUTES, type companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { ownPageAt } from '#contract/own-page.ts';
import type { SessionId } from '#contract/wire.ts';
import { companyMailText } from '#words/company-mail.ts';
import { companyFieldText } from '#words/company-field.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { refuseOthers, type SuperAdmin } from '#server/company-sign-in/changes.ts';
import { redirectUrlOf, secretsOf } from '#server/company-sign-in/connections/connections.ts';
import {
  type Connection,
  findConnection,
  findConnectionAt,
  findConnectionOfDomain,
  listProvenDomains,
  updateUnchanged,
} from '#server/company-sign-in/connections/data.ts';
import { getCompanyRule } from '#server/company-sign-in/data.ts';
import { kindOf } from '#server/company-sign-in/connections/rules.ts';
import { insertAttempt, insertVisit, listAttempts, takeVisit } from '#server/company-sign-in/visits/data.ts';
import { addTo, enter, type Failed, type Outcome } from '#server/company-sign-in/visits/entries.ts';
import { Refused } from '#server/company-sign-in/visits/people.ts';
import {
  addressIn,
  type Answer,
  problemOf,
  providerText,
  shownClaims,
  sidIn,
  subjectIn,
} from '#server/company-sign-in/visits/claims.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { guardedFetch, organizationsReach } from '#server/guarded-requests.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { mac, randomToken } from '#server/keys.ts';
import { fillWords } from '#server/mail/frame.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import { lockOrganization } from '#server/members/data.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import { type Browser } from '#server/sign-in/completion/actions.ts';
import { openConversations, type Visit } from '#server/social/provider/providers.ts';
import { saysSecondStep, vouchedBy } from '#server/social/rules.ts';

const settingsPage = ({ urlName }: Connection) => `/${urlName}/organization/signin`;

/** The PKCE verifier and nonce come from the browser's values and the site's key, so neither is stored. */
function visitOf({ keys }: Deps, state: string, browser: string): Visit {
  const key = keys.find(({ id }) => state.startsWith(id)) ?? keys[0];
  const derivedFrom = (purpose: string) =>
    mac(key.derive(purpose), `${state}.${browser}`).toString('base64url');
  return { state, verifier: derivedFrom('company-verifier'), nonce: derivedFrom('company-nonce') };
}

/** Short enough to read out, and rare enough among 50. */
const newReference = () => randomBytes(4).toString('hex').toUpperCase();

type Start = {
  readonly connection: Connection;
  readonly isTest: boolean;
  readonly sessionId: SessionId | null;
  readonly next: string | null;
  readonly hint?: string | undefined;
};
type Return = {
  readonly query: URLSearchParams;
  /** The `portico-company` cookie of the browser that came back. */
  readonly cookie: string | undefined;
  readonly caller: SessionOwner | null;
  readonly browser: Browser;
};

export type Visits = ReturnType<typeof openVisits>;
export function openVisits(deps: Deps) {
  const conversations = openConversations(deps, guardedFetch(organizationsReach(deps.config)));
  const providerOf = (connection: Connection, clientSecret: string) => ({
    clientId: connection.clientId,
    clientSecret,
    at: { issuer: new URL(connection.issuer) },
  });

  /** Returns the provider's address, or ours with the reason why there is none. */
  async function begin({ connection, isTest, sessionId, next, hint }: Start) {
    const [state, browser] = [deps.keys[0].id + randomToken().slice(deps.keys[0].id.length), randomToken()];
    const redirectUrl = redirectUrlOf(deps, connection.id);
    const [secret = ''] = secretsOf(deps, connection);
    const asked = {
      redirectUrl,
      visit: visitOf(deps, state, browser),
      ...(hint !== undefined && { more: { login_hint: hint } }),
    };
    const url = await conversations
      .addressOf(providerOf(connection, secret), asked)
      .catch((error: unknown) => {
        const unreachable = new URL(redirectUrl);
        const { failed, problem } = problemOf(error);
        unreachable.search = new URLSearchParams({
          error: failed,
          error_description: problem,
          state,
        }).toString();
        return unreachable;
      });
    const expiresAt = fromNow(deps.clock, COMPANY_VISIT_MINUTES * MINUTE_MS);
    return transaction(deps.sql, async (tx) => {
      if (sessionId !== null && !(await hasSession(tx, sessionId))) return refuse('not_signed_in');
      const visit = { state, browser, connectionId: connection.id, isTest, sessionId, next, expiresAt };
      await insertVisit(tx, visit);
      return { authUrl: url.href, browser };
    });
  }

  /** Asks the provider with each secret. The next one takes the place of one that is refused. */
  async function answerOf(
    connection: Connection,
    visit: Visit,
    query: URLSearchParams,
  ): Promise<Answer | undefined> {
    const [secret = '', next] = secretsOf(deps, connection);
    const returned = { redirectUrl: redirectUrlOf(deps, connection.id), visit, query };
    try {
      return (await conversations.claimsOf(providerOf(connection, secret), returned)) as Answer | undefined;
    } catch (error) {
      if (problemOf(error).failed !== 'wrongSecret' || next === undefined) throw error;
      const answer = await conversations.claimsOf(providerOf(connection, next), returned);
      await transaction(deps.sql, (tx) =>
        updateUnchanged(tx, connection, {
          sealed_secret: connection.nextSealedSecret,
          next_sealed_secret: null,
        }),
      );
      return answer as Answer | undefined;
    }
  }

  async function finish(
    connectionId: ConnectionId,
    { query, cookie, caller, browser }: Return,
  ): Promise<Outcome> {
    const state = query.get('state') ?? '';
    const stale: Failed = { outcome: 'stale', reference: '', failed: true };
    if (cookie === undefined) return stale;
    const key = { state, browser: cookie, connectionId };
    const visit = await transaction(deps.sql, (tx) => takeVisit(tx, key, deps.clock.now()));
    const connection = visit && (await findConnection(deps.sql, connectionId));
    if (!visit || !connection || (!connection.isOn && !visit.isTest)) return stale;
    if (visit.sessionId !== null && visit.sessionId !== caller?.sessionId) return stale;
    const attempt = { connectionId, reference: newReference(), at: deps.clock.now(), isTest: visit.isTest };
    const end = async (
      outcome: Outcome,
      more: { email?: string | null; problem?: string; claims?: never } = {},
    ) => {
      const { email = null, problem = '', claims = null } = more;
      const row = { ...attempt, outcome: outcome.outcome, email, problem, claims };
      await transaction(deps.sql, (tx) => insertAttempt(tx, row));
      return outcome;
    };
    const failed = (outcome: VisitFailure): Failed => ({
      outcome,
      reference: attempt.reference,
      failed: true,
    });

    const error = query.get('error');
    if (error !== null) {
      const problem = [error, query.get('error_description')].map(providerText).filter(Boolean).join(': ');
      const isOurs = error === 'noAnswer' || error === 'wrongAnswer';
      const outcome = isOurs ? error : error === 'access_denied' ? 'cancelled' : 'refusedByProvider';
      return end(failed(outcome), { problem });
    }
    let answer: Answer | undefined;
    try {
      answer = await answerOf(connection, visitOf(deps, state, cookie), query);
    } catch (thrown) {
      const { failed: outcome, problem } = problemOf(thrown);
      deps.log.warn({ connection: connectionId, why: outcome }, 'a company’s provider failed');
      if (outcome === 'wrongSecret') await tellOfSecret(deps, connection);
      return end(failed(outcome), { problem });
    }
    if (!answer) return end(failed('wrongAnswer'));
    const kind = kindOf(connection.issuer);
    const subject = subjectIn(kind, answer);
    const address = addressIn(kind, answer, await listProvenDomains(deps.sql, connection.orgId));
    const email = 'email' in address ? address.email : providerText(answer.signed['email']) || null;
    if (visit.isTest) {
      const claims = shownClaims(answer) as never;
      if (subject === undefined) return end(failed('noSubject'), { email, claims });
      if ('failed' in address) return end(failed(address.failed), { email, claims });
      await transaction(deps.sql, (tx) => updateUnchanged(tx, connection, { tested_at: deps.clock.now() }));
      return end({ outcome: 'tested', to: settingsPage(connection) }, { email, claims });
    }
    if (subject === undefined) return end(failed('noSubject'), { email });
    const { firstName = '', lastName = '' } =
      vouchedBy({ ...(answer.more as object), ...answer.signed }) ?? {};
    const said = saysSecondStep(answer.signed);
    const sid = sidIn(answer.signed);
    const arrival = {
      connection,
      subject,
      address,
      names: { firstName, lastName },
      sid,
      saidStep: said,
      hasStep: said || connection.declaresStep,
      next: visit.next,
    };
    try {
      const outcome =
        visit.sessionId && caller ? await addTo(deps, arrival, caller) : await enter(deps, arrival, browser);
      return await end(outcome, { email });
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      return end(failed(thrown.outcome), { email });
    }
  }

  return {
    discover: (input: Input<typeof companyVisits.discover>, network: string) =>
      discover(deps, input, network),
    async start(
      { email, company, redirectPath }: Input<typeof companyVisits.start>,
      caller: SessionOwner | null,
      network: string,
    ) {
      const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
      if (tooMany) return tooMany;
      const connection =
        company === undefined
          ? email && (await findConnectionOfDomain(deps.sql, domainOf(email)))
          : await findConnectionAt(deps.sql, company, { isSignedIn: caller !== null });
      if (!connection) return refuse('connection_not_found');
      const next = ownPageAt(redirectPath) ?? null;
      const sessionId = caller?.sessionId ?? null;
      return begin({ connection, isTest: false, sessionId, next, hint: email });
    },
    async test(actor: SuperAdmin & SessionOwner, id: ConnectionId, network: string) {
      const refusal = await refuseOthers(deps, actor);
      if (refusal) return refusal;
      if (!actor.confirmed) return refuse('account_not_confirmed');
      const connection = await findConnection(deps.sql, id, actor.orgId);
      if (!connection) return refuse('connection_not_found');
      const isWhole = connection.issuer && connection.clientId && connection.sealedSecret;
      if (!isWhole) return refuse('not_allowed', { details: companyFieldText.fillInFirst });
      const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
      if (tooMany) return tooMany;
      return begin({ connection, isTest: true, sessionId: actor.sessionId, next: null });
    },
    async finish(connectionId: ConnectionId, from: Return) {
      const outcome = await finish(connectionId, from);
      if (!('failed' in outcome))
        await deps.limiter.giveBack([['socialStartsHour', ipPrefix(from.browser.client.ipAddress)]]);
      return outcome;
    },
  };
}

const domainOf = (email: string) => {
  const canonical = emailOrRefusal(email, 'email_id');
  return canonical instanceof Refusal ? '' : canonical.slice(canonical.lastIndexOf('@') + 1);
};

/** The answer depends on the domain alone, so it tells nothing about an account. */
async function discover(deps: Deps, { email }: Input<typeof companyVisits.discover>, network: string) {
  const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
  if (tooMany) return tooMany;
  const connection = await findConnectionOfDomain(deps.sql, domainOf(email));
  // Colleagues share an address, and each of them asks.
  if (connection) await deps.limiter.giveBack([['socialStartsHour', ipPrefix(network)]]);
  const rule = connection && (await getCompanyRule(deps.sql, connection.orgId));
  const required = rule?.from ? rule.from <= deps.clock.now() : false;
  return { available: connection !== undefined, required };
}

export const listAttemptsOf = async (deps: Deps, scope: SuperAdmin) =>
  (await refuseOthers(deps, scope)) ?? listAttempts(deps.sql, scope.orgId);

/** At once, because nobody gets in. A quiet time keeps it to one mail. */
const tellOfSecret = (deps: Deps, { orgId }: Connection) =>
  transaction(deps.sql, async (tx) => {
    const organization = await lockOrganization(tx, orgId);
    if (!organization) return;
    const words = fillWords(companyMailText.secretRefused, { organization: organization.name });
    await tellSuperAdmins(tx, deps, { orgId, urlName: organization.urlName }, words, 'organization/signin');
  });
