// Opens PostgreSQL or the embedded database behind one interface, with the time limits that keep requests from hanging.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { Refusal } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { isForgotten, SILENT, STALLED } from './constraints.ts';
import { createEmbedded } from './empty.ts';
import { lockFolder } from './lock.ts';
import { isDirect } from './pooler.ts';
import { statementName } from './prepared.ts';
import { isCommitAnswered, stall } from './stall.ts';
import type { Db, Tables, Tx } from './tables.ts';
import { sessionToLock } from '#server/origin.ts';

export type { Db, Tx };

export type DatabaseRow = Record<string, unknown>;

export type Database = {
  /** For requests. Read-only outside of transactions, on its own connections: hanging commits do not block it. */
  readonly reading: Db;
  /** The connections for transactions: for jobs, limits and tools, which can wait for a hanging commit. */
  readonly changing: Db;
  /** Runs plain SQL, also several statements at once, on one connection in one transaction. */
  exclusively<T>(run: (script: (text: string) => Promise<DatabaseRow[]>) => Promise<T>): Promise<T>;
  readonly pools?: {
    standing(): Readonly<Record<'reading' | 'changing', Record<'busy' | 'idle' | 'waiting', number>>>;
    /** Whether changes are refused because commits are not answered. */
    isStalled(): boolean;
  };
  close(): Promise<void>;
};

const BYTEA = 17;

/** Opens PostgreSQL at DATABASE_URL, else the embedded database, which only one process can hold. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl.href);
  const release = await lockFolder(config.dataDir);
  const database = overPGlite(await openFolder(path.join(config.dataDir, 'database')));
  return {
    ...database,
    close: async () => {
      await database.close();
      release();
    },
  };
}

async function openFolder(folder: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  if (!existsSync(folder)) await createEmbedded(folder);
  return PGlite.create(folder);
}

export function overPGlite(pglite: PGlite): Database {
  // A bytea arrives as a Buffer, as it does from PostgreSQL.
  pglite.parsers[BYTEA] = (text) => Buffer.from(text.slice(2), 'hex');
  const handle = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  return {
    reading: handle,
    changing: handle,
    exclusively: (run) =>
      pglite.transaction((tx) => run(async (text) => (await tx.exec(text)).at(-1)?.rows ?? [])),
    close: async () => {
      await handle.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** A request fails within 2 s: 0.8 s for a connection plus 1 s for a lock. */
const CONNECTION_LIMIT_MS = 800;
const LOCK_LIMIT_MS = 1000;
/** PostgreSQL itself ends a longer statement. */
const STATEMENT_LIMIT_MS = 3000;
/** Longer than the statement limit, so a connection that is silent for this long is lost. */
const SILENCE_LIMIT_MS = 4000;
const FOREVER_MS = 2 ** 31 - 1;

/** Adds the statement name to a prepared query's arguments, so that PostgreSQL plans it once. */
function withName(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args;
  const name = typeof text === 'string' ? statementName(text) : undefined;
  return name === undefined ? args : [{ name, text, values }];
}

/** After a timeout, later queries would wait for that answer; lost prepared statements the driver would never send again. */
function watch(client: pg.ClientBase, mayName: boolean, whenSilent?: () => void) {
  const prototype = Object.getPrototypeOf(client) as { query(...args: unknown[]): unknown };
  const watched = (...args: unknown[]) => {
    const answer = prototype.query.apply(client, [...(mayName ? withName(args) : args)]);
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        if (error.message === SILENT) whenSilent?.();
        if (error.message === SILENT || isForgotten(error)) void (client as pg.Client).end();
      });
    return answer;
  };
  client.query = watched as typeof client.query;
}

/** When commits hang, as without a synchronous standby, reads go on. A copy by `withPlugin` knows one pool only. */
class SplitDatabase extends Kysely<Tables> {
  readonly changing: Db;
  constructor(pool: pg.Pool, changing: Db) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.changing = changing;
  }
  override transaction() {
    return this.changing.transaction();
  }
}

/** The connections for a change of one statement, which is a transaction of its own. */
export const changing = (database: Db): Db =>
  database instanceof SplitDatabase ? database.changing : database;

function openPool(url: string, more: pg.PoolConfig, times: number, whenSilent?: () => void): pg.Pool {
  // The pool awaits `onConnect`, although its type does not say so.
  const hooks = {
    onConnect: async (client: pg.ClientBase) => {
      client.on('error', () => undefined);
      watch(client, await isDirect(client), whenSilent);
    },
  };
  const pool = new pg.Pool({
    connectionString: url,
    ...more,
    connectionTimeoutMillis: times * CONNECTION_LIMIT_MS,
    lock_timeout: times * LOCK_LIMIT_MS,
    statement_timeout: times * STATEMENT_LIMIT_MS,
    query_timeout: times * SILENCE_LIMIT_MS,
    idle_in_transaction_session_timeout: 10_000,
    ...hooks,
    types: {
      // Ids and counts stay below 2^53.
      getTypeParser: (type, format) =>
        type === pg.types.builtins.INT8
          ? Number
          : (pg.types.getTypeParser(type, format) as (value: string) => unknown),
    },
  });
  // Without both listeners a dead connection would end the process: this is for idle ones, the one above for busy ones.
  pool.on('error', () => undefined);
  return pool;
}

const CONNECTIONS = { reading: 10, changing: 5 };

/** `Database` over PostgreSQL: `mostOfEach` connections per pool at most, timeouts multiplied by `times`. */
export function openPostgres(url: string, connectionsMax = Infinity, times = 1): Database {
  const pools = {
    reading: openPool(
      url,
      {
        max: Math.min(CONNECTIONS.reading, connectionsMax),
        // While commits hang, a write here would block readers. Compiling (JIT) takes longer than these small queries.
        options: '-c default_transaction_read_only=on -c jit=off',
      },
      times,
    ),
    changing: openPool(url, { max: Math.min(CONNECTIONS.changing, connectionsMax) }, times, () =>
      stalled.begin(),
    ),
  };
  const stalled = stall(async () => pools.changing.ending || isCommitAnswered(pools.changing.options));
  const stallPool = {
    options: pools.changing.options,
    connect: async () => {
      const client = stalled.isOn() ? undefined : await pools.changing.connect();
      // The stall may have begun while this call waited.
      if (client && !stalled.isOn()) return client;
      client?.release();
      throw new Error(STALLED);
    },
    end: () => pools.changing.end(),
  };
  const changing = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: stallPool }) });
  const reading = new SplitDatabase(pools.reading, changing);
  const standing = (pool: pg.Pool) => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  return {
    reading,
    changing,
    exclusively: async (run) => {
      const client = await pools.changing.connect();
      try {
        await client.query('begin; set local statement_timeout = 0; set local lock_timeout = 0');
        const result = await run(async (text) => {
          const query = { text, query_timeout: FOREVER_MS } as pg.QueryConfig;
          const answers = (await client.query(query)) as
            | pg.QueryResult<DatabaseRow>
            | pg.QueryResult<DatabaseRow>[];
          return (Array.isArray(answers) ? answers.at(-1)?.rows : answers.rows) ?? [];
        });
        await client.query('commit');
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    pools: {
      standing: () => ({ reading: standing(pools.reading), changing: standing(pools.changing) }),
      isStalled: stalled.isOn,
    },
    close: async () => {
      await Promise.all([reading.destroy(), changing.destroy()]);
      // Kysely ends a pool only if it has queried it.
      for (const pool of Object.values(pools)) if (!pool.ended) await pool.end();
    },
  };
}

export const probe = (database: Db) => sql`select 1`.execute(database);

class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.name);
    this.refusal = refusal;
  }
}

const commitCallbacks = new WeakMap<Tx, Set<() => void>>();

/** Runs `act` once after the transaction has committed, even if it is registered several times. */
export function afterCommit(tx: Tx, act: () => void): void {
  const acts = commitCallbacks.get(tx);
  if (!acts) throw new Error('afterCommit needs a transaction of transaction()');
  acts.add(act);
}

/** The caller's session ended during the work; `serve` turns this into a refusal. */
export class SessionEnded extends Error {}

/** Rolls back on an error, or on a Refusal, which it returns. The caller's session must still stand at the end. */
export async function transaction<T>(sql: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  const acts = new Set<() => void>();
  let outcome: T;
  try {
    outcome = await sql.transaction().execute(async (tx) => {
      commitCallbacks.set(tx, acts);
      const result = await run(tx);
      if (result instanceof Refusal) throw new RolledBack(result);
      // Locks are taken in the order account, session, chain of the log.
      const session = sessionToLock(tx);
      if (session && !(await session.stands(tx))) throw new SessionEnded();
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal as T;
    throw error;
  }
  for (const act of acts) act();
  return outcome;
}
