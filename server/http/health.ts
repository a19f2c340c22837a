import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { Db } from '#server/db/connect.ts';
import { answerRefusal } from '#server/http/refusal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Has balancers send nothing more here, while what comes is answered still. */
    drain(): void;
  }
}

const LAG_MAX_MS = 1000;
const LOOK_EVERY_MS = 500;

/**
 * `/healthz`: the process lives. `/readyz`: it takes requests: the database answers, the process is not stopping and
 * gets round to things.
 */
export function serveHealth(app: FastifyInstance, database: Db) {
  let stopping = false;
  const drain = () => {
    stopping = true;
  };
  app.decorate('drain', drain);
  app.addHook('preClose', async () => drain());
  const lagMs = watchLag(app);
  // A connection kept alive past its last answer would hold the stop up until it is idle long enough.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) void reply.header('connection', 'close');
  });
  app.get('/healthz', () => ({ success: true, response: {} }));
  app.get('/readyz', async (request, reply) => {
    const lag = Math.round(lagMs());
    if (lag > LAG_MAX_MS) request.log.warn({ lag }, 'not ready: the process is too busy');
    if (stopping || lag > LAG_MAX_MS) return answerRefusal(reply, refuse('unavailable'));
    try {
      await sql`select 1`.execute(database);
      return await reply.send({ success: true, response: {} });
    } catch (error) {
      request.log.warn({ message: (error as Error).message }, 'not ready: the database does not answer');
      return answerRefusal(reply, refuse('unavailable'));
    }
  });

  // Browsers tell here what the content security policy stopped; it goes to the log, cut short and without the
  // queries of its addresses: digests stand there.
  const types = ['application/csp-report', 'application/reports+json'];
  app.addContentTypeParser(types, { parseAs: 'string', bodyLimit: 8192 }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/cspreport', (request, reply) => {
    const report = String(request.body)
      .replace(/\?[^"\\\s]*/g, '')
      .slice(0, 1000);
    request.log.warn({ report }, 'a content security policy report');
    return reply.code(204).send();
  });
}

/** By how many milliseconds the event loop is behind: how late its last look at the clock came, or the next one is. */
function watchLag(app: FastifyInstance): () => number {
  let late = 0;
  let due = performance.now() + LOOK_EVERY_MS;
  const timer = setInterval(() => {
    late = performance.now() - due;
    due = performance.now() + LOOK_EVERY_MS;
  }, LOOK_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => Math.max(late, performance.now() - due);
}
