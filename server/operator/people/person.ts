import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { isStrong, type ProvenStep } from '#contract/organizations/second-step-rule.ts';
import { isUntilLifted } from '#contract/time.ts';
import { type Account, findAccountById } from '#server/accounts/data.ts';
import type { ReadingDeps } from '#server/open.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import { isRestrictedByOperator, listRequests } from '#server/operator/operators/data.ts';
import { requestLine, shownRequest } from '#server/operator/operators/operators.ts';
import { listMailsOf, listMemberships } from '#server/operator/people/data.ts';
import { personLine } from '#server/operator/subjects.ts';
import type { Shown } from '#server/operator/work.ts';
import { findClosingCompany } from '#server/sessions/entry/data.ts';
import { closesOwnWay, whyNoEntry } from '#server/sessions/entry/rules.ts';
import { findShownSessions } from '#server/sessions/data.ts';
import { mustConfirm } from '#server/sign-in/completion/actions.ts';
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
    ? `new browsers are refused after many wrong passwords, the last from ${network}, since ${at(since)}`
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

type Membership = Awaited<ReturnType<typeof listMemberships>>[number];
/** The demand of an organization on a sign-in with this second step, by the rule that answers the sign-in itself. */
function entryOf(
  { id: orgId, name, rule, from, companyFrom, roleKind }: Membership,
  step: ProvenStep | null,
  now: Date,
) {
  const asked = { orgId, rule, from, companyFrom, isSuperAdmin: roleKind === 'super-admin' };
  const proofs = { secondStep: step, proven: 'account', entered: [], enteredWithStep: [] } as const;
  const refusal = whyNoEntry(asked, proofs, now);
  const company = `${name} is entered through the company only`;
  if (refusal === 'company_sign_in_required') return { isShut: true, demand: company };
  if (companyFrom !== null && companyFrom > now)
    return { isShut: false, demand: `${company} from ${at(companyFrom)} on` };
  const wants = `${name} asks for a ${rule === 'any' ? 'second' : 'strong second'} step`;
  if (rule === 'none') return { isShut: false, demand: undefined };
  if (from !== null && from > now) return { isShut: false, demand: `${wants} from ${at(from)} on` };
  return refusal === undefined
    ? { isShut: false, demand: `${wants}, which ${stepNames[step ?? 'mail']} meets` }
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
  const best = secondSteps(factors)[0] ?? null;
  const given = account.mfa_enabled || best === 'passkey' ? best : null;
  const active = memberships.filter(({ status }) => status === MEMBER_STATUS.active);
  const entries = active.map((membership) => entryOf(membership, given, now));
  const closing = await findClosingCompany(sql, person.id, now);
  const state = await statesOf(deps, account);
  const held = state.deletion ?? state.restriction;
  const next = held
    ? [`refused: ${held}`]
    : mustConfirm(account)
      ? ['refused until the address is confirmed, for which a link is mailed']
      : closing && closesOwnWay(closing, given)
        ? [`refused: ${closing.organization} lets its people sign in through the company only`]
        : [
            first.length > 0 ? first.join(' or ') : 'no way in but a mailed link',
            ...(account.mfa_enabled && steps.length > 0 ? [steps.join(' or ')] : []),
            ...entries.map(({ demand }) => demand).filter((demand) => demand !== undefined),
            ...(active.length > 0 && entries.every(({ isShut }) => isShut)
              ? []
              : [memberships.length > 0 ? 'the organization' : 'the page for a first organization']),
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
      memberships.map(({ name, role, status }) => `${name}: ${role}, ${statusOf(status)}`),
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
      mails.map(({ created_at: created, done_at: done, failed_at: failed, last_error: error, subject }) => {
        const state = done ? 'sent' : `${failed ? 'given up' : 'waits'}${error === null ? '' : `: ${error}`}`;
        return `${at(created)}, ${subject === null ? '' : `“${subject}”, `}${state}`;
      }),
    ),
  ];
  return { lines, data: { user_id: person.id, state, next, steps, mails } };
}
