import { sql } from 'kysely';
import type { GrantId } from '#contract/applications/registration.ts';
import type { OrgId, SessionId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import { changing, type Tx, transaction } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import { hasRole, type MemberWithRole, ownedBy } from './data-grants.ts';
import { factsIn, membershipsOf, sessionJson } from '#server/access/data.ts';
import { demands, type Facts } from '#server/access/rules.ts';
import { mayAct } from '#server/accounts/data-restrictions.ts';
import { isOpen, type Limits, limitsNow } from '#server/sessions/data-limits.ts';

/** A lost answer or a second tab may use a rotated refresh token again for this long. */
const GRACE_MS = 10 * SECOND_MS;

type Key = { readonly kind: string; readonly hash: Buffer };
type StoredRecord = {
  readonly payload: Record<string, unknown>;
  readonly consumedAt: Date | null;
  readonly sessionId: SessionId | null;
};
/** The facts that decide whether a grant still holds. Without one, `grantId` is null. */
type Granted = Facts<MemberWithRole> &
  Record<'ownedBy' | 'orgId', OrgId | null> & { readonly grantId: GrantId | null };
const recordOf = prepared(
  (_, { kind, hash, now, idle, oldest }: Key & Limits & { readonly now: Date }) => sql<
    StoredRecord & Granted
  >`
    select payload, consumed_at as "consumedAt", record.session_id as "sessionId", allowed.id as "grantId",
      allowed.org_id as "orgId", ${ownedBy} as "ownedBy", ${sessionJson()} as session,
      users.mfa_enabled as "isTwoStepOn",
      ${membershipsOf(sql`allowed.user_id`, {
        which: sql`(memberships.org_id = allowed.org_id or sessions.proven <> 'account')`,
        more: { hasRole },
      })} as memberships
    from provider_records record
    left join applications on applications.id = record.application_id
    left join sessions on sessions.id = record.session_id
    left join application_grants allowed on allowed.id = record.grant_id
    left join users on users.id = sessions.user_id
    where record.kind = ${kind} and id_hash = ${hash} and expires_at > ${now}
      and (record.application_id is null or paused_at is null)
      and (record.session_id is null or ${isOpen({ idle, oldest })})
      and (allowed.id is null or (
        ${mayAct(sql.ref('allowed.user_id'), now)}
        and (members_of is null or coalesce(nullif(members_of, 0), allowed.org_id) = allowed.org_id)))`,
);

/** Whether the person may still be in the application, for the organization of the grant. */
function holds({ orgId, ownedBy: owner, ...row }: Granted, now: Date) {
  const facts = factsIn(row);
  if (demands(facts, { at: 'application', ownedBy: owner, orgId }, now).length > 0) return false;
  const membership = facts.memberships.find((one) => one.orgId === orgId);
  return orgId === null || (membership?.isActive === true && membership.hasRole);
}

/** A live record by its credential. It ends with its session, person, membership or application. */
export async function findRecord(deps: Deps, kind: string, id: string) {
  const now = deps.clock.now();
  const [row] = await recordOf(deps.sql, { kind, hash: sha256(id), now, ...limitsNow(deps) });
  if (!row || (row.grantId !== null && !holds(row, now))) return undefined;
  const { payload, consumedAt, sessionId } = row;
  return {
    payload,
    consumedAt,
    sessionId,
    isConsumed: consumedAt !== null && consumedAt <= usedBefore(kind, now),
  };
}

/** A use up to this moment forbids another one. */
const usedBefore = (kind: string, now: Date) =>
  new Date(now.getTime() - (kind === 'RefreshToken' ? GRACE_MS : 0));

type NewRecord = {
  readonly kind: string;
  readonly id: string;
  readonly clientId?: string | undefined;
  readonly sessionId?: SessionId | undefined;
  /** The grant and the family of a token. */
  readonly grantId?: GrantId | undefined;
  readonly family?: string | undefined;
  readonly payload: object;
  readonly expiresAt: Date;
};
const valuesOf = ({ id, payload, ...record }: NewRecord) => ({
  ...record,
  hash: sha256(id),
  payload: JSON.stringify(payload),
});
type Values = ReturnType<typeof valuesOf>;

/** Locks application, grant, session in this order, as the calls that end them do; then its family (`deleteFamily`). */
const recordInsertion = prepared(
  (_, { kind, hash, clientId, sessionId, grantId, family, payload, expiresAt }: Values) => sql<object>`
    with asking as materialized (
      select id from applications where client_id = ${clientId}::text and paused_at is null for key share
    ), allowed as materialized (
      select from application_grants
      where id = ${grantId}::bigint and (select count(*) from asking) >= 0 for key share
    ), held as materialized (
      select from sessions where id = ${sessionId}::bigint and (select count(*) from allowed) >= 0 for key share
    ), relatives as materialized (
      select from provider_records
      where family = ${family}::text and (select count(*) from held) >= 0 limit 1 for key share
    )
    insert into provider_records (kind, id_hash, application_id, session_id, grant_id, family, payload, expires_at)
    select ${kind}, ${hash}::bytea, (select id from asking), ${sessionId}::bigint, ${grantId}::bigint, ${family}::text,
      ${payload}::jsonb, ${expiresAt}::timestamptz
    where (${clientId}::text is null or exists (select from asking))
      and (${grantId}::bigint is null or exists (select from allowed))
      and (${sessionId}::bigint is null or exists (select from held))
      and (${family}::text is null or exists (select from relatives))
    on conflict do nothing
    returning true as "isWritten"`,
);

/** Stores a record under the hash of its credential; false if its application, grant, session or family has ended, or it exists. */
export const insertRecord = async ({ sql: database }: Deps, record: NewRecord): Promise<boolean> =>
  (await recordInsertion(changing(database), valuesOf(record))).length > 0;

/** The session that enters an application. The application is notified when the session ends. */
type SignIn = { readonly sid: string; readonly subject: string; readonly now: Date };
/** Locks in the order of `recordInsertion`. If two tabs enter at once, the `sid` of the first one counts. */
const codeInsertion = prepared(
  (_, code: Values & SignIn) => sql<object>`
    with held as materialized (
      select applications.id as application_id, sessions.id as session_id, allowed.id as grant_id,
        allowed.user_id, allowed.org_id
      from applications, application_grants allowed, sessions
      where client_id = ${code.clientId} and paused_at is null and sessions.id = ${code.sessionId}
        and allowed.id = ${code.grantId}
      for key share
    ), visited as (
      update application_grants set last_used_at = ${code.now} where id = (select grant_id from held)
    ), entered as (
      insert into application_sign_ins (session_id, application_id, user_id, org_id, sid, subject, signed_in_at)
      select session_id, application_id, user_id, org_id, ${code.sid}, ${code.subject}, ${code.now}::timestamptz from held
      on conflict (session_id, application_id) do update set
        org_id = excluded.org_id, subject = excluded.subject, signed_in_at = excluded.signed_in_at
      returning sid
    ), named as (
      select sid, grant_id || '.' || sid as family from held, entered
    )
    insert into provider_records (kind, id_hash, application_id, session_id, grant_id, family, payload, expires_at)
    select ${code.kind}, ${code.hash}::bytea, application_id, session_id, grant_id, family,
      ${code.payload}::jsonb || jsonb_build_object('sid', sid, 'grantId', family), ${code.expiresAt}::timestamptz
    from held, named
    returning true as "isWritten"`,
);

/** Stores a code with the sign-in of its session; false if the application, the session or the grant has ended. */
export const insertCode = async (
  { sql: database }: Deps,
  code: NewRecord,
  signIn: SignIn,
): Promise<boolean> => (await codeInsertion(changing(database), { ...valuesOf(code), ...signIn })).length > 0;

/** Of two concurrent uses one wins; a refresh token may be used again within the grace time. False for the others. */
export async function consumeRecord({ sql: database, clock }: Deps, kind: string, id: string) {
  const now = clock.now();
  const rows = await changing(database)
    .updateTable('provider_records')
    .set((row) => ({ consumed_at: row.fn.coalesce('consumed_at', row.val(now)) }))
    .where('kind', '=', kind)
    .where('id_hash', '=', sha256(id))
    .where((row) => row.or([row('consumed_at', 'is', null), row('consumed_at', '>', usedBefore(kind, now))]))
    .returning('kind')
    .execute();
  return rows.length > 0;
}

/** Adds answers to an open authorization request; false if it is gone. */
export async function answerRequest(tx: Tx, id: string, result: object): Promise<boolean> {
  const update = await tx
    .updateTable('provider_records')
    .set({ payload: sql`payload || jsonb_build_object('result', ${JSON.stringify(result)}::jsonb)` })
    .where('kind', '=', 'Interaction')
    .where('id_hash', '=', sha256(id))
    .executeTakeFirst();
  return update.numUpdatedRows > 0n;
}

export async function deleteRecord({ sql: database }: Deps, kind: string, id: string): Promise<boolean> {
  const records = changing(database).deleteFrom('provider_records').where('kind', '=', kind);
  return (await records.where('id_hash', '=', sha256(id)).executeTakeFirst()).numDeletedRows > 0n;
}

/** Deletes all records of one authorization, also those that another request inserts right now. */
export const deleteFamily = ({ sql: database }: Deps, family: string) =>
  transaction(database, async (tx) => {
    const records = tx.selectFrom('provider_records').where('family', '=', family);
    await records.select('kind').orderBy('id_hash').forUpdate().execute();
    await tx.deleteFrom('provider_records').where('family', '=', family).execute();
  });

const SWEPT_AT_ONCE = 10_000;
export async function sweepRecords({ sql: database, clock }: Deps) {
  for (;;) {
    const { rows } = await sql`
      delete from provider_records where ctid = any (array(
        select ctid from provider_records where expires_at <= ${clock.now()} limit ${SWEPT_AT_ONCE}))
      returning 1`.execute(database);
    if (rows.length < SWEPT_AT_ONCE) return;
  }
}
