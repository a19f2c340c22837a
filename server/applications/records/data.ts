import { sql } from 'kysely';
import type { ApplicationId, GrantId } from '#contract/applications/registration.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import {
  type ClientRow,
  clientRows,
  grantedScopes,
  type PersonRow,
  personRow,
} from '#server/applications/clients/data-rows.ts';
import { changing, type Db, type Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';
import { isRuleMet } from '#server/sessions/entry/data.ts';
import { holdsAt } from '#server/sessions/entry/data.ts';
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

/** The person behind a token, for their claims, and its client. */
type Holder = { readonly person: PersonRow | null; readonly client: ClientRow | null };

/** The look-ups of one request. */
export type Search = {
  readonly clientIds: readonly string[];
  /** The hashes of credentials, which may be of any kind. */
  readonly hashes: readonly string[];
  /** Whether to find the holder of each record as well. */
  readonly withHolder: boolean;
};
export type Findings = {
  readonly clients: ReadonlyMap<string, ClientRow>;
  /** By kind and hash, see `recordKey`. */
  readonly records: ReadonlyMap<string, StoredRecord & Holder>;
};

type Searched = {
  readonly clientIds: readonly string[];
  readonly hashes: readonly string[];
  readonly withHolder: readonly boolean[];
  readonly now: Date;
  readonly idle: Date;
  readonly oldest: Date;
};
type Row = StoredRecord & Holder & { readonly kind: string; readonly key: string };
const CLIENT = 'Client';
/** Clients and records. A record is left out if it or something that it depends on has ended. */
const rowsOf = prepared(
  (database, { clientIds, hashes, withHolder, now, idle, oldest }: Searched) => sql<Row>`
    select record.kind, wanted.hash as key, record.payload, record.consumed_at as "consumedAt", record.expires_at as "expiresAt",
      record.family, record.application_id as "applicationId", record.session_id as "sessionId", record.grant_id as "grantId",
      applications.client_id as "clientId", allowed.user_id as "userId", allowed.org_id as "orgId", subjects.subject,
      ${grantedScopes('allowed')} as scopes, applications.apis,
      case when wanted.with_holder then (select to_jsonb(row) from (
        ${personRow(sql.ref('allowed.user_id'), sql.ref('allowed.org_id'))}) as row) end as person,
      case when wanted.with_holder then (select to_jsonb(row) from (
        ${clientRows(database).where('applications.id', '=', sql<ApplicationId>`record.application_id`)}) as row) end as client
    from unnest(${hidden(hashes, 'text[]')}, ${hidden(withHolder, 'boolean[]')}) as wanted(hash, with_holder)
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
        and (applications.members_of is null or coalesce(nullif(applications.members_of, 0), allowed.org_id) = allowed.org_id)
        and (allowed.org_id is null or exists (select from memberships
          join organizations on organizations.id = memberships.org_id and ${isRuleMet(now)}
          where memberships.user_id = allowed.user_id and memberships.org_id = allowed.org_id
            and memberships.status = ${sql.lit(MEMBER_STATUS.active)}
            and (applications.is_for_everyone or exists (select from application_roles
              where application_roles.application_id = applications.id
                and application_roles.role_id = memberships.role_id))))))
    union all
    select ${sql.lit(CLIENT)}, row.client_id, null, null, null, null, null, null, null, null, null, null, null, null, null,
      null, to_jsonb(row)
    from (${clientRows(database)
      .where('paused_at', 'is', null)
      .where('client_id', '=', sql<string>`any(${hidden(clientIds, 'text[]')})`)}) as row`,
);

const keyOf = (kind: string, hash: string) => `${kind} ${hash}`;

export const hashOf = (id: string) => sha256(id).toString('hex');

/** The key of a credential in `Findings`. */
export const recordKey = (kind: string, id: string) => keyOf(kind, hashOf(id));

/** Searches together for live clients and records. A record has ended with its session, person, membership or application. */
export async function search(
  { sql: database, clock, config }: Deps,
  searches: readonly Search[],
): Promise<Findings> {
  // Two requests with one credential may race.
  const holders = new Map<string, boolean>();
  for (const { hashes, withHolder } of searches)
    for (const hash of hashes) holders.set(hash, withHolder || holders.get(hash) === true);
  const rows = await rowsOf(database, {
    clientIds: [...new Set(searches.flatMap(({ clientIds }) => clientIds))],
    hashes: [...holders.keys()],
    withHolder: [...holders.values()],
    now: clock.now(),
    idle: fromNow(clock, -config.sessionIdleHours * HOUR_MS),
    oldest: fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS),
  });
  return {
    clients: new Map(rows.flatMap(({ client }) => (client ? [[client.client_id, client]] : []))),
    records: new Map(rows.map(({ kind, key, ...record }) => [keyOf(kind, key), record])),
  };
}

/** A live record by its credential. */
export async function findRecord(deps: Deps, kind: string, id: string): Promise<StoredRecord | undefined> {
  const { records } = await search(deps, [{ clientIds: [], hashes: [hashOf(id)], withHolder: false }]);
  return records.get(recordKey(kind, id));
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
/** A credential that works once. */
type Use = { readonly kind: string; readonly id: string };

/** A session that has entered an application. The application is notified when the session ends. */
export type SignIn = {
  readonly sessionId: SessionId;
  readonly applicationId: ApplicationId;
  readonly userId: UserId;
  readonly orgId: OrgId | null;
  readonly grantId: GrantId;
  readonly sid: string;
  readonly subject: string;
};

/** The writes of one request. */
export type Changes = {
  readonly records: readonly NewRecord[];
  readonly use?: Use | undefined;
  readonly signIn?: SignIn | undefined;
};
type Written = Nullable<SignIn> & {
  readonly rows: string;
  readonly clientIds: readonly string[];
  readonly sessionIds: readonly (SessionId | null)[];
  readonly grantIds: readonly (GrantId | null)[];
  readonly usedKind: string | null;
  readonly usedHash: string | null;
  readonly unusedSince: Date;
  readonly now: Date;
};
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
/**
 * Locks a session or grant before its records, as the calls that end them do. Adds no record if another request has
 * used the credential, or the application was paused meanwhile.
 */
const writeStatement = prepared(
  (_, at: Written) => sql<{ isGood: boolean }>`
    with clients as materialized (
      select id, client_id from applications
      where client_id = any(${hidden(at.clientIds, 'text[]')}) and paused_at is null for key share
    ), held as materialized (
      select from sessions
      where id = any(${hidden(at.sessionIds, 'bigint[]')}) and (select count(*) from clients) >= 0 for key share
    ), allowed as materialized (
      select from application_grants
      where id = any(${hidden(at.grantIds, 'bigint[]')}) and (select count(*) from held) >= 0 for key share
    ), used as (
      update provider_records set consumed_at = coalesce(consumed_at, ${at.now}::timestamptz)
      where (select count(*) from allowed) >= 0 and kind = ${at.usedKind} and id_hash = decode(${at.usedHash}, 'hex')
        and (consumed_at is null or consumed_at > ${at.unusedSince})
      returning 1
    ), outcome as materialized (
      select (${at.usedKind}::text is null or exists (select from used)) and (select count(*) from allowed) >= 0
        and (select count(*) from clients) = cardinality(${hidden(at.clientIds, 'text[]')}) as is_good
    ), put as (
      insert into provider_records (kind, id_hash, application_id, session_id, grant_id, family, payload, expires_at)
      select kind, decode(hash, 'hex'), (select id from clients where client_id = row."clientId"),
        "sessionId", "grantId", family, payload, "expiresAt"
      from jsonb_to_recordset(${at.rows}::jsonb) as row(kind text, hash text, "clientId" text, "sessionId" bigint,
        "grantId" bigint, family text, payload jsonb, "expiresAt" timestamptz)
      where (select is_good from outcome)
      on conflict (id_hash, kind) do update set
        session_id = excluded.session_id, payload = excluded.payload, expires_at = excluded.expires_at
    ), visited as (
      update application_grants set last_used_at = ${at.now} where id = ${at.grantId} and (select is_good from outcome)
    ), entered as (
      insert into application_sign_ins (session_id, application_id, user_id, org_id, sid, subject, signed_in_at)
      select ${at.sessionId}::bigint, ${at.applicationId}::bigint, ${at.userId}::bigint, ${at.orgId}::bigint,
        ${at.sid}::text, ${at.subject}::text, ${at.now}::timestamptz
      where ${at.sessionId}::bigint is not null and (select is_good from outcome)
      on conflict (session_id, application_id) do update set
        org_id = excluded.org_id, sid = excluded.sid, subject = excluded.subject, signed_in_at = excluded.signed_in_at
    )
    select is_good as "isGood" from outcome`,
);

const nobody: Nullable<SignIn> = {
  sessionId: null,
  applicationId: null,
  userId: null,
  orgId: null,
  grantId: null,
  sid: null,
  subject: null,
};
const distinct = <T>(values: readonly (T | null)[]) => [...new Set(values)].filter((value) => value !== null);

/**
 * Writes a request's changes in one statement; false if another request has used its credential. Of two concurrent
 * uses one wins. A refresh token may be used again within the grace time.
 */
export async function writeChanges(database: Db, changes: Changes, now: Date): Promise<boolean> {
  const { records, use, signIn } = changes;
  const [row] = await writeStatement(database, {
    ...(signIn ?? nobody),
    rows: JSON.stringify(records.map(({ id, ...row }) => ({ ...row, hash: hashOf(id) }))),
    clientIds: distinct(records.map(({ clientId }) => clientId)),
    sessionIds: distinct(records.map(({ sessionId }) => sessionId)),
    grantIds: distinct(records.map(({ grantId }) => grantId)),
    usedKind: use?.kind ?? null,
    usedHash: use ? hashOf(use.id) : null,
    unusedSince: use?.kind === 'RefreshToken' ? new Date(now.getTime() - GRACE_MS) : now,
    now,
  });
  return row?.isGood === true;
}

/** Writes a record under the hash of its credential. */
export const putRecord = ({ sql: database, clock }: Deps, record: NewRecord) =>
  writeChanges(changing(database), { records: [record] }, clock.now());

/** Whether a record counts as used: a refresh token only after the grace time. */
export const isConsumed = ({ consumedAt }: StoredRecord, kind: string, now: Date) =>
  consumedAt !== null && (kind !== 'RefreshToken' || now.getTime() - consumedAt.getTime() >= GRACE_MS);

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

/** Deletes a record; returns whether it was there. */
export async function deleteRecord(tx: Db, kind: string, id: string): Promise<boolean> {
  const records = tx.deleteFrom('provider_records').where('kind', '=', kind);
  return (await records.where('id_hash', '=', sha256(id)).executeTakeFirst()).numDeletedRows > 0n;
}

/** Deletes all records of one authorization in one statement. */
export async function deleteFamily(tx: Db, family: string): Promise<void> {
  await tx.deleteFrom('provider_records').where('family', '=', family).execute();
}

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
