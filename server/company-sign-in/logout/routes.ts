import type { FastifyInstance } from 'fastify';
import { connectionIdIn } from '#contract/company-sign-in/connections.ts';
import type { companyVisits } from '#contract/company-sign-in/visits.ts';
import { Refusal } from '#contract/errors.ts';
import type { Logouts } from './actions.ts';
import { findLeft, findOrgIdOf, type OfferSignOut } from './offers.ts';
import type { Deps } from '#server/deps.ts';
import { readTextForms } from '#server/http/form-body.ts';
import { answerRefusal } from '#server/http/refusal.ts';
import { type Handlers, waitingFor } from '#server/http/serve.ts';
import { inTurnOf } from '#server/http/turns.ts';

type Offers = Pick<Handlers<typeof companyVisits>, 'signOut'>;
export const signOutOffers = (deps: Deps, offerSignOut: OfferSignOut): Offers => ({
  signOut: waitingFor(
    async ({ cookies }) => (await findLeft(deps, cookies.left.value))?.connection.orgId,
    async ({ cookies }) => ({ link: await offerSignOut(cookies.left.value) }),
  ),
});

/** Serves the address at which a company's provider signs people out (OpenID Connect Back-Channel Logout 1.0, 2.7). */
export async function serveCompanyLogouts(app: FastifyInstance, deps: Deps, logOut: Logouts) {
  await app.register(async (providers) => {
    readTextForms(providers);
    const route = { config: { bound: 'elsewhere', isForPrograms: true } } as const;
    providers.post<{ Params: { id: string } }>(
      '/api/auth/company/:id/logout',
      route,
      async (request, reply) => {
        const id = connectionIdIn(request.params.id);
        const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
        const token = form.get('logout_token') ?? '';
        if (id === undefined || token === '') return reply.code(400).send({ error: 'invalid_request' });
        const isDone = await inTurnOf(
          { app, request, reply },
          () => findOrgIdOf(deps, id),
          () => logOut(id, token),
        );
        if (isDone instanceof Refusal) return answerRefusal(reply, isDone);
        void reply.header('cache-control', 'no-store');
        return isDone ? reply.code(200).send() : reply.code(400).send({ error: 'invalid_request' });
      },
    );
  });
}
