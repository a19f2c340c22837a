import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import type { Database } from '#server/db/connect.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds in seconds, around what an answer without a hash, with one, and one that waits takes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What the process counts of itself, in a registry of its own. Labels come from the contract and from code, never from
 * a request, so there are no more series than there are calls and statuses.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const signIns = counter('portico_sign_ins_total', 'Tries to sign in, by what they came to', ['outcome']);
  const mails = counter('portico_mails_total', 'Mails handed over or not taken, each try', ['outcome']);
  const readings: (() => unknown)[] = [];

  return {
    requests: counter('portico_requests_total', 'Answered requests', ['endpoint', 'status']),
    requestSeconds: new Histogram({
      name: 'portico_request_seconds',
      help: 'From the head of a request to the end of its answer',
      labelNames: ['endpoint'],
      buckets: SECONDS,
      registers,
    }),
    faults: counter('portico_unhandled_errors_total', 'Requests that ended in an error nobody foresaw'),
    limited: counter('portico_limited_total', 'Refused because of a limit, by limit', ['limit']),
    hashesWaiting: gauge('portico_password_hashes_waiting', 'Passwords that wait for their turn'),
    databaseUp: gauge('portico_database_up', 'Whether the database answers'),
    jobs: gauge('portico_jobs', 'Jobs; those done and failed of the last hour', ['kind', 'state']),
    oldestJobSeconds: gauge('portico_job_oldest_due_seconds', 'How long the oldest due job waits', ['kind']),

    /** Counts a try to sign in by what it came to, and hands that on. */
    countSignIn<T extends Refusal | object | string>(result: T): T {
      signIns.inc({ outcome: outcomeOf(result) });
      return result;
    },
    /** Counts a mail once it is known what became of it. */
    async countMail(sent: Promise<void>): Promise<void> {
      let outcome = 'failed';
      try {
        await sent;
        outcome = 'sent';
      } finally {
        mails.inc({ outcome });
      }
    },

    /** Adds what Node tells of the process: memory, CPU, delay of the event loop, garbage collection. */
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    /** Adds how the pools of connections stand, where there are any. */
    watchPools(pools: Database['pools']) {
      if (!pools) return;
      const help = 'Connections, and who waits for one';
      const held = gauge('portico_database_connections', help, ['pool', 'state']);
      const stalled = gauge(
        'portico_database_stalled',
        'Whether commits are not answered, so that nothing is changed',
      );
      readings.push(() => {
        stalled.set(Number(pools.isStalled()));
        for (const [pool, standing] of Object.entries(pools.standing()))
          for (const [state, count] of Object.entries(standing)) held.set({ pool, state }, count);
      });
    },
    /** Has something read each time all of it is asked for: what is cheaper to look up than to keep. */
    onReading: (read: () => unknown) => void readings.push(read),

    /** All of it as Prometheus reads it, which `mediaType` names. */
    async text() {
      await Promise.all(readings.map((read) => read()));
      return registry.metrics();
    },
    mediaType: registry.contentType,
  };
}

/** A refusal's own name; else whether somebody is in, has to enter a code, or linked a provider. */
function outcomeOf(result: Refusal | object | string): string {
  if (result instanceof Refusal) return result.name;
  if (typeof result === 'string') return result;
  if ('failed' in result) return String(result.failed);
  return 'challenge' in result ? 'code_mailed' : 'signed_in';
}
