import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { Refusal } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { isForgotten, SILENT, STALLED } from '#server/db/constraints.ts';
import { beginDatabase } from '#server/db/empty.ts';
import { holdFolder } from '#server/db/lock.ts';
import { isDirect } from '#server/db/pooler.ts';
import { nameOf } from '#server/db/prepared.ts';
import { isCommitAnswered, stall } from '#server/db/stall.ts';
import type { Tables } from '#server/db/tables.ts';

/** A handle to query with: the database or an open transaction. Every SQL function takes it first. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export type Row = Record<string, unknown>;

/** The one door to both engines. */
export type Database = {
  /** For whoever answers: what it asks outside of transactions reads only, on connections that commits can't hold up. */
  readonly reading: Db;
  /** The connections of transactions, for whoever may wait: jobs, limits, tools. */
  readonly changing: Db;
  /** Runs plain SQL, several statements at once if need be, on one connection in one transaction. */
  exclusively<T>(run: (script: (text: string) => Promise<Row[]>) => Promise<T>): Promise<T>;
  /** What there is to tell of the connections to PostgreSQL. */
  readonly pools?: {
    /** Of each pool, how many connections are in use and lie idle, and how many queries wait for one. */
    standing(): Readonly<Record<'reading' | 'changing', Record<'busy' | 'idle' | 'waiting', number>>>;
    /** Whether changes are turned away since commits are not answered. */
    isStalled(): boolean;
  };
  close(): Promise<void>;
};

const BYTEA = 17;

/** Opens PostgreSQL where DATABASE_URL says, else the embedded database in the data folder, alone. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl.href);
  const release = await holdFolder(config.dataDir);
  const database = overPGlite(await openFolder(path.join(config.dataDir, 'database')));
  return {
    ...database,
    close: async () => {
      await database.close();
      await release();
    },
  };
}

async function openFolder(folder: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  if (!existsSync(folder)) await beginDatabase(folder);
  return PGlite.create(folder);
}

/** The door over a PGlite instance. */
export function overPGlite(pglite: PGlite): Database {
  // A bytea arrives as a Buffer, as it does from PostgreSQL.
  pglite.parsers[BYTEA] = (text) => Buffer.from(text.slice(2), 'hex');
  const sql = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  return {
    reading: sql,
    changing: sql,
    exclusively: (run) =>
      pglite.transaction((tx) => run(async (text) => (await tx.exec(text)).at(-1)?.rows ?? [])),
    close: async () => {
      await sql.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Who waits for a connection and then for a lock is told before two seconds have passed, while the database is away or a lock is held. */
const CONNECTION_LIMIT_MS = 800;
const LOCK_LIMIT_MS = 1000;
/** PostgreSQL ends a longer statement itself. */
const STATEMENT_LIMIT_MS = 3000;
/** So whoever says nothing for longer is not there any more, or the network to them. */
const SILENCE_LIMIT_MS = 4000;
const FOREVER_MS = 2 ** 31 - 1;

/** Words and values, as Kysely gives them; under its name what PostgreSQL is to read and plan once. */
function named(given: readonly unknown[]): readonly unknown[] {
  const [text, values] = given;
  const name = typeof text === 'string' ? nameOf(text) : undefined;
  return name === undefined ? given : [{ name, text, values }];
}

/**
 * Gives a connection up once a query on it was not answered, since those after it would wait for that answer, too; and once
 * it has lost what it was to keep, which the driver would never send again.
 */
function watch(client: pg.ClientBase, mayName: boolean, whenSilent?: () => void) {
  const prototype = Object.getPrototypeOf(client) as { query(...given: unknown[]): unknown };
  const watched = (...given: unknown[]) => {
    const answer = prototype.query.apply(client, [...(mayName ? named(given) : given)]);
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        if (error.message === SILENT) whenSilent?.();
        if (error.message === SILENT || isForgotten(error)) void (client as pg.Client).end();
      });
    return answer;
  };
  client.query = watched as typeof client.query;
}

/**
 * Transactions have connections of their own: where commits hang, as without a synchronous standby, reads go on. What Kysely
 * makes of it, as by `withPlugin`, knows one pool only.
 */
class Reading extends Kysely<Tables> {
  readonly #changing: Db;
  constructor(pool: pg.Pool, changing: Db) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.#changing = changing;
  }
  override transaction() {
    return this.#changing.transaction();
  }
}

function openPool(url: string, more: pg.PoolConfig, times: number, whenSilent?: () => void): pg.Pool {
  // The pool waits for it, though its type does not say so.
  const beginning = {
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
    ...beginning,
    types: {
      // Ids and counts stay below 2^53.
      getTypeParser: (type, format) =>
        type === pg.types.builtins.INT8
          ? Number
          : (pg.types.getTypeParser(type, format) as (value: string) => unknown),
    },
  });
  // A connection that dies is replaced at the next query, and a query under way fails by itself; without these
  // listeners it would end the process, the first while it lies idle, the second while it is in use.
  pool.on('error', () => undefined);
  return pool;
}

const CONNECTIONS = { reading: 10, changing: 5 };

/**
 * The door over PostgreSQL, with at most so many connections for transactions, and for what is asked outside of them;
 * waits so many times as long as usual.
 */
export function openPostgres(url: string, mostOfEach = Infinity, times = 1): Database {
  const pools = {
    reading: openPool(
      url,
      {
        max: Math.min(CONNECTIONS.reading, mostOfEach),
        // A write that came here would hang, and hold readers up, where commits do; and what finds fifty rows is found before
        // it would be compiled.
        options: '-c default_transaction_read_only=on -c jit=off',
      },
      times,
    ),
    changing: openPool(url, { max: Math.min(CONNECTIONS.changing, mostOfEach) }, times, () =>
      stalled.begin(),
    ),
  };
  const stalled = stall(async () => pools.changing.ending || isCommitAnswered(pools.changing.options));
  const unlessStalled = {
    options: pools.changing.options,
    connect: async () => {
      const client = stalled.isOn() ? undefined : await pools.changing.connect();
      // It may have begun while this one waited.
      if (client && !stalled.isOn()) return client;
      client?.release();
      throw new Error(STALLED);
    },
    end: () => pools.changing.end(),
  };
  const changing = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: unlessStalled }) });
  const reading = new Reading(pools.reading, changing);
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
          const patient = { text, query_timeout: FOREVER_MS } as pg.QueryConfig;
          const answers = (await client.query(patient)) as pg.QueryResult<Row> | pg.QueryResult<Row>[];
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
      // Kysely ends only a pool that it has queried.
      for (const pool of Object.values(pools)) if (!pool.ended) await pool.end();
    },
  };
}

class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.name);
    this.refusal = refusal;
  }
}

const whenCommitted = new WeakMap<Tx, Set<() => void>>();

/** Has this done as soon as the `transaction` has committed, once however often it is asked for; never if it rolls back. */
export function afterCommit(tx: Tx, act: () => void): void {
  const acts = whenCommitted.get(tx);
  if (!acts) throw new Error('only what transaction() begins tells of its commit');
  acts.add(act);
}

/** One transaction: commits what `run` returns, rolls back on an error or a Refusal, which comes back as a value. */
export async function transaction<T>(sql: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  const acts = new Set<() => void>();
  let done: T;
  try {
    done = await sql.transaction().execute(async (tx) => {
      whenCommitted.set(tx, acts);
      const result = await run(tx);
      if (result instanceof Refusal) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal as T;
    throw error;
  }
  for (const act of acts) act();
  return done;
}
