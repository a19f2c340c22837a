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

  // Browsers tell here what the content security policy stopped; it goes to the log, cut short.
  const types = ['application/csp-report', 'application/reports+json'];
  app.addContentTypeParser(types, { parseAs: 'string', bodyLimit: 8192 }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/cspreport', (request, reply) => {
    request.log.warn({ report: String(request.body).slice(0, 1000) }, 'a content security policy report');
    return reply.code(204).send();
  });
}
