import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Proven, ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import type { Membership, Session } from '#contract/access/facts.ts';
import {
  demands,
  type Facts,
  isAccountProven,
  meets,
  SIGN_IN_STEPS,
  type SignInStep,
  sortOrganizations,
  whyNoEntry,
} from './rules.ts';
import { MINUTE_MS } from '#server/clock.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';

// The facts that `rules.ts` decides by. Every query that needs them selects these columns.

/** The person has an address of a proven domain of a row of `organizations`. */
export const hasAddressOf = (userId: RawBuilder<UserId>) => sql<boolean>`exists (select from users as holder
  join company_domains on company_domains.domain = split_part(holder.email, '@', 2)
  where holder.id = ${userId} and company_domains.org_id = organizations.id
    and company_domains.proven_at is not null)`;

/** The person has an identity at the provider of a row of `organizations`. */
export const isLinkedTo = (userId: RawBuilder<UserId>) => sql<boolean>`exists (select from company_identities
  join company_connections on company_connections.id = company_identities.connection_id
  where company_identities.user_id = ${userId} and company_connections.org_id = organizations.id)`;

const underRule = (fact: RawBuilder<boolean>) =>
  sql<boolean>`(organizations.company_rule <> 'nobody' and ${fact})`;
const member = sql.ref<UserId>('memberships.user_id');
/** The facts of a row of `memberships`, joined with `organizations` and `roles`. */
export const membershipFacts = {
  orgId: sql<OrgId>`memberships.org_id`,
  organization: sql<string>`organizations.name`,
  urlName: sql<string>`organizations.url_name`,
  isActive: sql<boolean>`memberships.status = ${sql.lit(MEMBER_STATUS.active)}`,
  isPaused: sql<boolean>`memberships.paused_at is not null`,
  isSuperAdmin: sql<boolean>`roles.kind = 'super-admin'`,
  stepRule: sql<SecondStepRule>`organizations.second_step_rule`,
  stepFrom: sql<Date | null>`organizations.second_step_from`,
  companyRule: sql<CompanyRule>`organizations.company_rule`,
  companyFrom: sql<Date | null>`organizations.company_rule_from`,
  isLinked: underRule(isLinkedTo(member)),
  hasAddress: underRule(hasAddressOf(member)),
} satisfies { [Fact in keyof Membership]: RawBuilder<Membership[Fact]> };

/** The facts of a row of `sessions`. */
export const sessionFacts = {
  secondStep: sql<ProvenStep | null>`sessions.second_step`,
  proven: sql<Proven>`sessions.proven`,
  authenticatedAt: sql<Date>`sessions.authenticated_at`,
  entered: sql<OrgId[]>`array_to_json(sessions.entered)`,
  enteredWithStep: sql<OrgId[]>`array_to_json(sessions.entered_with_step)`,
} satisfies { [Fact in keyof Session]: RawBuilder<Session[Fact]> };

/** The facts of a row of `sessions` as JSON; null without a row. */
export const sessionJson = () =>
  sql<Session | null>`case when sessions.id is not null then ${jsonOf(sessionFacts)} end`;

type Columned = Readonly<Record<string, RawBuilder<unknown>>>;
type Columns<Of extends Columned> = {
  [Fact in keyof Of]: Of[Fact] extends RawBuilder<infer Value>
    ? AliasedRawBuilder<Value, Fact & string>
    : never;
}[keyof Of];
/** For the list of a SELECT. */
export const columnsOf = <Of extends Columned>(facts: Of) =>
  Object.entries(facts).map(([name, fact]) => fact.as(name)) as Columns<Of>[];
/** The same as one JSON value, whose times `membershipIn` reads. */
export const jsonOf = (facts: Columned) =>
  sql`json_build_object(${sql.join(Object.entries(facts).flatMap(([name, fact]) => [sql.lit(name), fact]))})`;

const timeIn = (text: unknown) => (text === null ? null : new Date(text as string));
const sessionIn = (json: Session | null) =>
  json && { ...json, authenticatedAt: new Date(json.authenticatedAt) };
/** Facts out of JSON, in which times are texts. */
export const membershipIn = <Of extends Membership>(json: Of): Of => ({
  ...json,
  stepFrom: timeIn(json.stepFrom),
  companyFrom: timeIn(json.companyFrom),
});

/** Facts out of a row whose session and memberships are JSON. */
export const factsIn = <Of extends Membership>({
  session,
  isTwoStepOn,
  memberships,
}: Facts<Of>): Facts<Of> => ({
  session: sessionIn(session),
  isTwoStepOn,
  memberships: memberships.map((one) => membershipIn(one)),
});

/** The tables of the facts of a row of `memberships`. */
export const joinedMemberships = sql`memberships join organizations on organizations.id = memberships.org_id
  join roles on roles.id = memberships.role_id`;
type Listed = { readonly which?: RawBuilder<unknown>; readonly more?: Columned };
/** A person's memberships as a JSON list, the default one first, except those that an admin disabled. */
export const membershipsOf = (userId: RawBuilder<unknown>, { which = sql`true`, more }: Listed = {}) => sql<
  Membership[]
>`coalesce((
  select json_agg(${jsonOf({ ...membershipFacts, ...more })} order by memberships.is_default desc, memberships.id)
  from ${joinedMemberships}
  where memberships.user_id = ${userId} and memberships.status <> ${sql.lit(MEMBER_STATUS.disabled)}
    and ${which}), '[]')`;
/** Those under a company's rule. */
export const ruledMembershipsOf = (userId: RawBuilder<UserId>) =>
  membershipsOf(userId, { which: sql`organizations.company_rule <> 'nobody'` });

const factsOf = prepared(
  (_, { sessionId }: { readonly sessionId: SessionId | null }) => sql<Facts>`
    select ${sessionJson()} as session, users.mfa_enabled as "isTwoStepOn",
      ${membershipsOf(sql`sessions.user_id`)} as memberships
    from sessions join users on users.id = sessions.user_id where sessions.id = ${sessionId}`,
);
/** All facts of a session. One that has ended has no organization. */
export async function findFacts(database: Db, sessionId: SessionId | null): Promise<Facts> {
  const [row] = await factsOf(database, { sessionId });
  return row ? factsIn(row) : { session: null, memberships: [] };
}

type Caller = Session & { readonly sessionId: SessionId };
/** The facts about a caller's account. A session that has proven it needs no statement. */
const accountFactsOf = async (database: Db, caller: Caller): Promise<Facts> =>
  caller.proven === 'account' ? { session: caller, memberships: [] } : findFacts(database, caller.sessionId);

/** Whether the account is proven, or a company vouches for all of it. */
export const servesAccount = async (database: Db, caller: Caller) =>
  isAccountProven(await accountFactsOf(database, caller));

/** Whether the last proof of the person is recent enough for sensitive calls. A window of 0 accepts any. */
export async function isRecentlyProven(
  database: Db,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  caller: Caller,
) {
  const now = clock.now();
  const minutes = config.reauthWindowMinutes;
  const provenAfter = new Date(minutes === 0 ? 0 : now.getTime() - minutes * MINUTE_MS);
  const facts = await accountFactsOf(database, caller);
  return !demands(facts, { at: 'account' }, now, { provenAfter }).includes('recent');
}

const listOf = prepared(
  (_, { userId }: { readonly userId: UserId }) => sql<Pick<Facts, 'memberships'>>`
    select ${membershipsOf(sql`${userId}::bigint`)} as memberships`,
);
export async function listMemberships(database: Db, userId: UserId): Promise<Membership[]> {
  const [row] = await listOf(database, { userId });
  return row?.memberships.map(membershipIn) ?? [];
}

/** The second steps that the next sign-in of a row of `users` can give: `gives` in SQL. */
const gives: Readonly<Record<SignInStep, RawBuilder<boolean>>> = {
  passkey: sql`exists (select from passkeys where passkeys.user_id = users.id)`,
  app: sql`(users.mfa_enabled
    and exists (select from authenticator_apps where authenticator_apps.user_id = users.id))`,
  mail: sql`users.mfa_enabled`,
};
/** Whether it can meet a rule: `isReady` in SQL, to count members. The rule may be the value of a prepared query. */
export const isReadyFor = (rule: Exclude<SecondStepRule, 'none'>) => {
  const enough = SIGN_IN_STEPS.map((step) =>
    meets('strong', step) ? gives[step] : sql<boolean>`(${rule}::text = 'any' and ${gives[step]})`,
  );
  return sql<boolean>`(${sql.join(enough, sql` or `)})`;
};

export type Visit = { readonly sessionId: SessionId | null; readonly now: Date };
/** Why a session may not enter one of these organizations of its person now. */
export async function whyNoEntryTo(database: Db, { sessionId, now }: Visit, orgIds: readonly OrgId[]) {
  const { session, memberships } = await findFacts(database, sessionId);
  const asked = memberships.filter(({ orgId }) => orgIds.includes(orgId));
  return asked.map((one) => whyNoEntry(one, session, now)).find((reason) => reason !== undefined);
}

/** The organizations of the person that a session may enter now, and those that it may not. */
export const findOrganizations = async (database: Db, { sessionId, now }: Visit) =>
  sortOrganizations(await findFacts(database, sessionId), now);
