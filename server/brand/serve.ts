import type { FastifyInstance } from 'fastify';
import type { Site } from '#contract/site.ts';
import { type Brand, brandNow, legalOf } from './brand.ts';
import { accentStyle, tintOf } from './colours.ts';
import type { Brands } from './watch.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { inLanguage } from '#server/language.ts';
import { sha256 } from '#server/keys.ts';

export function serveBrand(app: FastifyInstance, brands: Brands, headers: SecurityHeaders) {
  app.addHook('onRequest', (_request, _reply, done) => {
    brands.lookEachMinute();
    done();
  });
  app.addHook('preClose', () => brands.settled());
  app.get('/brand/:hash/:name', { config: { bound: 'memory' } }, async (request, reply) => {
    const file = await brands.find(request.url.split('?', 1)[0] ?? '');
    if (!file) return reply.callNotFound();
    return reply
      .headers(headers.asset)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type(file.type)
      .send(file.bytes);
  });
}

/** The part of the settings that pages know, in the language of a page. */
export const siteOfBrand = (brand: Brand | null, language: string): Pick<Site, 'brand'> =>
  brand
    ? {
        brand: {
          name: brand.name,
          icons: brand.logo && { lightIcon: brand.logo.light, darkIcon: brand.logo.dark },
          ...(brand.line && { line: inLanguage(language, brand.line) }),
          ...inLanguage(language, () => legalOf(brand)),
        },
      }
    : {};

/** The pictures of web/ui/porch.module.css, of its copy in social-return.css, and of doorway.module.css. */
const PORCH = '.porch-porch,body::after';
const DOORWAY = '.doorway-doorway';

/** The tokens of web/ui/tokens.css in the brand's colour, and the picture beside the form with a veil under its words. */
function styleOf({ colour, entrance }: Brand) {
  const tinted = entrance ? DOORWAY : `${PORCH},${DOORWAY}`;
  const accent = colour ? `html:root{${accentStyle(colour)}}${tinted}{filter:${tintOf(colour)}}` : '';
  if (!entrance) return accent;
  const { light, dark } = entrance;
  const switched = '{--entrance:var(--dark)}';
  const inDark = `html{--dark:url(${dark})}@media(prefers-color-scheme:dark){html:not([data-theme=light])${switched}}html[data-theme=dark]${switched}`;
  return `${accent}${PORCH}{background:linear-gradient(#0000 40%,#000c 75%),var(--entrance) center/cover}html{--entrance:url(${light})}${light === dark ? '' : inDark}`;
}

/** The head of a page under a brand, and the source that lets its Content-Security-Policy take the style. */
export function brandHead(brand = brandNow()): { readonly style: string; readonly source: string } {
  const style = brand ? styleOf(brand) : '';
  if (style === '') return { style: '', source: '' };
  return { style: `<style>${style}</style>`, source: ` 'sha256-${sha256(style).toString('base64')}'` };
}

/** These headers with the source as a source of styles. */
export const allowing = <T extends { readonly 'content-security-policy': string }>(
  headers: T,
  source: string,
): T => ({
  ...headers,
  'content-security-policy': headers['content-security-policy'].replace("style-src 'self'", `$&${source}`),
});

/** The link of the icon in a page's head, with the brand's icon. */
export const withIcon = (page: string, icon = brandNow()?.favicon) =>
  icon ? page.replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${icon}">`) : page;
