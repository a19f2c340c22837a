import type { FastifyReply, FastifyRequest } from 'fastify';
import { product } from '#contract/product.ts';
import { publicText } from '#words/public.ts';
import { spokenLanguage } from '#words/language.ts';
import { brandNow } from '#server/brand/brand.ts';
import { allowing, brandHead, withIcon } from '#server/brand/serve.ts';
import { escapeHtml } from '#server/html.ts';
import { builtFile, folderOf } from './built-files.ts';
import type { SecurityHeaders } from './headers.ts';
import type { Cookies } from './cookies.ts';
import type { Lookups } from './gate.ts';
import { languageOf } from './language.ts';
import { browserOf, originOf } from './serve.ts';
import { marksOf } from './web-page.ts';

/** The query, caller and browser of a window that comes back from a provider. */
export async function returnOf(
  request: FastifyRequest,
  cookies: Cookies,
  lookups: Pick<Lookups, 'findCaller'>,
) {
  const token = cookies.session.value;
  const caller = token === undefined ? null : await lookups.findCaller(token);
  return {
    query: new URL(request.url, 'http://portal').searchParams,
    caller,
    browser: browserOf({ origin: originOf(request), cookies, caller }),
  };
}

export function returnPages(headers: SecurityHeaders, webApp: string) {
  const heads = new Map<string, string>();
  const headIn = (language: string) => {
    const head = heads.get(language) ?? headOf(folderOf(webApp, language));
    heads.set(language, head);
    return head;
  };
  return (request: FastifyRequest, reply: FastifyReply, status: number, page: ReturnPage) => {
    const { style, source } = brandHead();
    const head = headIn(languageOf(request)) + style;
    return reply
      .code(status)
      .headers({ ...headers.plain, ...allowing(ownHeaders(headers), source) })
      .type('text/html; charset=utf-8')
      .send(withIcon(html(page, marksOf(request, reply), head)));
  };
}

function headOf(build: string): string {
  const style = builtFile(build, 'app/social-return.css');
  const script = builtFile(build, 'app/social-return.ts');
  return (
    (style ? `<link rel="stylesheet" href="${style}">` : '') +
    (script ? `<script type="module" src="${script}"></script>` : '')
  );
}

/** Allows the portal's own script and font, and lets the opener see the window close (docs/security.md F8). */
const ownHeaders = (headers: SecurityHeaders) => ({
  'content-security-policy': `${headers.plain['content-security-policy']}; font-src 'self'; script-src 'self'`,
  'cross-origin-opener-policy': 'unsafe-none',
});

export type ReturnPage = {
  readonly title: string;
  readonly lead: string;
  readonly link: { readonly href: string; readonly label: string };
  /** The page goes on to the link by itself. */
  readonly moves?: true;
  /** In a popup, the page that opened it goes to the link instead of staying. */
  readonly leads?: true;
};

const html = ({ title, lead, link, moves, leads }: ReturnPage, marks: string, head: string) =>
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
