import type { FastifyInstance } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { type Db, probe } from '#server/db/connect.ts';
import { answerRefusal } from './refusal.ts';
import { noteOutage } from '#server/outages.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes balancers send no more requests here, while this process still answers. */
    drain(): void;
  }
}

const LAG_MAX_MS = 1000;
const CHECK_EVERY_MS = 500;

/** `/readyz`: the database answers, the process is not stopping and its event loop is not far behind. */
export function serveHealth(app: FastifyInstance, database: Db) {
  let stopping = false;
  const drain = () => void (stopping = true);
  app.decorate('drain', drain);
  app.addHook('preClose', async () => drain());
  const lagMs = watchLag(app);
  // A connection kept alive would delay the stop until its idle timeout.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) void reply.header('connection', 'close');
  });
  // Concurrent requests share one query.
  let query: Promise<unknown> | undefined;
  const queryDatabase = () => (query ??= probe(database).finally(() => (query = undefined)));
  app.get('/healthz', { config: { bound: 'memory' } }, () => ({ success: true, response: {} }));
  app.get('/readyz', { config: { bound: 'shared' } }, async (_request, reply) => {
    const lag = Math.round(lagMs());
    if (lag > LAG_MAX_MS) noteOutage(app.log, 'not ready: the process is too busy', { lag });
    if (stopping || lag > LAG_MAX_MS) return answerRefusal(reply, refuse('unavailable'));
    try {
      await queryDatabase();
      return await reply.send({ success: true, response: {} });
    } catch (error) {
      noteOutage(app.log, 'not ready: the database does not answer', { reason: (error as Error).message });
      return answerRefusal(reply, refuse('unavailable'));
    }
  });
}

/** The lag of the event loop in milliseconds: how late the last timer ran, or how late the next one already is. */
function watchLag(app: FastifyInstance): () => number {
  let late = 0;
  let due = performance.now() + CHECK_EVERY_MS;
  const timer = setInterval(() => {
    late = performance.now() - due;
    due = performance.now() + CHECK_EVERY_MS;
  }, CHECK_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => Math.max(late, performance.now() - due);
}
