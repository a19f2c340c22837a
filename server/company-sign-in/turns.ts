import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { Refusal } from '#contract/errors.ts';
import { findConnection } from '#server/company-sign-in/connections/data.ts';
import type { Db } from '#server/db/connect.ts';
import { queueKeyOf, turnOf, waitedMs } from '#server/http/admission.ts';

type Request = {
  readonly app: FastifyInstance;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};
/** Runs work that waits for the provider of a connection, in the turn of its organization. */
export async function inTurnOf<T>(
  { app, request, reply }: Request,
  sql: Db,
  id: ConnectionId,
  work: () => Promise<T>,
) {
  const sender = queueKeyOf(request, reply);
  const find = async () => (await findConnection(sql, id))?.orgId;
  const orgId = await app.admission.readers(find, sender, waitedMs(request));
  if (orgId instanceof Refusal) return orgId;
  return app.admission.elsewhere(work, orgId ? turnOf(orgId, request) : sender, waitedMs(request));
}
