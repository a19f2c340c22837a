import { sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import { type Clock, DAY_MS, fromNow } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';

export const EMPTY_PAYLOAD = sql<never>`'{}'::jsonb`;

type Row = Readonly<{
  kind: string;
  payload: string;
  lane: string | null;
  userId: UserId | null;
  letter: string | null;
  now: Date;
  runAt: Date;
  expiresAt: Date | null;
}>;
/** Returns no row if the job has to find its lane empty and does not. */
export const insertJob = prepared(
  (_, job: Row, into: 'any lane' | 'an empty lane') => sql<{ id: number }>`
    insert into jobs (kind, payload, lane, user_id, letter, created_at, run_at, expires_at)
    select ${job.kind}::text, ${job.payload}::jsonb, ${job.lane}::text, ${job.userId}::bigint, ${job.letter}::text,
      ${job.now}::timestamptz, ${job.runAt}::timestamptz, ${job.expiresAt}::timestamptz
    ${into === 'an empty lane' ? sql`where not exists (select from jobs where lane = ${job.lane})` : sql``}
    returning id`,
);

/** Takes a running job out of its lane, in the transaction of its effect; false if an earlier run did so. */
export async function leaveLane(tx: Tx, jobId: number): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ lane: null })
    .where('id', '=', jobId)
    .where('lane', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const NEWS_MAX = 20;
/** Adds news to the job that waits in a lane. Beyond `NEWS_MAX` they are only counted. */
export type News = { readonly subject: string; readonly paragraphs: readonly string[] };
/** The same news in each language, because the readers' languages are known only when the mail is written. */
export type NewsInEach = Readonly<Record<string, News>>;

export const addNews = (tx: Tx, lane: string, news: NewsInEach) =>
  sql`update jobs set payload = case when jsonb_array_length(payload->'news') < ${NEWS_MAX}::int
        then jsonb_set(payload, '{news}', (payload->'news') || ${JSON.stringify([news])}::jsonb)
        else jsonb_set(payload, '{more}', to_jsonb((payload->>'more')::int + 1)) end
      where lane = ${lane}`.execute(tx);

export async function listNews(tx: Tx, jobId: number) {
  const job = tx.selectFrom('jobs').select('payload').where('id', '=', jobId);
  const { payload } = await job.executeTakeFirstOrThrow();
  return payload as { readonly news: readonly NewsInEach[]; readonly more: number };
}

/** Deletes the jobs for a person who is erased. Jobs for other people at the same address stay. */
export const deleteJobsOf = (tx: Db, userId: UserId) =>
  tx.deleteFrom('jobs').where('user_id', '=', userId).execute();

export const reassignMails = (tx: Db, from: UserId, to: UserId, email: string) =>
  tx
    .updateTable('jobs')
    .set({ user_id: to })
    .where('user_id', '=', from)
    .where(sql`payload->>'to'`, '=', email)
    .execute();

/** Deletes failed jobs that named an address but no person, because the address is erased with its owner. */
export const deleteFailedRequests = (tx: Db, email: string) =>
  tx
    .deleteFrom('jobs')
    .where('failed_at', 'is not', null)
    .where('user_id', 'is', null)
    .where(sql`coalesce(payload->>'to', payload->>'email')`, '=', email)
    .execute();

/** Failed jobs that can be retried: neither expired nor emptied. */
const retriable = (database: Db, clock: Clock) =>
  database
    .selectFrom('jobs')
    .select(['id', 'kind', 'letter', 'attempts', 'created_at', 'failed_at', 'last_error'])
    .where('failed_at', 'is not', null)
    .where('payload', '<>', EMPTY_PAYLOAD)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', clock.now())]));

/** Jobs that have failed and wait for their next try, the longest first. */
export const listFailing = (database: Db, limit = 100) =>
  database
    .selectFrom('jobs')
    .select(['id', 'kind', 'letter', 'attempts', 'failing_since', 'last_error'])
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('failing_since', 'is not', null)
    .orderBy('failing_since')
    .limit(limit)
    .execute();

export const listFailed = (database: Db, clock: Clock, limit = 100) =>
  retriable(database, clock).orderBy('id', 'desc').limit(limit).execute();

/** Queues failed jobs again, one or all, as if they were new; returns their previous rows. */
export async function retryFailed(tx: Db, clock: Clock, jobId?: number) {
  const failed = await retriable(tx, clock)
    .$if(jobId !== undefined, (query) => query.where('id', '=', jobId ?? 0))
    .forUpdate()
    .execute();
  if (failed.length > 0)
    await tx
      .updateTable('jobs')
      .set({
        failed_at: null,
        last_error: null,
        failing_since: null,
        attempts: 0,
        failures: 0,
        lost: 0,
        run_at: clock.now(),
      })
      .where(
        'id',
        'in',
        failed.map(({ id }) => id),
      )
      .execute();
  return failed;
}

export const deleteEnded = ({ sql: database, clock }: Pick<Deps, 'sql' | 'clock'>) =>
  database
    .deleteFrom('jobs')
    .where((row) =>
      row.or([
        row('done_at', '<', fromNow(clock, -30 * DAY_MS)),
        row('failed_at', '<', fromNow(clock, -30 * DAY_MS)),
      ]),
    )
    .execute();
