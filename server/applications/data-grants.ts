// The queries that decide how a person enters an application, and the consents that people gave to applications.
import { sql } from 'kysely';
import type { ApplicationId, GrantId } from '#contract/applications/registration.ts';
import type { ProvenStep } from '#contract/organizations/second-step-rule.ts';
import type { OrgId, UserId, SessionId } from '#contract/wire.ts';
import { ICON_PATH } from './rules.ts';
import { factsIn, membershipsOf, sessionJson } from '#server/access/data.ts';
import type { Membership } from '#contract/access/facts.ts';
import { demands, type Facts, whyNoEntry } from '#server/access/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Method } from '#server/db/tables.ts';

/** An organization's own application once got phone numbers without a question, so they count only since the consent. */
export const grantedScopes = (grant: 'allowed' | 'application_grants') => {
  const [scopes, consentedAt] = [sql.ref<string[]>(`${grant}.scopes`), sql.ref(`${grant}.consented_at`)];
  return sql<string[]>`case when applications.org_id is not null and ${consentedAt} is null
    then array_remove(${scopes}, 'phone') else ${scopes} end`;
};

type Visit = { readonly userId: UserId; readonly applicationId: ApplicationId };
type VisitInSession = Visit & { readonly sessionId: SessionId; readonly now: Date };
type Viewer = { readonly userId: UserId; readonly open: readonly OrgId[]; readonly isWhole: boolean };

/** All that decides how a person enters an application, in one row. */
export type Access = {
  readonly subject: string | null;
  readonly methods: readonly Method[];
  readonly secondStep: ProvenStep | null;
  /** Only a company has vouched for the person, and not for this application. */
  readonly needsAccount: boolean;
  /** The organizations in which the person is active, the default one first. */
  readonly organizations: readonly Organization[];
  readonly grants: readonly Grant[];
  /** How this session entered the application before. */
  readonly entry: { readonly orgId: OrgId | null; readonly sid: string } | null;
};
export type Organization = {
  readonly id: OrgId;
  readonly name: string;
  readonly urlName: string;
  /** Whether the person's role and second step there let them enter this application. */
  readonly mayEnter: boolean;
  /** The other step that is missing. The proof of an account is asked for before. */
  readonly needs: 'company' | 'second-step' | null;
};
export type Grant = {
  readonly id: GrantId;
  readonly orgId: OrgId | null;
  readonly scopes: readonly string[];
  readonly isRemembered: boolean;
};

/** The organization whose own application a row of `applications` is, or whose members alone it admits. */
export const ownedBy = sql<OrgId | null>`coalesce(applications.org_id, nullif(applications.members_of, 0))`;

/** Whether the role of a row of `memberships` lets people enter a row of `applications`. */
export const hasRole = sql<boolean>`(applications.is_for_everyone or exists (select from application_roles
  where application_roles.application_id = applications.id and application_roles.role_id = memberships.role_id))`;
export type MemberWithRole = Membership & { readonly hasRole: boolean };

type AccessRow = Omit<Access, 'needsAccount' | 'secondStep' | 'organizations'> &
  Facts<MemberWithRole> & { readonly ownedBy: OrgId | null };
const accessOf = prepared(
  (_, { userId, applicationId, sessionId }: Omit<VisitInSession, 'now'>) => sql<AccessRow>`
    select
      (select subject from subjects where user_id = ${userId}) as subject,
      sessions.methods, ${sessionJson()} as session, users.mfa_enabled as "isTwoStepOn", ${ownedBy} as "ownedBy",
      ${membershipsOf(sql`${userId}::bigint`, { more: { hasRole } })} as memberships,
      coalesce((
        select json_agg(json_build_object('id', application_grants.id, 'orgId', application_grants.org_id,
          'scopes', ${grantedScopes('application_grants')}, 'isRemembered', is_remembered)
          order by application_grants.last_used_at desc)
        from application_grants where user_id = ${userId} and application_id = applications.id
      ), '[]') as grants,
      (select json_build_object('orgId', application_sign_ins.org_id, 'sid', sid) from application_sign_ins
        where session_id = sessions.id and application_id = applications.id) as entry
    from applications left join sessions on sessions.id = ${sessionId} left join users on users.id = sessions.user_id
    where applications.id = ${applicationId}`,
);

export async function findAccess(database: Db, { now, ...visit }: VisitInSession): Promise<Access> {
  const [row] = await accessOf(database, visit);
  if (!row) throw new Error('the application of a visit has one row');
  const { subject, methods, grants, entry } = row;
  const facts = factsIn(row);
  const place = { at: 'application', ownedBy: row.ownedBy, orgId: null } as const;
  const organizations = facts.memberships
    .filter(({ isActive }) => isActive)
    .map((one) => {
      const reason = whyNoEntry(one, facts.session, now);
      const missing = reason === 'company_sign_in_required' ? ('company' as const) : ('second-step' as const);
      return {
        id: one.orgId,
        name: one.organization,
        urlName: one.urlName,
        mayEnter: one.hasRole && reason === undefined,
        needs: one.hasRole && reason !== undefined ? missing : null,
      };
    });
  return {
    subject,
    methods,
    secondStep: facts.session?.secondStep ?? null,
    needsAccount: demands(facts, place, now).includes('account'),
    organizations,
    grants,
    entry,
  };
}

/** The person's subject id for applications, made at the first visit. */
export async function makeSubject(tx: Tx, userId: UserId): Promise<string> {
  const row = await tx
    .insertInto('subjects')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning('subject')
    .executeTakeFirstOrThrow();
  return row.subject;
}

type AllowedRow = Pick<Grant, 'scopes'> & {
  readonly subject: string;
  readonly clientId: string;
  readonly apis: readonly string[];
};
const allowedBy = prepared(
  (_, { id }: { readonly id: GrantId }) => sql<AllowedRow>`
    select subject, client_id as "clientId", ${grantedScopes('application_grants')} as scopes, apis
    from application_grants join applications on applications.id = application_id join subjects using (user_id)
    where application_grants.id = ${id}`,
);

export async function findAllowed(database: Db, id: GrantId): Promise<AllowedRow | undefined> {
  const [row] = await allowedBy(database, { id });
  return row;
}

export type NewGrant = Visit & {
  readonly orgId: OrgId | null;
  readonly scopes: readonly string[];
  readonly now: Date;
  readonly consented: boolean;
  readonly remember: boolean;
};
/** The former scopes; null for a new grant. */
type ChangedGrant = Grant & { readonly before: readonly string[] | null };

/** Adds scopes to what a person allows an application in one organization. The account must be locked. */
export async function upsertGrant(tx: Tx, grant: NewGrant): Promise<ChangedGrant> {
  const { userId, applicationId, orgId, scopes, now, consented, remember } = grant;
  if (remember)
    await tx
      .updateTable('application_grants')
      .set({ is_remembered: false })
      .where('user_id', '=', userId)
      .where('application_id', '=', applicationId)
      .execute();
  const { rows } = await sql<ChangedGrant>`
    with earlier as (
      select scopes from application_grants
      where user_id = ${userId} and application_id = ${applicationId} and org_id is not distinct from ${orgId}::bigint
    )
    insert into application_grants (user_id, application_id, org_id, scopes, is_remembered, consented_at, created_at, last_used_at)
    values (${userId}, ${applicationId}, ${orgId}, ${scopes}, ${remember}, ${consented ? now : null}, ${now}, ${now})
    on conflict (user_id, application_id, coalesce(org_id, 0)) do update set
      scopes = array(select distinct unnest(application_grants.scopes || excluded.scopes)),
      is_remembered = application_grants.is_remembered or excluded.is_remembered,
      consented_at = coalesce(excluded.consented_at, application_grants.consented_at),
      last_used_at = excluded.last_used_at
    returning id, org_id as "orgId", scopes, is_remembered as "isRemembered",
      (select scopes from earlier) as before`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the grant was not written');
  return row;
}

export type ConnectedRow = {
  readonly id: GrantId;
  readonly applicationId: ApplicationId;
  readonly name: string;
  readonly icon: string | null;
  readonly orgId: OrgId | null;
  readonly organization: string | null;
  readonly isFirstParty: boolean;
  readonly isOwn: boolean;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastUsed: Date;
};

/** The grants of a person for themselves and for organizations that the session may enter, the last used one first. */
export const listGrants = (database: Db, viewer: Viewer): Promise<ConnectedRow[]> =>
  database
    .selectFrom('application_grants')
    .innerJoin('applications', 'applications.id', 'application_id')
    .leftJoin('organizations', 'organizations.id', 'application_grants.org_id')
    .select(['application_grants.id', 'application_id as applicationId', 'applications.name'])
    .select(['application_grants.org_id as orgId', 'organizations.name as organization'])
    .select(['is_first_party as isFirstParty', 'application_grants.created_at as since'])
    .select(grantedScopes('application_grants').as('scopes'))
    .select(sql<boolean>`applications.org_id is not null`.as('isOwn'))
    .select('application_grants.last_used_at as lastUsed')
    .select(
      sql<string | null>`(select ${sql.lit(ICON_PATH)} || file_id
        from application_icons where application_icons.application_id = applications.id)`.as('icon'),
    )
    .where('user_id', '=', viewer.userId)
    .where(
      sql<boolean>`(${viewer.isWhole}
        or coalesce(application_grants.org_id, applications.org_id) = any(${viewer.open}::bigint[]))`,
    )
    .where((row) =>
      row.or([
        row('application_grants.org_id', 'is', null),
        row('application_grants.org_id', '=', sql<OrgId>`any(${viewer.open}::bigint[])`),
      ]),
    )
    .orderBy('application_grants.last_used_at', 'desc')
    .orderBy('application_grants.id', 'desc')
    .execute();

export async function isSidOf(
  database: Db,
  { sessionId }: { readonly sessionId: SessionId },
  clientId: string,
  sid: string,
): Promise<boolean> {
  const signIns = database.selectFrom('application_sign_ins').select('sid').where('sid', '=', sid);
  const applications = database.selectFrom('applications').select('id').where('client_id', '=', clientId);
  const row = await signIns
    .where('session_id', '=', sessionId)
    .where('application_id', 'in', applications)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a grant, with everything that the application got for it. */
export const deleteGrant = (tx: Tx, id: GrantId) =>
  tx.deleteFrom('application_grants').where('id', '=', id).execute();
/** Deletes a person's sign-ins to an application for one organization; returns those that need a logout token. */
export async function takeSignIns(tx: Tx, userId: UserId, at: Pick<ConnectedRow, 'applicationId' | 'orgId'>) {
  const { rows } = await sql<{ readonly sid: string; readonly subject: string }>`
    with taken as (
      delete from application_sign_ins
      where user_id = ${userId} and application_id = ${at.applicationId}
        and org_id is not distinct from ${at.orgId}::bigint
      returning application_id, sid, subject
    )
    select sid, subject from taken join applications on applications.id = taken.application_id
    where sign_out_url is not null`.execute(tx);
  return rows;
}
