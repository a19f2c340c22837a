import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { Db } from '#server/db/connect.ts';
import { answerRefusal } from '#server/http/refusal.ts';

/** `/healthz`: the process lives. `/readyz`: it takes requests: the database answers and it is not stopping. */
export function serveHealth(app: FastifyInstance, database: Db) {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  // A connection kept alive past its last answer would hold the stop up until it is idle long enough.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) void reply.header('connection', 'close');
  });
  app.get('/healthz', () => ({ success: true, response: {} }));
  app.get('/readyz', async (request, reply) => {
    if (stopping) return answerRefusal(reply, refuse('unavailable'));
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
    const report = String(request.body).replace(/\?[^"\\\s]*/g, '').slice(0, 1000);
    request.log.warn({ report }, 'a content security policy report');
    return reply.code(204).send();
  });
}
