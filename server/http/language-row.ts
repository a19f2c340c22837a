import type { FastifyInstance } from 'fastify';
import { matchLanguage, ownName } from '#contract/languages.ts';
import { publicPages } from '#contract/pages.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { keepLanguage } from './language.ts';
import { inLanguage } from '#server/language.ts';
import { pageText } from '#words/page.ts';

/**
 * The row of languages below a public page: a form that works without script. It comes back to the same address and to its
 * fragment, which gets the focus.
 */
export function languageRow(current: string, offered: readonly string[]): string {
  if (offered.length < 2) return '';
  const buttons = offered.map((language) => {
    const name = escapeHtml(ownName(language));
    const [mark, words] =
      language === current ? [' id="language" aria-current="true"', `<b>${name}</b>`] : ['', name];
    return `<button name="language" value="${language}" lang="${language}"${mark}>${words}</button>`;
  });
  const name = inLanguage(current, () => pageText.languages);
  return `<nav class="languages" aria-label="${escapeHtml(name)}"><form method="post">${buttons.join('')}</form></nav>`;
}

/** The pages that search engines list. */
const listedPaths = ['/', '/login', '/signup'];

/** Takes the choice of the row, and tells search engines of the other languages. */
export async function serveLanguages(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) {
  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    const read = { parseAs: 'string', bodyLimit: 100 } as const;
    forms.addContentTypeParser<string>('application/x-www-form-urlencoded', read, (_request, body, done) =>
      done(null, new URLSearchParams(body).get('language')),
    );
    for (const page of ['/', ...publicPages])
      forms.post(page, { config: { bound: 'language', isPlainForm: true } }, ({ url, body }, reply) => {
        const language = typeof body === 'string' ? matchLanguage(body, app.languages) : undefined;
        if (language === undefined) return reply.callNotFound();
        keepLanguage(reply, language, true);
        return reply.redirect(`${page}${URL.parse(url, publicUrl)?.search ?? ''}#language`, 303);
      });
  });
  app.get('/sitemap.xml', { config: { bound: 'memory' } }, (_request, reply) => {
    const at = (page: string) => publicUrl.origin + page;
    const link = (hreflang: string, href: string) =>
      `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`;
    const urls = listedPaths.map((page) => {
      const links = app.languages.map((language) => link(language, `${at(page)}?language=${language}`));
      return `<url><loc>${at(page)}</loc>${links.join('')}${link('x-default', at(page))}</url>`;
    });
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>`,
      );
  });
}
