import { sql } from 'kysely';
import type { ApplicationId, GrantId } from '#contract/applications/registration.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import type { Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';
import { holdsAt } from '#server/db/restrictions.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';

/** A lost answer or a second tab may use a rotated refresh token again for this long. */
const GRACE_MS = 10 * SECOND_MS;

export type StoredRecord = {
  readonly payload: Record<string, unknown>;
  readonly consumedAt: Date | null;
  readonly expiresAt: Date;
  readonly family: string | null;
  readonly applicationId: ApplicationId | null;
  readonly sessionId: SessionId | null;
  readonly grantId: GrantId | null;
  readonly clientId: string | null;
  readonly userId: UserId | null;
  readonly orgId: OrgId | null;
  readonly subject: string | null;
  readonly scopes: readonly string[] | null;
  readonly apis: readonly string[] | null;
};

type Wanted = {
  readonly hashes: readonly string[];
  readonly now: Date;
  readonly idle: Date;
  readonly oldest: Date;
};
/** Records with everything they depend on, without those of which any has ended. */
const recordsOf = prepared(
  (_, { hashes, now, idle, oldest }: Wanted) => sql<StoredRecord & { kind: string; hash: string }>`
    select record.kind, wanted.hash, record.payload, record.consumed_at as "consumedAt", record.expires_at as "expiresAt", record.family,
      record.application_id as "applicationId", record.session_id as "sessionId", record.grant_id as "grantId",
      applications.client_id as "clientId", allowed.user_id as "userId", allowed.org_id as "orgId",
      subjects.subject, allowed.scopes, applications.apis
    from unnest(${hidden(hashes, 'text[]')}) as wanted(hash)
    join provider_records record on record.id_hash = decode(wanted.hash, 'hex')
    left join applications on applications.id = record.application_id
    left join sessions on sessions.id = record.session_id
    left join application_grants allowed on allowed.id = record.grant_id
    left join subjects on subjects.user_id = coalesce(allowed.user_id, sessions.user_id)
    where record.expires_at > ${now}
      and (record.application_id is null or applications.paused_at is null)
      and (record.session_id is null or (sessions.last_seen_at > ${idle} and sessions.created_at > ${oldest}))
      and (allowed.id is null or (
        not exists (select from account_deletions where user_id = allowed.user_id)
        and not exists (select from restrictions where restrictions.user_id = allowed.user_id
          and restrictions.cause = 'operator' and ${holdsAt(now)})
        and (allowed.org_id is null or exists (select from memberships
          where memberships.user_id = allowed.user_id and memberships.org_id = allowed.org_id
            and memberships.status = ${sql.lit(MEMBER_STATUS.active)}
            and (applications.is_for_everyone or exists (select from application_roles
              where application_roles.application_id = applications.id
                and application_roles.role_id = memberships.role_id))))))`,
);

const keyOf = (kind: string, hash: string) => `${kind} ${hash}`;

/** The key of a credential for `findRecords`. */
export const recordKey = (kind: string, id: string) => keyOf(kind, sha256(id).toString('hex'));

/** Live records by their keys. A record has ended with its session, person, membership or application. */
export async function findRecords({ sql: database, clock, config }: Deps, keys: readonly string[]) {
  const rows = await recordsOf(database, {
    // A search for one credential in several kinds takes one hash.
    hashes: [...new Set(keys.map((key) => key.slice(key.indexOf(' ') + 1)))],
    now: clock.now(),
    idle: fromNow(clock, -config.sessionIdleHours * HOUR_MS),
    oldest: fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS),
  });
  return new Map(rows.map(({ kind, hash, ...record }) => [keyOf(kind, hash), record]));
}

/** A live record by its credential. */
export async function findRecord(deps: Deps, kind: string, id: string): Promise<StoredRecord | undefined> {
  const key = recordKey(kind, id);
  return (await findRecords(deps, [key])).get(key);
}

export type NewRecord = {
  readonly kind: string;
  readonly id: string;
  readonly clientId: string | null;
  readonly sessionId: SessionId | null;
  readonly grantId: GrantId | null;
  readonly family: string | null;
  readonly payload: object;
  readonly expiresAt: Date;
};
const recordsPut = prepared(
  (_, { rows }: { readonly rows: string }) => sql<never>`
    insert into provider_records (kind, id_hash, application_id, session_id, grant_id, family, payload, expires_at)
    select kind, decode(hash, 'hex'), (select id from applications where client_id = row."clientId"),
      "sessionId", "grantId", family, payload, "expiresAt"
    from jsonb_to_recordset(${rows}::jsonb) as row(kind text, hash text, "clientId" text, "sessionId" bigint,
      "grantId" bigint, family text, payload jsonb, "expiresAt" timestamptz)
    on conflict (id_hash, kind) do update set
      session_id = excluded.session_id, payload = excluded.payload, expires_at = excluded.expires_at`,
);

/** Writes records under the hashes of their credentials. */
export const putRecords = (tx: Tx, records: readonly NewRecord[]) =>
  recordsPut(tx, {
    rows: JSON.stringify(records.map(({ id, ...row }) => ({ ...row, hash: sha256(id).toString('hex') }))),
  });

/** Writes a record under the hash of its credential. */
export const putRecord = (tx: Tx, record: NewRecord) => putRecords(tx, [record]);

/**
 * Marks a record as used in one statement, so that of two concurrent requests one wins; false for the other. A
 * refresh token may be used again within the grace time.
 */
export async function consumeRecord(tx: Tx, kind: string, id: string, now: Date): Promise<boolean> {
  const since = kind === 'RefreshToken' ? new Date(now.getTime() - GRACE_MS) : now;
  const result = await tx
    .updateTable('provider_records')
    .set({ consumed_at: sql<Date>`coalesce(consumed_at, ${now}::timestamptz)` })
    .where('kind', '=', kind)
    .where('id_hash', '=', sha256(id))
    .where((row) => row.or([row('consumed_at', 'is', null), row('consumed_at', '>', since)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Whether a record counts as used: a refresh token only after the grace time. */
export const isConsumed = ({ consumedAt }: StoredRecord, kind: string, now: Date) =>
  consumedAt !== null && (kind !== 'RefreshToken' || now.getTime() - consumedAt.getTime() >= GRACE_MS);

/** An open request to sign out, tied to the session that it would end. */
export type SignOutRequest = { readonly clientId: string | null; readonly url: string };

/** Adds answers to an open authorization request; false if it is gone. */
export async function answerRequest(tx: Tx, id: string, result: object): Promise<boolean> {
  const written = await tx
    .updateTable('provider_records')
    .set({ payload: sql`payload || jsonb_build_object('result', ${JSON.stringify(result)}::jsonb)` })
    .where('kind', '=', 'Interaction')
    .where('id_hash', '=', sha256(id))
    .executeTakeFirst();
  return written.numUpdatedRows > 0n;
}

export const deleteRecord = (tx: Tx, kind: string, id: string) =>
  tx.deleteFrom('provider_records').where('kind', '=', kind).where('id_hash', '=', sha256(id)).execute();

/** Ends everything that came of one authorization, in one statement. */
export const deleteFamily = (tx: Tx, family: string) =>
  tx.deleteFrom('provider_records').where('family', '=', family).execute();

const SWEPT_AT_ONCE = 10_000;
/** Deletes expired records in batches. */
export async function sweepRecords({ sql: database, clock }: Deps) {
  for (;;) {
    const { rows } = await sql`
      delete from provider_records where ctid = any (array(
        select ctid from provider_records where expires_at <= ${clock.now()} limit ${SWEPT_AT_ONCE}))
      returning 1`.execute(database);
    if (rows.length < SWEPT_AT_ONCE) return;
  }
}

type SignIn = {
  readonly sessionId: SessionId;
  readonly applicationId: ApplicationId;
  readonly userId: UserId;
  readonly orgId: OrgId | null;
  readonly grantId: GrantId;
  readonly sid: string;
  readonly subject: string;
  readonly now: Date;
};
/** Notes that a session has entered an application, which is told when the session ends. */
export const noteSignIn = prepared(
  (_, at: SignIn) => sql<never>`
    with used as (
      update application_grants set last_used_at = ${at.now} where id = ${at.grantId}
    )
    insert into application_sign_ins (session_id, application_id, user_id, org_id, sid, subject, signed_in_at)
    values (${at.sessionId}, ${at.applicationId}, ${at.userId}, ${at.orgId}, ${at.sid}, ${at.subject}, ${at.now})
    on conflict (session_id, application_id) do update set
      org_id = excluded.org_id, sid = excluded.sid, subject = excluded.subject, signed_in_at = excluded.signed_in_at`,
);
