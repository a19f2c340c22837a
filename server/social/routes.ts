import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import {
  type ProviderName,
  providerNames,
  type social,
  SOCIAL_SIGN_IN_MINUTES,
} from '#contract/social/calls.ts';
import { publicText } from '#words/public.ts';
import { socialText } from '#words/social.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { returnOf, type ReturnPage, returnPages } from '#server/http/return-page.ts';
import { cookiesOf, giveCookies } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import type { Handlers } from '#server/http/serve.ts';
import { withShownAddresses } from '#server/shown-address.ts';
import type { Waiting } from './links.ts';
import { type Failed, isFailed, type Outcome, type Social } from './actions.ts';

export const socialRoutes = (socialSignIn: Social): Handlers<typeof social> => ({
  start: async ({ input, caller, origin, cookies }) => {
    const started = await socialSignIn.start(input.channel, {
      client: origin,
      caller,
      cookie: cookies.oauth.value,
      termsVersion: input.termsVersion,
    });
    if (started instanceof Refusal) return started;
    cookies.oauth.set(started.browser);
    return { authUrl: started.authUrl };
  },
  waiting: ({ caller, input }) => socialSignIn.waiting(caller, input.visit),
  link: ({ caller, input }) => socialSignIn.link(caller, input.visit),
  linked: ({ caller }) => socialSignIn.linked(caller.userId),
  unlink: ({ caller, input }) => socialSignIn.unlink(caller, input.provider),
});

/** Serves the providers' callback URLs. They answer a page, because a window and not a script comes here. */
export function serveReturns(
  app: FastifyInstance,
  socialSignIn: Social,
  lookups: Pick<Lookups, 'findCaller'>,
  headers: SecurityHeaders,
  webApp: string,
) {
  const send = returnPages(headers, webApp);
  const route = { exposeHeadRoute: false, config: { bound: 'elsewhere' } } as const;
  for (const name of providerNames)
    app.get(`/api/auth/callback/${name}`, route, async (request, reply) => {
      const cookies = cookiesOf(request, reply);
      const outcome = await app.admission.elsewhere(
        async () => {
          const returned = await returnOf(request, cookies, lookups);
          return socialSignIn.finish(name, { ...returned, cookie: cookies.oauth.value });
        },
        queueKeyOf(request, reply),
        waitedMs(request),
      );
      // The visit is still stored, so the same URL works on a retry.
      if (outcome instanceof Refusal) {
        void reply.header('retry-after', String(outcome.detail.retryAfterSeconds));
        return send(request, reply, 503, failedPage({ failed: 'tooMany' }, name));
      }
      if (isFailed(outcome)) return send(request, reply, statusOf(outcome), failedPage(outcome, name));
      if (typeof outcome === 'object' && 'waits' in outcome)
        return reply.redirect(`/account/sociallink?${new URLSearchParams({ visit: outcome.waits })}`, 303);
      if (typeof outcome === 'object') giveCookies(cookies, outcome, name);
      return send(request, reply, 200, pageOf(outcome, name));
    });
}

/** A provider's failure is no 5xx of the portal. The window shows the page for any status. */
const statusOf = ({ failed }: Failed) =>
  failed === 'stale' || failed === 'noAnswer' || failed === 'cancelled' ? 400 : 403;

function pageOf(outcome: Exclude<Outcome, Failed | Waiting>, name: ProviderName): ReturnPage {
  if (outcome === 'linked') {
    const { title, lead, goOn } = socialText.linked;
    const provider = { provider: socialButtonsText.providers[name] };
    return { title: title(provider), lead: lead(provider), link: { href: '/', label: goOn }, moves: true };
  }
  if (outcome !== 'stays' && 'challenge' in outcome) {
    const isMailed = outcome.ways[0] === 'mail';
    const { title, goOn } = isMailed ? socialText.code : socialText.step;
    const contact = withShownAddresses(outcome.contact ?? '');
    const ways = isMailed && outcome.ways.length === 1 ? {} : { ways: outcome.ways.join(' ') };
    const query = new URLSearchParams({ ...(contact && { contact }), ...ways }).toString();
    const link = { href: `/login?${query}`, label: goOn };
    const lead = isMailed ? socialText.code.lead({ contact }) : socialText.step.lead;
    return { title, lead, link, moves: true, leads: true };
  }
  const { title, lead, goOn } = socialText.in;
  // The login page knows where a signed-in person goes on to.
  return { title, lead, link: { href: '/login', label: goOn }, moves: true };
}

function failedPage({ failed, until }: Failed, name: ProviderName): ReturnPage {
  const values = { provider: socialButtonsText.providers[name], minutes: SOCIAL_SIGN_IN_MINUTES };
  const why = socialText.failures[failed];
  const page = { title: socialText.failedTitle, lead: typeof why === 'string' ? why : why(values) };
  const { back } = socialText;
  if (failed === 'deactivated' || failed === 'restricted') {
    const query = new URLSearchParams({ reason: failed, ...(until && { until: until.toISOString() }) });
    return { ...page, link: { href: `/support?${query.toString()}`, label: back.support }, leads: true };
  }
  if (failed === 'notConfirmed')
    return { ...page, link: { href: '/verifyaccount', label: back.verify }, leads: true };
  return { ...page, link: { href: '/login', label: publicText.toLogin } };
}
