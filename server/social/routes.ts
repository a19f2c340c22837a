import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { type ProviderName, providerNames, type social, SOCIAL_SIGN_IN_MINUTES } from '#contract/social.ts';
import { publicText } from '#contract/text/public.ts';
import { socialText } from '#contract/text/social.ts';
import { fill } from '#contract/text.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { builtFile } from '#server/http/built-files.ts';
import { cookiesOf, giveCookies } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { type Handlers, originOf } from '#server/http/serve.ts';
import { marksOf } from '#server/http/web-page.ts';
import { type Failed, isFailed, type Outcome, type Social } from '#server/social/actions.ts';

export const socialRoutes = (door: Social): Handlers<typeof social> => ({
  start: async ({ input, caller, origin, cookies }) => {
    const started = await door.start(input.channel, { place: origin, sessionId: caller?.sessionId });
    if (started instanceof Refusal) return started;
    cookies.oauth.set(started.browser);
    return { authUrl: started.authUrl };
  },
  linked: ({ caller }) => door.linked(caller.userId),
  unlink: ({ caller, input }) => door.unlink(caller, input.provider),
});

/** Where providers send people back to. It answers a page, for it is a window that comes here and not a script. */
export function serveReturns(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  door: Social,
  lookups: Pick<Lookups, 'findCaller'>,
  headers: SecurityHeaders,
  webApp: string,
) {
  const style = builtFile(webApp, 'app/social-return.css');
  const script = builtFile(webApp, 'app/social-return.ts');
  const head =
    (style ? `<link rel="stylesheet" href="${style}">` : '') +
    (script ? `<script type="module" src="${script}"></script>` : '');
  const send = (request: FastifyRequest, reply: FastifyReply, status: number, page: Page) =>
    reply
      .code(status)
      .headers({ ...headers.plain, ...ownHeaders(headers) })
      .type('text/html; charset=utf-8')
      .send(html(page, marksOf(request, reply), head));
  for (const name of providerNames)
    app.get(`/api/auth/callback/${name}`, { exposeHeadRoute: false }, async (request, reply) => {
      const cookies = cookiesOf(request, reply);
      const token = cookies.session.value;
      const caller = token === undefined ? null : await lookups.findCaller(token);
      const outcome = await door.finish(name, {
        query: new URL(request.url, publicUrl).searchParams,
        cookie: cookies.oauth.value,
        caller,
        browser: {
          place: { ...originOf(request), replacedSession: caller?.sessionId },
          device: cookies.device.value,
        },
      });
      if (isFailed(outcome)) {
        // A return that is not this browser's must not end the visit it is on.
        if (outcome.failed !== 'stale') cookies.oauth.clear();
        return send(request, reply, statusOf(outcome), failedPage(outcome, name));
      }
      cookies.oauth.clear();
      if (outcome !== 'linked') giveCookies(cookies, outcome, name);
      return send(request, reply, 200, pageOf(outcome, name));
    });
}

/** A provider that fails is not our failure, and a window shows a page whatever its status says. */
const statusOf = ({ failed }: Failed) =>
  failed === 'stale' || failed === 'noAnswer' || failed === 'cancelled' ? 400 : 403;

/** Our own script and font; and the window that opened this one may see it close (docs/security.md F8: it learns nothing more). */
const ownHeaders = (headers: SecurityHeaders) => ({
  'content-security-policy': `${headers.plain['content-security-policy']}; font-src 'self'; script-src 'self'`,
  'cross-origin-opener-policy': 'unsafe-none',
});

type Page = {
  readonly title: string;
  readonly lead: string;
  readonly link: { readonly href: string; readonly label: string };
  /** Goes on by itself. */
  readonly moves?: true;
  /** From a popup, takes the page that opened it along; else that page stays where it is. */
  readonly leads?: true;
};

function pageOf(outcome: Exclude<Outcome, Failed>, name: ProviderName): Page {
  const provider = socialText.providers[name];
  if (outcome === 'linked') {
    const { title, lead, goOn } = socialText.linked;
    const link = { href: '/', label: goOn };
    return {
      title: fill(title, { provider }),
      lead: fill(lead, { provider }),
      link,
      moves: true,
    };
  }
  if ('challenge' in outcome) {
    const { title, lead, goOn } = socialText.code;
    const { contact } = outcome;
    const query = new URLSearchParams({ contact }).toString();
    const link = { href: `/login?${query}`, label: goOn };
    return { title, lead: fill(lead, { contact }), link, moves: true, leads: true };
  }
  const { title, lead, goOn } = socialText.in;
  // The login page knows where somebody who is signed in goes on to.
  return { title, lead, link: { href: '/login', label: goOn }, moves: true };
}

function failedPage({ failed, until }: Failed, name: ProviderName): Page {
  const values = { provider: socialText.providers[name], minutes: SOCIAL_SIGN_IN_MINUTES };
  const page = { title: socialText.failedTitle, lead: fill(socialText.failures[failed], values) };
  const { back } = socialText;
  if (failed === 'deactivated' || failed === 'restricted') {
    const query = new URLSearchParams({ reason: failed, ...(until && { until: until.toISOString() }) });
    return { ...page, link: { href: `/support?${query.toString()}`, label: back.support }, leads: true };
  }
  if (failed === 'notConfirmed')
    return { ...page, link: { href: '/verifyaccount', label: back.verify }, leads: true };
  return { ...page, link: { href: '/login', label: publicText.toLogin } };
}

const html = ({ title, lead, link, moves, leads }: Page, marks: string, head: string) =>
  `<!doctype html>
<html lang="en"${marks}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/icon-light.svg"><title>${escapeHtml(fill(publicText.title, { page: title, product: PRODUCT_NAME }))}</title>${head}</head>
<body><header>${mark}${PRODUCT_NAME}</header><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p>
<a href="${escapeHtml(link.href)}"${moves ? ' data-moves' : ''}${leads ? ' data-leads' : ''}>${escapeHtml(link.label)}</a></main></body></html>`;

/** As web/ui/mark.tsx draws it. */
const mark =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true"><path d="M4 20.5V11a8 8 0 0 1 16 0v9.5M8.9 20.5v-8.9a3.1 3.1 0 0 1 6.2 0v8.9M2 20.5h20"/></svg>';
