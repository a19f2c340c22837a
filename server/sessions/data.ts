// The rows of sessions. Each request looks its caller up here, so this query is the most frequent one.
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hiddenValue, prepared } from '#server/db/prepared.ts';
import { columnsOf, findFacts, sessionFacts } from '#server/access/data.ts';
import { type Way, type WaysIn, withProof } from '#server/access/proofs/rules.ts';
import { isAccountProven } from '#server/access/rules.ts';
import { mayAct } from '#server/accounts/data-restrictions.ts';
import { isOpen, type Limits, limitsNow } from './data-limits.ts';
import type { Method, NewRow } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { noteLocked } from '#server/origin.ts';
import { wake, wakeAfterCommit } from '#server/waking.ts';

/** A visit to a company's provider, which may vouch for its organization only. */
export type Entry = { readonly orgId: OrgId; readonly hasStep: boolean; readonly provesAccount: boolean };

/** Adds a session in place of `replaced`. Ends and returns the least recently used ones beyond `most`. */
export async function insertSession(
  tx: Tx,
  session: NewRow<'sessions'>,
  replaced: SessionId | null,
  most: number,
) {
  const rows = await insertSessionRow(tx, { ...session, replaced, others: most - 1 });
  const [{ sessionId } = {}] = rows;
  if (sessionId === undefined) throw new Error('the session was not added');
  const ended = rows.flatMap((row) => (row.id === null ? [] : (row as SessionRow)));
  if (replaced !== null || ended.length > 0) wakeAfterCommit(tx);
  return { sessionId, ended };
}

type NewSession = NewRow<'sessions'> & { readonly replaced: SessionId | null; readonly others: number };
const insertSessionRow = prepared((tx, { replaced, others, ...session }: NewSession) => {
  const beyond = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', session.user_id)
    .where('id', 'is distinct from', replaced)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(others);
  const insertion = tx.insertInto('sessions').values(session).returning('id as sessionId');
  return tx
    .with('replaced', (query) => query.deleteFrom('sessions').where('id', '=', replaced))
    .with('added', () => insertion)
    .with('ended', (query) =>
      query.deleteFrom('sessions').where('id', 'in', beyond).returning(sessionColumns),
    )
    .selectFrom('added')
    .leftJoin('ended', (join) => join.onTrue())
    .selectAll();
});

const sessionColumns = [
  'id',
  'ip_address as ipAddress',
  'user_agent as userAgent',
  'location',
  'device_hash as deviceHash',
] as const;

type SessionRow = Awaited<ReturnType<typeof listSessions>>[number];
/** A time in milliseconds, because the driver parses a number much faster than a date. */
const inMs = (time: `sessions.${'last_seen_at' | 'created_at' | 'authenticated_at'}`) =>
  sql<number>`(extract(epoch from ${sql.ref(time)}) * 1000)::float8`;

const openSessions = (database: Db, limits: Limits) =>
  database
    .selectFrom('sessions')
    .where(isOpen(limits))
    .orderBy('last_seen_at', 'desc')
    .orderBy('sessions.id', 'desc');
const selectSessions = prepared((database, { userId, idle, oldest }: Limits & { readonly userId: UserId }) =>
  openSessions(database, { idle, oldest }).where('user_id', '=', userId).select(sessionColumns),
);
export const listSessions = (sql: Db, deps: Pick<Deps, 'clock' | 'config'>, userId: UserId) =>
  selectSessions(sql, { userId, ...limitsNow(deps) });

type OfPeople = Limits & { readonly userIds: readonly UserId[] };
const selectShownSessions = prepared((database, { userIds, idle, oldest }: OfPeople) => {
  const sessions = openSessions(database, { idle, oldest })
    .where('user_id', '=', sql.ref<UserId>('person.id'))
    .select(['sessions.id', 'ip_address as ipAddress', 'user_agent as userAgent', 'location'])
    .select([inMs('sessions.last_seen_at').as('lastSeen'), inMs('sessions.created_at').as('created')]);
  return database
    .selectFrom(
      sql<{ id: UserId }>`unnest(${hiddenValue(userIds, 'bigint[]')})`.as<'person'>(sql`person(id)`),
    )
    .select(['person.id', jsonArrayFrom(sessions).as('sessions')]);
});
/** The open sessions of several people, with one JSON value per person. */
export async function findShownSessions(
  deps: Pick<Deps, 'sql' | 'clock' | 'config'>,
  userIds: readonly UserId[],
) {
  const rows = await selectShownSessions(deps.sql, { userIds, ...limitsNow(deps) });
  return new Map(rows.map(({ id, sessions }) => [id, sessions]));
}

type CallersKey = Limits & { readonly hashes: readonly string[]; readonly now: Date };
/** Without the time, which is read in milliseconds. */
const { authenticatedAt: _, ...proofs } = sessionFacts;
const selectCallers = prepared((database, { hashes, idle, oldest, now }: CallersKey) => {
  const caller = database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as sessionId', 'users.id as userId', 'users.email'])
    .select(['users.first_name', 'users.last_name'])
    .select([
      sql<string>`encode(sessions.token_hash, 'hex')`.as('hash'),
      inMs('sessions.last_seen_at').as('lastSeen'),
      inMs('sessions.authenticated_at').as('authenticated'),
      sql<boolean>`users.confirmed_at is not null`.as('confirmed'),
      ...columnsOf(proofs),
    ])
    .where('sessions.token_hash', '=', sql.ref<Buffer>('cookie.hash'))
    .where(isOpen({ idle, oldest }))
    .where(mayAct(sql.ref<UserId>('sessions.user_id'), hiddenValue(now, 'timestamptz')))
    // At most one matches. With the limit PostgreSQL looks each hash up on its own, in one partition.
    .limit(1);
  const hashTable = sql<object>`unnest(${hiddenValue(hashes, 'text[]')}::bytea[])`.as<'cookie'>(
    sql`cookie(hash)`,
  );
  return database
    .selectFrom(hashTable)
    .innerJoinLateral(caller.as('caller'), (join) => join.onTrue())
    .selectAll('caller');
});

/** By the hex hashes of the cookies. An ended session has no caller, nor has a deactivated or restricted person. */
export async function findCallers(deps: Deps, hashes: readonly string[]) {
  const rows = await selectCallers(deps.sql, {
    hashes: hashes.map((hash) => `\\x${hash}`),
    ...limitsNow(deps),
    now: deps.clock.now(),
  });
  return new Map(rows.map((row) => [row.hash, row]));
}

type Touch = { readonly ids: readonly SessionId[]; readonly now: Date };
export const touchSessions = prepared((database, { ids, now }: Touch) => {
  // Skip locked rows: their holder is renewing or ending the session.
  const free = database
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sql<SessionId>`any(${hiddenValue(ids, 'bigint[]')})`)
    .forNoKeyUpdate()
    .skipLocked();
  return database.updateTable('sessions').set({ last_seen_at: now }).where('id', 'in', free);
});
const SWEEP_BATCH = 10_000;

/** Deletes ended sessions. Scans the table in batches: an index on the last use would slow down every use. */
export async function sweepSessions({ sql, clock, config }: Deps) {
  const { idle, oldest } = limitsNow({ clock, config });
  for (let after = 0 as SessionId; ;) {
    const next = sql.selectFrom('sessions').select('id').where('id', '>', after).orderBy('id');
    const last = await next
      .offset(SWEEP_BATCH - 1)
      .limit(1)
      .executeTakeFirst();
    await sql
      .deleteFrom('sessions')
      .where('id', '>', after)
      .$if(last !== undefined, (query) => query.where('id', '<=', last?.id ?? after))
      .where((row) => row.or([row('last_seen_at', '<=', idle), row('created_at', '<=', oldest)]))
      .execute();
    wake();
    if (!last) return;
    after = last.id;
  }
}

type NewProof = { readonly way: Way; readonly means: WaysIn };
/** After a step-up; notes its proof. The old cookie no longer serves. A company's word leaves the session what it was. */
export async function renewSession(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sessionId: SessionId,
  method: Method,
  proof?: NewProof,
): Promise<string> {
  await tx.selectFrom('sessions').where('id', '=', sessionId).forNoKeyUpdate().executeTakeFirstOrThrow();
  const facts = await findFacts(tx, sessionId);
  if (!facts.session) throw new Error('the session has ended under its lock');
  const { proven, secondStep } = proof ? withProof(facts.session, proof.means, proof.way) : facts.session;
  const token = randomToken();
  await tx
    .updateTable('sessions')
    .set({
      token_hash: sha256(token),
      // One of two halves opens nothing sensitive.
      ...((proven === 'account' || isAccountProven(facts)) && { authenticated_at: clock.now() }),
      proven,
      second_step: secondStep,
      methods: withMethod(method),
    })
    .where('id', '=', sessionId)
    .execute();
  return token;
}

/** Notes the strong second step that the person has just set up in a session, because this proves it too. */
export const noteStep = (tx: Tx, sessionId: SessionId, method: Method, step: 'app' | 'passkey') =>
  tx
    .updateTable('sessions')
    .set({ methods: withMethod(method), second_step: step })
    .where('id', '=', sessionId)
    .execute();

const withMethod = (method: Method) =>
  sql<Method[]>`case when ${method} = any(methods) then methods else array_append(methods, ${method}) end`;

/** The methods that have proven a session, its sign-in's first. */
export async function findMethods(sql: Db, sessionId: SessionId): Promise<readonly Method[]> {
  const session = sql.selectFrom('sessions').select('methods').where('id', '=', sessionId);
  return (await session.executeTakeFirst())?.methods ?? [];
}

/** Whether a session still exists. If so, it stays until the transaction ends. */
export async function hasSession(tx: Tx, sessionId: SessionId): Promise<boolean> {
  const rows = await lockSession(tx, { sessionId });
  noteLocked(tx, rows);
  return rows.length > 0;
}
const lockSession = prepared((tx, { sessionId }: { readonly sessionId: SessionId }) =>
  tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forKeyShare(),
);

export const sessionStands = async (database: Db, sessionId: SessionId): Promise<boolean> =>
  (await selectSession(database, { sessionId })).length > 0;
const selectSession = prepared((database, { sessionId }: { readonly sessionId: SessionId }) =>
  database.selectFrom('sessions').select('id').where('id', '=', sessionId),
);

export async function deleteSession(tx: Tx, sessionId: SessionId): Promise<void> {
  noteLocked(tx, await tx.deleteFrom('sessions').where('id', '=', sessionId).returning('id').execute());
  wakeAfterCommit(tx);
}

/** Except `exceptId`; also deletes application tokens that outlive sessions. Returns the number of sessions. */
export async function deleteSessionsOf(tx: Tx, userId: UserId, exceptId: SessionId | null = null) {
  const grants = tx.selectFrom('application_grants').select('id').where('user_id', '=', userId);
  // A request that is writing a token holds its grant. Wait for it, so that its token is deleted, too.
  await grants.orderBy('id').forUpdate().execute();
  const others = tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'is distinct from', exceptId);
  const rows = await others.returning('id').execute();
  noteLocked(tx, rows);
  await tx
    .deleteFrom('provider_records')
    .where('session_id', 'is', null)
    .where('grant_id', 'in', grants)
    .execute();
  if (rows.length > 0) wakeAfterCommit(tx);
  return rows.length;
}
