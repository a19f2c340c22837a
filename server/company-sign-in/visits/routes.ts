import type { FastifyInstance } from 'fastify';
import {
  type companyConnections,
  connectionIdIn,
  type FaultOfProvider,
  PROVIDER_FAULTS,
  type VisitFailure,
} from '#contract/company-sign-in/connections.ts';
import { COMPANY_VISIT_MINUTES, type companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, type RefusalName } from '#contract/errors.ts';
import { companyVisitText as text } from '#words/company-visit.ts';
import { publicText } from '#words/public.ts';
import type { Visits } from './actions.ts';
import { listAttemptsOf } from './aftermath.ts';
import { discover, findAsked, findOrgIdOf, findProving } from './discovery.ts';
import type { Failed } from './entries.ts';
import { completeLink, readPendingLink } from './links.ts';
import type { Deps } from '#server/deps.ts';
import type { Client } from '#server/origin.ts';
import { type Cookies, cookiesOf, giveCookies } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { returnOf, type ReturnPage, returnPages } from '#server/http/return-page.ts';
import { type Handlers, waitingFor } from '#server/http/serve.ts';
import { inTurnOf } from '#server/http/turns.ts';

type Started = { readonly authUrl: string; readonly browser: string };
function leave<R extends RefusalName>(cookies: Cookies, started: Started | Refusal<R>) {
  if (started instanceof Refusal) return started;
  cookies.company.set(started.browser);
  return { authUrl: started.authUrl };
}

type Call<Caller> = { readonly caller: Caller; readonly origin: Client; readonly cookies: Cookies };
const leavingOf = <Caller>({ caller, origin, cookies }: Call<Caller>) => ({
  caller,
  network: origin.ipAddress,
  cookie: cookies.company.value,
});

const waitingIn = (cookies: Cookies, { visit }: Input<typeof companyVisits.link>) => ({
  visit,
  browser: cookies.company.value ?? '',
});

export const visitRoutes = (deps: Deps, visits: Visits): Omit<Handlers<typeof companyVisits>, 'signOut'> => ({
  discover: ({ input, origin }) => discover(deps, input, origin.ipAddress),
  start: waitingFor(
    async ({ input, caller }) => (await findAsked(deps, input, caller))?.orgId,
    async ({ input, ...call }) => leave(call.cookies, await visits.start(input, leavingOf(call))),
  ),
  prove: waitingFor(
    async ({ caller }) => (await findProving(deps, caller))?.orgId,
    async ({ input, ...call }) => leave(call.cookies, await visits.prove(input, leavingOf(call))),
  ),
  pendingLink: ({ input, caller, cookies }) =>
    readPendingLink(deps, waitingIn(cookies, input), caller.userId),
  link: ({ input, caller, cookies }) => completeLink(deps, caller, waitingIn(cookies, input)),
});

type OfConnections = Pick<Handlers<typeof companyConnections>, 'test' | 'attempts'>;
export const attemptRoutes = (deps: Deps, visits: Visits): OfConnections => ({
  test: async ({ input, scope, caller, ...call }) =>
    leave(call.cookies, await visits.test(input.id, leavingOf({ ...call, caller: { ...caller, ...scope } }))),
  attempts: ({ scope, caller }) => listAttemptsOf(deps, { ...caller, ...scope }),
});

/** Serves the redirect address of each connection. */
export function serveCompanyReturns(
  app: FastifyInstance,
  { sql }: Pick<Deps, 'sql'>,
  visits: Visits,
  lookups: Pick<Lookups, 'findCaller'>,
  headers: SecurityHeaders,
  webApp: string,
) {
  const send = returnPages(headers, webApp);
  const route = { exposeHeadRoute: false, config: { bound: 'elsewhere' } } as const;
  app.get<{ Params: { id: string } }>('/api/auth/company/:id', route, async (request, reply) => {
    const cookies = cookiesOf(request, reply);
    // A sign-out at the provider leads back here, too.
    if (!request.url.includes('?')) return reply.redirect('/login', 303);
    const id = connectionIdIn(request.params.id);
    if (id === undefined) return send(request, reply, 400, failedPage(stale));
    const outcome = await inTurnOf(
      { app, request, reply },
      () => findOrgIdOf({ sql }, id),
      async () => {
        const returned = await returnOf(request, cookies, lookups);
        return visits.finish(id, { ...returned, cookie: cookies.company.value });
      },
    );
    if (outcome instanceof Refusal) {
      void reply.header('retry-after', String(outcome.detail.retryAfterSeconds));
      return send(request, reply, 503, failedPage({ outcome: 'noAnswer', reference: '' }));
    }
    if ('failed' in outcome)
      return send(request, reply, outcome.outcome === 'stale' ? 400 : 403, failedPage(outcome));
    if (outcome.outcome === 'proven') cookies.session.set(outcome.token);
    if (outcome.outcome === 'signedIn') giveCookies(cookies, outcome.signedIn);
    return reply.redirect(outcome.to, 303);
  });
}

const isFaultOfProvider = (outcome: VisitFailure): outcome is FaultOfProvider =>
  PROVIDER_FAULTS.some((fault) => fault === outcome);

const stale = { outcome: 'stale', reference: '' } as const;
function failedPage({ outcome, reference, to }: Omit<Failed, 'failed'>): ReturnPage {
  const why = text.failures[isFaultOfProvider(outcome) ? 'wrongAnswer' : outcome];
  const lead = typeof why === 'string' ? why : why({ minutes: COMPANY_VISIT_MINUTES });
  const told = reference ? ` ${text.reference({ reference })}` : '';
  return {
    title: to === undefined ? text.failedTitle : text.notProvenTitle,
    lead: lead + told,
    link: to === undefined ? { href: '/login', label: publicText.toLogin } : { href: to, label: text.back },
  };
}
