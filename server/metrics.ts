import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import { WIRE_NAME } from '#contract/limits.ts';
import { release } from './local-address.ts';
import type { Database } from '#server/db/connect.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds of the histogram's buckets in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels come from the contract and from code, never from a request, so the number of series is bounded. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Counter({ name: `${WIRE_NAME}_${name}`, help, labelNames, registers });
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Gauge({ name: `${WIRE_NAME}_${name}`, help, labelNames, registers });
  const signIns = counter('sign_ins_total', 'Tries to sign in, by what they came to', ['outcome']);
  const mails = counter('mails_total', 'Mails handed over or not taken, each try', ['outcome']);
  const readings: (() => unknown)[] = [];
  gauge('release', 'The release of this process: 1', ['release']).set({ release }, 1);

  return {
    requests: counter('requests_total', 'Answered requests', ['endpoint', 'status']),
    requestSeconds: new Histogram({
      name: `${WIRE_NAME}_request_seconds`,
      help: 'From the head of a request to the end of its answer',
      labelNames: ['endpoint'],
      buckets: SECONDS,
      registers,
    }),
    faults: counter('unhandled_errors_total', 'Requests that ended in an error nobody foresaw'),
    limited: counter('limited_total', 'Refused because of a limit, by limit', ['limit']),
    hashesWaiting: gauge('password_hashes_waiting', 'Passwords that wait for their turn'),
    databaseUp: gauge('database_up', 'Whether the database answers'),
    checks: gauge('check', 'Whether something needs a hand: 1, as `operator -- status` says', ['check']),
    checkSeconds: gauge('check_seconds', 'For how long', ['check']),
    backupAgeSeconds: gauge(
      'backup_age_seconds',
      'Since the newest backup, or since the first row of the log',
    ),
    oldKeyRows: gauge('old_key_rows', 'Rows that need a key of SECRET_KEY behind the newest', ['key']),
    jobs: gauge('jobs', 'Jobs; those done and failed of the last hour', ['kind', 'state']),
    oldestJobSeconds: gauge('job_oldest_due_seconds', 'How long the oldest due job waits', ['kind']),

    /** Counts a try to sign in by its outcome, and returns it. */
    countSignIn<T extends Refusal | object | string>(result: T): T {
      signIns.inc({ outcome: outcomeOf(result) });
      return result;
    },
    /** Counts a mail once it is sent or has failed. */
    async countMail(delivery: Promise<void>): Promise<void> {
      let outcome = 'failed';
      try {
        await delivery;
        outcome = 'sent';
      } finally {
        mails.inc({ outcome });
      }
    },

    watchProcess: () => collectDefaultMetrics({ register: registry }),
    watchPools(pools: Database['pools']) {
      if (!pools) return;
      const help = 'Connections, and requests that wait for one';
      const connections = gauge('database_connections', help, ['pool', 'state']);
      const stalled = gauge(
        'database_stalled',
        'Whether commits are not answered, so that nothing is changed',
      );
      readings.push(() => {
        stalled.set(Number(pools.isStalled()));
        for (const [pool, standing] of Object.entries(pools.standing()))
          for (const [state, count] of Object.entries(standing)) connections.set({ pool, state }, count);
      });
    },
    /** Registers a callback that sets gauges at each scrape. */
    onReading: (read: () => unknown) => void readings.push(read),

    async text() {
      await Promise.all(readings.map((read) => read()));
      return registry.metrics();
    },
    mediaType: registry.contentType,
  };
}

function outcomeOf(result: Refusal | object | string): string {
  if (result instanceof Refusal) return result.name;
  if (typeof result === 'string') return result;
  if ('failed' in result) return String(result.failed);
  return 'challenge' in result ? 'code_mailed' : 'signed_in';
}
