import { DEMANDS } from '#contract/access/demands.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { isStrong } from '#contract/organizations/second-step-rule.ts';
import { isUntilLifted } from '#contract/time.ts';
import { listMemberships } from '#server/access/data.ts';
import type { Membership, Session } from '#contract/access/facts.ts';
import { closingCompanies, demands, signedInBy, whyNoEntry } from '#server/access/rules.ts';
import { type Account, findAccountById } from '#server/accounts/data.ts';
import type { ReadingDeps } from '#server/open.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { isRestrictedByOperator, listRequests } from '#server/operator/operators/data.ts';
import { requestLine, shownRequest } from '#server/operator/operators/operators.ts';
import { listMailsOf, listRoles } from './data.ts';
import { personLine } from '#server/operator/subjects.ts';
import type { Shown } from '#server/operator/work.ts';
import { findShownSessions } from '#server/sessions/data.ts';
import { accountFacts } from '#server/sign-in/completion/actions.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { secondSteps } from '#server/sign-in/factors/rules.ts';
import { listProviders } from '#server/sign-in/identities/data.ts';
import { listWaits } from '#server/sign-in/waits/data.ts';
import { readUserAgent } from '#server/user-agent.ts';

const stepNames = {
  passkey: 'passkey',
  app: 'app',
  mail: 'code by mail',
  recovery: 'recovery code',
  provider: 'provider',
};
export const statusOf = (status: MemberStatus) =>
  Object.entries(MEMBER_STATUS).find(([, code]) => code === status)?.[0];
const at = (time: Date | number) =>
  isUntilLifted(new Date(time))
    ? 'lifted'
    : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const toTheSecond = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
type Wait = Awaited<ReturnType<typeof listWaits>>[number];
export const waitLine = ({ network, since, until }: Wait) =>
  until === null
    ? `new browsers were refused after many wrong passwords, the last from ${network}, since ${at(since)}`
    : `waits until ${toTheSecond(until)} after wrong passwords from ${network}, since ${at(since)}`;

/** The restriction, the deletion and the requests of an account; an act ends each of them. */
async function statesOf({ sql, clock }: ReadingDeps, account: Account) {
  const now = clock.now();
  const { id, restricted_until: until, deletion_due_at: erasedAt } = account;
  const isByOperator = until !== null && (await isRestrictedByOperator(sql, id, now));
  const requests = (await listRequests(sql, now)).filter(({ person_id: person }) => person === id);
  const restriction =
    until && `restricted until ${at(until)}, by ${isByOperator ? 'an operator' : 'wrong codes'}`;
  const deletion = erasedAt && `deactivated, erased at ${at(erasedAt)}`;
  const waits = (await listWaits(sql, account.email, now)).map(waitLine);
  return { restriction, isByOperator, deletion, requests: requests.map(shownRequest), waits };
}

/** The demand of an organization on a sign-in that opens this session, and the one that it will make. */
function entryOf(membership: Membership, session: Session, now: Date) {
  const { organization, stepRule, stepFrom, companyFrom } = membership;
  const refusal = whyNoEntry(membership, session, now);
  const company = `${organization} is entered through the company only`;
  const asksCompany = (time: Date) => whyNoEntry(membership, session, time) === DEMANDS.company;
  if (asksCompany(now)) return { isShut: true, demand: company };
  if (companyFrom !== null && companyFrom > now && asksCompany(companyFrom))
    return { isShut: false, demand: `${company} from ${at(companyFrom)} on` };
  const wants = `${organization} asks for a ${stepRule === 'any' ? 'second' : 'strong second'} step`;
  if (stepRule === 'none') return { isShut: false, demand: undefined };
  if (stepFrom !== null && stepFrom > now)
    return { isShut: false, demand: `${wants} from ${at(stepFrom)} on` };
  return refusal === undefined
    ? { isShut: false, demand: `${wants}, which ${stepNames[session.secondStep ?? 'mail']} meets` }
    : { isShut: false, demand: `${wants}: the page that sets one up` };
}

/** Everything that support needs to tell why somebody cannot get in: what the next sign-in asks, by its own memberships. */
export async function showPerson(deps: ReadingDeps, person: FoundPerson): Promise<Shown<LookData<'person'>>> {
  const { sql, clock } = deps;
  const now = clock.now();
  const account = await findAccountById(sql, person.id, now);
  if (!account) return { lines: ['The account is gone.'], data: null };
  const factors = await findFactors(sql, person.id);
  const providers = await listProviders(sql, person.id);
  const steps = secondSteps(factors).map((step) => stepNames[step]);
  const first = [
    ...(account.password !== null && account.email !== null ? ['password'] : []),
    ...(factors.passkeys > 0 ? ['passkey'] : []),
    ...providers,
  ];
  const memberships = await listMemberships(sql, person.id);
  const roles = await listRoles(sql, person.id);
  const best = secondSteps(factors)[0] ?? null;
  const given = account.mfa_enabled || best === 'passkey' ? best : null;
  const session = signedInBy(given, now);
  const active = memberships.filter(({ isActive }) => isActive);
  const entries = active.map((membership) => entryOf(membership, session, now));
  const facts = { account: accountFacts(account), session, memberships };
  const [missing] = demands(facts, { at: 'sign-in', stepComes: false }, now);
  const [closing] = closingCompanies(memberships, now);
  const state = await statesOf(deps, account);
  const held = state.deletion ?? state.restriction;
  const next = held
    ? [`refused: ${held}`]
    : missing === 'confirmed'
      ? ['refused until the address is confirmed, for which a link is mailed']
      : missing === 'company'
        ? [`refused: ${closing?.organization} lets its people sign in through the company only`]
        : [
            first.length > 0 ? first.join(' or ') : 'no way in but a mailed link',
            ...(account.mfa_enabled && steps.length > 0 ? [steps.join(' or ')] : []),
            ...entries.map(({ demand }) => demand).filter((demand) => demand !== undefined),
            ...(active.length > 0 && entries.every(({ isShut }) => isShut)
              ? []
              : [roles.length > 0 ? 'the organization' : 'the page for a first organization']),
          ];
  const sessions = (await findShownSessions(deps, [person.id])).get(person.id) ?? [];
  const mails = await listMailsOf(sql, person.id);
  const section = (title: string, lines: readonly string[]) => [
    `${title}:`,
    ...(lines.length > 0 ? lines : ['(none)']).map((line) => `    ${line}`),
  ];
  const lines = [
    personLine(person),
    ...section('State', [
      ...[state.restriction, state.deletion].filter((line) => line !== null),
      ...state.waits,
      ...state.requests.map((request) => `waits: ${requestLine(request)}`),
    ]),
    ...section('What the next sign-in does', [next.join(' → ')]),
    ...section(
      'Organizations',
      roles.map(({ name, role, status }) => `${name}: ${role}, ${statusOf(status)}`),
    ),
    ...section('Second steps', [
      ...steps,
      ...(account.mfa_enabled ? ['two-step sign-in is on'] : []),
      ...(best !== null && isStrong(best) ? [] : ['none of them is strong']),
    ]),
    ...section(
      'Devices',
      sessions.map(({ userAgent, ipAddress, location, lastSeen }) => {
        const { browser, system } = readUserAgent(userAgent);
        return `${browser}, ${system}, ${ipAddress}, ${location}, last seen ${at(lastSeen)}`;
      }),
    ),
    ...section(
      'Mails of the last days',
      mails.map(({ created_at: created, done_at: done, failed_at: failed, last_error: error, letter }) => {
        const state = done ? 'sent' : `${failed ? 'given up' : 'waits'}${error === null ? '' : `: ${error}`}`;
        return `${at(created)}, ${letter === null ? '' : `“${letter}”, `}${state}`;
      }),
    ),
  ];
  return { lines, data: { user_id: person.id, state, next, steps, mails } };
}
