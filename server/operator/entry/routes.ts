import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deskEntry } from '#contract/operator/desk.ts';
import type { Deps } from '#server/deps.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import { type Handlers, serve } from '#server/http/serve.ts';
import { networksOf } from '#server/ip-prefix.ts';
import { enterDesk, isOperator, leaveDesk, readDesk, requestPasskey } from './actions.ts';

const DESK_CALLS = '/api/operator';

const entryRoutes = (deps: Deps): Handlers<typeof deskEntry> => ({
  read: ({ caller }) => readDesk(deps, caller),
  beginPasskey: ({ caller }) => requestPasskey(deps, caller),
  enter: ({ input, caller }) => enterDesk(deps, caller, input),
  leave: ({ caller }) => leaveDesk(deps, caller),
});

type Enter = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
/** Whether an operator asks from the networks of the desk. */
export function deskDoor(deps: Deps, lookups: Pick<Lookups, 'findCaller'>): Enter {
  const isInside = networksOf(deps.config.deskNetworks);
  return async (request, reply) => {
    const token = cookiesOf(request, reply).session.value;
    const caller = token && isInside(clientAddress(request)) ? await lookups.findCaller(token) : null;
    return caller !== null && isOperator(deps, caller.userId);
  };
}

/** Sends everybody else's requests for the desk to an unknown address. Call it before anything judges a request. */
export const hideDesk = (app: FastifyInstance, mayEnter: Enter) =>
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.url?.startsWith(DESK_CALLS) || (await mayEnter(request, reply))) return;
    reply.hijack();
    request.raw.url = '/api/nothing';
    app.routing(request.raw, reply.raw);
  });

type Mount = (desk: FastifyInstance, deps: Deps, lookups: Lookups) => void;
/** Serves the desk's calls, if it has networks. */
export function serveDesk(app: FastifyInstance, deps: Deps, lookups: Lookups, mountActs: Mount) {
  if (deps.config.deskNetworks.length === 0) return;
  serve(app, deskEntry, entryRoutes(deps), lookups);
  mountActs(app, deps, lookups);
}
