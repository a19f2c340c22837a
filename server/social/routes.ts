import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { product } from '#contract/product.ts';
import {
  type ProviderName,
  providerNames,
  type social,
  SOCIAL_SIGN_IN_MINUTES,
} from '#contract/social/calls.ts';
import { publicText } from '#words/public.ts';
import { spokenLanguage } from '#words/language.ts';
import { socialText } from '#words/social.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { brandNow } from '#server/brand/brand.ts';
import { allowing, brandHead, withIcon } from '#server/brand/serve.ts';
import { builtFile, folderOf } from '#server/http/built-files.ts';
import { type Cookies, cookiesOf, giveCookies } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { languageOf } from '#server/http/language.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import { type Handlers, originOf } from '#server/http/serve.ts';
import { marksOf } from '#server/http/web-page.ts';
import { withShownAddresses } from '#server/shown-address.ts';
import { type Failed, isFailed, type Outcome, type Social } from '#server/social/actions.ts';

export const socialRoutes = (socialSignIn: Social): Handlers<typeof social> => ({
  start: async ({ input, caller, origin, cookies }) => {
    const started = await socialSignIn.start(input.channel, {
      client: origin,
      caller,
      termsVersion: input.termsVersion,
    });
    if (started instanceof Refusal) return started;
    cookies.oauth.set(started.browser);
    return { authUrl: started.authUrl };
  },
  linked: ({ caller }) => socialSignIn.linked(caller.userId),
  unlink: ({ caller, input }) => socialSignIn.unlink(caller, input.provider),
});

/** Serves the providers' callback URLs. They answer a page, because a window and not a script comes here. */
export function serveReturns(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  socialSignIn: Social,
  lookups: Pick<Lookups, 'findCaller'>,
  headers: SecurityHeaders,
  webApp: string,
) {
  const heads = new Map<string, string>();
  const headIn = (language: string) => {
    const head = heads.get(language) ?? headOf(folderOf(webApp, language));
    heads.set(language, head);
    return head;
  };
  const send = (request: FastifyRequest, reply: FastifyReply, status: number, page: Page) => {
    const { style, source } = brandHead();
    const head = headIn(languageOf(request)) + style;
    return reply
      .code(status)
      .headers({ ...headers.plain, ...allowing(ownHeaders(headers), source) })
      .type('text/html; charset=utf-8')
      .send(withIcon(html(page, marksOf(request, reply), head)));
  };
  const finish = async (name: ProviderName, request: FastifyRequest, cookies: Cookies) => {
    const token = cookies.session.value;
    const caller = token === undefined ? null : await lookups.findCaller(token);
    return socialSignIn.finish(name, {
      query: new URL(request.url, publicUrl).searchParams,
      cookie: cookies.oauth.value,
      caller,
      browser: {
        client: { ...originOf(request), replacedSession: caller?.sessionId },
        device: cookies.device.value,
      },
    });
  };
  const route = { exposeHeadRoute: false, config: { bound: 'elsewhere' } } as const;
  for (const name of providerNames)
    app.get(`/api/auth/callback/${name}`, route, async (request, reply) => {
      const cookies = cookiesOf(request, reply);
      const outcome = await app.admission.elsewhere(
        () => finish(name, request, cookies),
        queueKeyOf(request, reply),
        waitedMs(request),
      );
      // The visit is still stored, so the same URL works on a retry.
      if (outcome instanceof Refusal) {
        void reply.header('retry-after', String(outcome.detail.retryAfterSeconds));
        return send(request, reply, 503, failedPage({ failed: 'tooMany' }, name));
      }
      if (isFailed(outcome)) {
        // A return of another browser must not end this browser's visit.
        if (outcome.failed !== 'stale') cookies.oauth.clear();
        return send(request, reply, statusOf(outcome), failedPage(outcome, name));
      }
      cookies.oauth.clear();
      if (outcome !== 'linked') giveCookies(cookies, outcome, name);
      return send(request, reply, 200, pageOf(outcome, name));
    });
}

function headOf(build: string): string {
  const style = builtFile(build, 'app/social-return.css');
  const script = builtFile(build, 'app/social-return.ts');
  return (
    (style ? `<link rel="stylesheet" href="${style}">` : '') +
    (script ? `<script type="module" src="${script}"></script>` : '')
  );
}

/** A provider's failure is no 5xx of the portal. The window shows the page for any status. */
const statusOf = ({ failed }: Failed) =>
  failed === 'stale' || failed === 'noAnswer' || failed === 'cancelled' ? 400 : 403;

/** Allows the portal's own script and font, and lets the opener see the window close (docs/security.md F8). */
const ownHeaders = (headers: SecurityHeaders) => ({
  'content-security-policy': `${headers.plain['content-security-policy']}; font-src 'self'; script-src 'self'`,
  'cross-origin-opener-policy': 'unsafe-none',
});

type Page = {
  readonly title: string;
  readonly lead: string;
  readonly link: { readonly href: string; readonly label: string };
  /** The page goes on to the link by itself. */
  readonly moves?: true;
  /** In a popup, the page that opened it goes to the link instead of staying. */
  readonly leads?: true;
};

function pageOf(outcome: Exclude<Outcome, Failed>, name: ProviderName): Page {
  if (outcome === 'linked') {
    const { title, lead, goOn } = socialText.linked;
    const provider = { provider: socialButtonsText.providers[name] };
    return { title: title(provider), lead: lead(provider), link: { href: '/', label: goOn }, moves: true };
  }
  if ('challenge' in outcome) {
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

function failedPage({ failed, until }: Failed, name: ProviderName): Page {
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

const html = ({ title, lead, link, moves, leads }: Page, marks: string, head: string) =>
  `<!doctype html>
<html lang="${spokenLanguage.tag}" dir="${spokenLanguage.direction}"${marks}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/icon-light.svg"><title>${escapeHtml(publicText.title({ page: title }))}</title>${head}</head>
<body><header>${logo()}${escapeHtml(product.name)}</header><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p>
<a href="${escapeHtml(link.href)}"${moves ? ' data-moves' : ''}${leads ? ' data-leads' : ''}>${escapeHtml(link.label)}</a></main></body></html>`;

const logo = () => {
  const icon = brandNow()?.logo;
  if (!icon) return mark;
  const picture = (source: string, theme: string) => `<img src="${source}" alt="" class="${theme}">`;
  return picture(icon.light, 'on-light') + picture(icon.dark, 'on-dark');
};

/** The same mark as in web/ui/mark.tsx. */
const mark =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true"><path d="M4 20.5V11a8 8 0 0 1 16 0v9.5M8.9 20.5v-8.9a3.1 3.1 0 0 1 6.2 0v8.9M2 20.5h20"/></svg>';
