import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { deskActs, deskCall, deskEntry } from '#contract/operator/desk.ts';
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
  runAtDesk,
} from '#server/operator/desk/actions.ts';

type Values = Readonly<Record<string, unknown>>;
const entryRoutes = (deps: Deps): Handlers<typeof deskEntry> => ({
  read: ({ caller }) => readDesk(deps, caller),
  beginPasskey: ({ caller }) => requestPasskey(deps, caller),
  enter: ({ input, caller }) => enterDesk(deps, caller, input),
  leave: ({ caller }) => leaveDesk(deps, caller),
});

/** Serves the desk's calls to operators in its networks; for everybody else they are unknown. Returns who may open its page. */
export async function serveDesk(app: FastifyInstance, deps: Deps, lookups: Lookups) {
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
    for (const name of deskActs) {
      const calls: Record<string, Endpoint> = { [name]: deskCall(name) };
      serve(
        desk,
        calls,
        { [name]: ({ input, caller, origin }) => runAtDesk(deps, caller, origin, name, input as Values) },
        lookups,
      );
    }
  });
  return mayEnter;
}
