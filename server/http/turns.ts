import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { OrgId } from '#contract/wire.ts';
import { queueKeyOf, turnOf, waitedMs } from './admission.ts';

type Asked = {
  readonly app: FastifyInstance;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};
/** Runs work that waits for the server of an organization, in its turn. */
export async function inTurnOf<T>(
  { app, request, reply }: Asked,
  findOrgId: () => Promise<OrgId | undefined>,
  work: () => Promise<T>,
) {
  const sender = queueKeyOf(request, reply);
  const orgId = await app.admission.readers(findOrgId, sender, waitedMs(request));
  if (orgId instanceof Refusal) return orgId;
  return app.admission.elsewhere(work, orgId ? turnOf(orgId, request) : sender, waitedMs(request));
}
