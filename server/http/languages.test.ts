import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { codeIn, raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
import { buildLanguage, fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
buildLanguage(webApp, 'de');
buildLanguage(webApp, 'ar');
afterAll(() => rmSync(webApp, { recursive: true }));
const app = useApp({ LANGUAGES: 'en,de,ja,ar' }, webApp);

const get = (path: string, headers: Record<string, string> = {}) => raw(app.url, 'GET', path, { headers });
const languageIn = ({ text }: { text: string }) => /<html[^>]* lang="([\w-]+)"/.exec(text)?.[1];

test.for([
  ['/login', {}, 'en'],
  ['/login', { 'accept-language': 'de-AT,de;q=0.9' }, 'de'],
  ['/login?language=ar', { 'accept-language': 'de' }, 'ar'],
  ['/7/myprofile', { cookie: 'portico-language=de', 'accept-language': 'ar' }, 'de'],
  ['/', { cookie: 'portico-language="><script>' }, 'en'],
  // Its pages are not built yet.
  ['/login', { cookie: 'portico-language=ja', 'accept-language': 'ar' }, 'ar'],
  // Not offered.
  ['/login?language=fr', {}, 'en'],
] as const)('%s with %j speaks %s', async ([path, headers, language]) => {
  const page = await get(path, headers);
  expect([languageIn(page), page.headers['content-language']]).toEqual([language, language]);
  expect(page.headers['vary']).toBe('Cookie, Accept-Language');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.text).toContain(path.startsWith('/login') ? `<main>["${language}"` : '<html');
});

test('a language is offered as soon as its pages are built, and no page mixes two', async () => {
  expect((await get('/login')).text).not.toContain('value="ja"');
  buildLanguage(webApp, 'ja');
  expect((await get('/login')).text).toContain(
    '<button name="language" value="ja" lang="ja">日本語</button>',
  );
  const tags = Array.from({ length: 40 }, (_, at) => ['en', 'de', 'ja', 'ar'][at % 4] ?? '');
  const pages = await Promise.all(tags.map((tag) => get('/login', { cookie: `portico-language=${tag}` })));
  expect(pages.map(({ text }) => /<main>\["([\w-]+)"/.exec(text)?.[1])).toEqual(tags);
  expect(pages.map(languageIn)).toEqual(tags);
});

const choose = (path: string, body: string, headers: Record<string, string> = {}) =>
  raw(app.url, 'POST', path, {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });

test('the row of languages comes back to the same address and is kept for a year', async () => {
  const { text } = await get('/login', { cookie: 'portico-language=de' });
  expect(text).toContain('<nav class="languages" aria-label="Sprache"><form method="post">');
  expect(text).toContain('lang="de" aria-current="true"><b>Deutsch</b></button>');
  const answer = await choose('/login?redirectpath=%2F7%2Fmyprofile', 'language=ar', { origin: 'null' });
  expect([answer.status, answer.headers.location]).toEqual([303, '/login?redirectpath=%2F7%2Fmyprofile']);
  expect(String(answer.headers['set-cookie'])).toBe(
    'portico-language=ar; Max-Age=31536000; Path=/; SameSite=Lax',
  );
  expect((await get('/7/myprofile')).text).not.toContain('<nav');
});

test.for([
  ['/login', 'language=fr', {}, 'not_found'],
  ['/login', `language=de${'&'.repeat(100)}`, {}, 'payload_too_large'],
  ['/login', '{"language":"de"}', { 'content-type': 'application/json' }, 'unsupported_media_type'],
  ['/login', 'language=de', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 'cross_site_request'],
  ['/login', 'language=de', { 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
  ['/7/myprofile', 'language=de', {}, 'not_found'],
] as const)(
  'a choice of language at %s with %j and %j is refused: %s (E1)',
  async ([path, body, headers, code]) => {
    const answer = await choose(path, body, headers);
    expect([codeIn(answer), answer.headers['set-cookie']]).toEqual([code, undefined]);
  },
);

test('search engines find each language of the entrance', async () => {
  const { headers, text } = await get('/sitemap.xml');
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(text).toContain(
    `<loc>${app.url}/login</loc><xhtml:link rel="alternate" hreflang="en" href="${app.url}/login?language=en"/>`,
  );
});
