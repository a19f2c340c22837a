import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { SessionId, UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';

export type NewSession = {
  readonly userId: UserId;
  readonly tokenHash: Uint8Array;
  readonly deviceHash: Uint8Array | null;
  readonly now: Date;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly location: string;
  /** The one that the browser had until now. */
  readonly replaced: SessionId | null;
};

/**
 * Adds a session, in the place of another where there is one; of the others the last used stay, so that there are so many,
 * and those it ended are returned.
 */
export async function insertSession(tx: Tx, session: NewSession, most: number) {
  const rows = await sessionAdded(tx, { ...session, others: most - 1 });
  const [{ sessionId } = {}] = rows;
  if (sessionId === undefined) throw new Error('the session was not added');
  return { sessionId, ended: rows.flatMap((row) => (row.id === null ? [] : (row as Told))) };
}
const sessionAdded = prepared((tx, session: NewSession & { readonly others: number }) => {
  const beyond = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', session.userId)
    .where('id', 'is distinct from', session.replaced)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(session.others);
  const added = tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      token_hash: session.tokenHash,
      device_hash: session.deviceHash,
      created_at: session.now,
      last_seen_at: session.now,
      authenticated_at: session.now,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
      location: session.location,
    })
    .returning('id as sessionId');
  return tx
    .with('replaced', (query) => query.deleteFrom('sessions').where('id', '=', session.replaced))
    .with('added', () => added)
    .with('ended', (query) => query.deleteFrom('sessions').where('id', 'in', beyond).returning(told))
    .selectFrom('added')
    .leftJoin('ended', (join) => join.onTrue())
    .selectAll();
});

const told = [
  'id',
  'ip_address as ipAddress',
  'user_agent as userAgent',
  'location',
  'device_hash as deviceHash',
] as const;

type Told = Awaited<ReturnType<typeof listSessions>>[number];
type Lasting = { readonly idle: Date; readonly oldest: Date };
/** Sessions used and begun before these have ended by themselves. */
const lasting = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Lasting => ({
  idle: fromNow(clock, -config.sessionIdleHours * HOUR_MS),
  oldest: fromNow(clock, -config.sessionAbsoluteHours * HOUR_MS),
});

/** A time in milliseconds, which costs the driver a fraction of what a date does. */
const inMs = (time: `sessions.${'last_seen_at' | 'created_at' | 'authenticated_at'}`) =>
  sql<number>`(extract(epoch from ${sql.ref(time)}) * 1000)::float8`;

const lastingOf = (database: Db, { idle, oldest }: Lasting) =>
  database
    .selectFrom('sessions')
    .where('last_seen_at', '>', idle)
    .where('created_at', '>', oldest)
    .orderBy('last_seen_at', 'desc')
    .orderBy('sessions.id', 'desc');

type Whose = Lasting & { readonly userId: UserId };
const sessionsOf = prepared((database, { userId, idle, oldest }: Whose) =>
  lastingOf(database, { idle, oldest }).where('user_id', '=', userId).select(told),
);
/** A person's sessions that have not ended by themselves, the last used first. */
export const listSessions = (sql: Db, deps: Pick<Deps, 'clock' | 'config'>, userId: UserId) =>
  sessionsOf(sql, { userId, ...lasting(deps) });

type AllOf = Lasting & { readonly userIds: readonly UserId[] };
const shownOf = prepared((database, { userIds, idle, oldest }: AllOf) => {
  const shown = lastingOf(database, { idle, oldest })
    .where('user_id', '=', sql.ref<UserId>('person.id'))
    .select(['sessions.id', 'ip_address as ipAddress', 'user_agent as userAgent', 'location'])
    .select([inMs('sessions.last_seen_at').as('lastSeen'), inMs('sessions.created_at').as('created')]);
  return database
    .selectFrom(sql<{ id: UserId }>`unnest(${hidden(userIds, 'bigint[]')})`.as<'person'>(sql`person(id)`))
    .select(['person.id', jsonArrayFrom(shown).as('sessions')]);
});
/** The same of several people as they are shown; each person's are one value, as a page of members is. */
export async function findShownSessions(deps: Deps, userIds: readonly UserId[]) {
  const rows = await shownOf(deps.sql, { userIds, ...lasting(deps) });
  return new Map(rows.map(({ id, sessions }) => [id, sessions]));
}

type Asked = Lasting & { readonly hashes: readonly string[]; readonly now: Date };
const callersOf = prepared((database, { hashes, idle, oldest, now }: Asked) => {
  const caller = database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['sessions.id as sessionId', 'users.id as userId', 'users.email'])
    .select(['users.first_name', 'users.last_name'])
    .select([
      sql<string>`encode(sessions.token_hash, 'hex')`.as('hash'),
      inMs('sessions.last_seen_at').as('lastSeen'),
      inMs('sessions.authenticated_at').as('authenticated'),
      sql<boolean>`users.confirmed_at is not null`.as('confirmed'),
    ])
    .where('sessions.token_hash', '=', sql.ref<Buffer>('asked.hash'))
    .where('account_deletions.user_id', 'is', null)
    .where('sessions.last_seen_at', '>', idle)
    .where('sessions.created_at', '>', oldest)
    .where((session) => {
      // A restriction ends all sessions; should one be left, it does not serve. Wrong codes hold back new sign-ins only; who
      // is in is not put out by a stranger's guesses.
      const closed = session
        .selectFrom('restrictions')
        .select('restrictions.id')
        .whereRef('restrictions.user_id', '=', 'sessions.user_id')
        .where('restrictions.cause', '=', 'operator')
        .where('restrictions.ends_at', '>', hidden(now, 'timestamptz'))
        .where('restrictions.lifted_at', 'is', null);
      return session.not(session.exists(closed));
    })
    // Each hash has one at most; the limit has each looked up, in the one partition that can hold it where there are some.
    .limit(1);
  const asked = sql<object>`unnest(${hidden(hashes, 'text[]')}::bytea[])`.as<'asked'>(sql`asked(hash)`);
  return database
    .selectFrom(asked)
    .innerJoinLateral(caller.as('caller'), (join) => join.onTrue())
    .selectAll('caller');
});

/**
 * The people of cookies while their sessions last, by the hashes of the cookies in hex: idle and absolute limits hold; who
 * is deactivated, or restricted by an operator, has none.
 */
export async function findCallers(deps: Deps, hashes: readonly string[]) {
  const rows = await callersOf(deps.sql, {
    hashes: hashes.map((hash) => `\\x${hash}`),
    ...lasting(deps),
    now: deps.clock.now(),
  });
  return new Map(rows.map((row) => [row.hash, row]));
}

type Used = { readonly ids: readonly SessionId[]; readonly now: Date };
/** Notes that these sessions are in use now. */
export const touchSessions = prepared((database, { ids, now }: Used) => {
  // Whoever holds one of them renews it or ends it.
  const free = database
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sql<SessionId>`any(${hidden(ids, 'bigint[]')})`)
    .forNoKeyUpdate()
    .skipLocked();
  return database.updateTable('sessions').set({ last_seen_at: now }).where('id', 'in', free);
});
const SWEPT_AT_ONCE = 10_000;

/**
 * Deletes sessions that have ended by themselves. All are looked at, some thousands at a time: an index of when each was
 * used would have to be written whenever one is.
 */
export async function sweepSessions({ sql, clock, config }: Deps) {
  const { idle, oldest } = lasting({ clock, config });
  for (let after = 0 as SessionId; ;) {
    const next = sql.selectFrom('sessions').select('id').where('id', '>', after).orderBy('id');
    const last = await next
      .offset(SWEPT_AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    await sql
      .deleteFrom('sessions')
      .where('id', '>', after)
      .$if(last !== undefined, (query) => query.where('id', '<=', last?.id ?? after))
      .where((row) => row.or([row('last_seen_at', '<=', idle), row('created_at', '<=', oldest)]))
      .execute();
    if (!last) return;
    after = last.id;
  }
}

/** A new cookie for a session whose person has just proved themself again; the old one no longer serves. */
export async function renewSession(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sessionId: SessionId,
): Promise<string> {
  const token = randomToken();
  await tx
    .updateTable('sessions')
    .set({ token_hash: sha256(token), authenticated_at: clock.now() })
    .where('id', '=', sessionId)
    .execute();
  return token;
}

/** Whether a session still stands, whatever ended others meanwhile; where it does, it goes on until the transaction ends. */
export async function hasSession(tx: Tx, sessionId: SessionId): Promise<boolean> {
  const standing = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forKeyShare();
  return (await standing.executeTakeFirst()) !== undefined;
}

export const deleteSession = (tx: Tx, sessionId: SessionId) =>
  tx.deleteFrom('sessions').where('id', '=', sessionId).execute();

/** All of a person's, but for the one to keep. */
export const deleteSessionsOf = (tx: Tx, userId: UserId, kept: SessionId | null = null) =>
  tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'is distinct from', kept).execute();
