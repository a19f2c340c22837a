import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { type ProviderName, providerNames, type social, SOCIAL_SIGN_IN_MINUTES } from '#contract/social.ts';
import { socialText } from '#contract/text/social.ts';
import { fill } from '#contract/text.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { cookiesOf, giveCookies } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { type Handlers, originOf } from '#server/http/serve.ts';
import { type Failed, isFailed, type Outcome, type Social } from '#server/social/actions.ts';

export const socialRoutes = (door: Social): Handlers<typeof social> => ({
  start: async ({ input, caller, origin, cookies }) => {
    const started = await door.start(input.channel, { place: origin, sessionId: caller?.sessionId });
    if (started instanceof Refusal) return started;
    cookies.oauth.set(started.browser);
    return { authUrl: started.authUrl };
  },
});

/** Where providers send people back to. It answers a page, for it is a window that comes here and not a script. */
export function serveReturns(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  door: Social,
  lookups: Pick<Lookups, 'findCaller'>,
  headers: SecurityHeaders,
) {
  const send = (reply: FastifyReply, status: number, page: Page) =>
    reply
      .code(status)
      .headers({ ...headers.plain, ...ownHeaders(headers) })
      .type('text/html; charset=utf-8')
      .send(html(page));
  for (const name of providerNames)
    app.get(`/api/auth/callback/${name}`, async (request, reply) => {
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
        return send(reply, statusOf(outcome), failedPage(outcome, name));
      }
      cookies.oauth.clear();
      if (outcome !== 'linked') giveCookies(cookies, outcome);
      return send(reply, 200, pageOf(outcome, name));
    });
  app.get('/api/auth/leave.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(leaveScript),
  );
}

/** A provider that fails is not our failure, and a window shows a page whatever its status says. */
const statusOf = ({ failed }: Failed) =>
  failed === 'stale' || failed === 'noAnswer' || failed === 'cancelled' ? 400 : 403;

/** One script of ours; and the window that opened this one may see it close (design/security.md F8: it learns nothing more). */
const ownHeaders = (headers: SecurityHeaders) => ({
  'content-security-policy': `${headers.plain['content-security-policy']}; script-src 'self'`,
  'cross-origin-opener-policy': 'unsafe-none',
});

type Page = {
  readonly title: string;
  readonly lead: string;
  readonly link: { readonly href: string; readonly label: string };
  /** Goes on by itself; where it stands in a popup, a page that is to close does. */
  readonly moves?: true;
  readonly closes?: true;
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
      closes: true,
    };
  }
  if ('challenge' in outcome) {
    const { title, lead, goOn } = socialText.code;
    const { contact } = outcome;
    const query = new URLSearchParams({ contact }).toString();
    const link = { href: `/login?${query}`, label: goOn };
    return { title, lead: fill(lead, { contact }), link, moves: true };
  }
  const { title, lead, goOn } = socialText.in;
  return { title, lead, link: { href: '/', label: goOn }, moves: true, closes: true };
}

function failedPage({ failed, until }: Failed, name: ProviderName): Page {
  const values = { provider: socialText.providers[name], minutes: SOCIAL_SIGN_IN_MINUTES };
  const page = { title: socialText.failedTitle, lead: fill(socialText.failures[failed], values) };
  const { back } = socialText;
  if (failed === 'deactivated' || failed === 'restricted') {
    const query = new URLSearchParams({ reason: failed, ...(until && { until: until.toISOString() }) });
    return { ...page, link: { href: `/support?${query.toString()}`, label: back.support } };
  }
  if (failed === 'notConfirmed') return { ...page, link: { href: '/verifyaccount', label: back.verify } };
  return { ...page, link: { href: '/login', label: back.signIn }, closes: true };
}

const html = ({ title, lead, link, moves, closes }: Page) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><link rel="stylesheet" href="/api/docs/style.css"></head>
<body class="single"><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p>
<p><a href="${escapeHtml(link.href)}"${moves ? ' data-moves' : ''}${closes ? ' data-closes' : ''}>${escapeHtml(link.label)}</a></p></main>
<script src="/api/auth/leave.js"></script></body></html>`;

/** A popup closes and lets the page that opened it load itself again; a window that is no popup goes on. */
const leaveScript = `const link = document.querySelector('main a');
const closes = 'closes' in link.dataset && window.opener !== null;
link.addEventListener('click', (event) => {
  if (!closes) return;
  event.preventDefault();
  window.close();
});
if ('moves' in link.dataset) closes ? window.close() : location.replace(link.href);
`;
