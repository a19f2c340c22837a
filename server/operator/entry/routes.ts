import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deskEntry } from '#contract/operator/desk.ts';
import type { Deps } from '#server/deps.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import { type Handlers, serve } from '#server/http/serve.ts';
import { networksOf } from '#server/ip-prefix.ts';
import {
  enterDesk,
  isOperator,
  leaveDesk,
  readDesk,
  requestPasskey,
} from '#server/operator/entry/actions.ts';

const entryRoutes = (deps: Deps): Handlers<typeof deskEntry> => ({
  read: ({ caller }) => readDesk(deps, caller),
  beginPasskey: ({ caller }) => requestPasskey(deps, caller),
  enter: ({ input, caller }) => enterDesk(deps, caller, input),
  leave: ({ caller }) => leaveDesk(deps, caller),
});

type Mount = (desk: FastifyInstance, deps: Deps, lookups: Lookups) => void;
/** Serves the desk to operators in its networks; for everybody else it is unknown. Returns who may open its page. */
export async function serveDesk(app: FastifyInstance, deps: Deps, lookups: Lookups, mountActs: Mount) {
  const { deskNetworks } = deps.config;
  const isInside = networksOf(deskNetworks);
  const mayEnter = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = cookiesOf(request, reply).session.value;
    const caller = token && isInside(clientAddress(request)) ? await lookups.findCaller(token) : null;
    return caller !== null && isOperator(deps, caller.userId);
  };
  if (deskNetworks.length === 0) return async () => false;
  await app.register(async (desk) => {
    // Once the body is read, as at an unknown address, and before anything of it is judged.
    desk.addHook('preValidation', async (request, reply) => {
      if (!(await mayEnter(request, reply))) return reply.callNotFound();
    });
    serve(desk, deskEntry, entryRoutes(deps), lookups);
    mountActs(desk, deps, lookups);
  });
  return mayEnter;
}
