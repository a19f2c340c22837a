import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { inLanguage } from '#server/language.ts';
import { openRequest } from '#server/testing/applications.ts';
import { signedUp } from '#server/testing/people.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { buildLanguage, fakeWebApp } from '#server/testing/web-app.ts';
import { errorText } from '#words/error.ts';

const webApp = fakeWebApp();
const all = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'];
for (const language of all) if (language !== 'en' && language !== 'ja') buildLanguage(webApp, language);
afterAll(() => rmSync(webApp, { recursive: true }));
const app = useApp({ LANGUAGES: all.join() }, webApp);

const get = (path: string, headers: Record<string, string> = {}) => raw(app.url, 'GET', path, { headers });
const languageIn = ({ text }: { text: string }) => /<html[^>]* lang="([\w-]+)"/.exec(text)?.[1];

type Wish = { readonly [By in 'header' | 'query' | 'cookie' | 'account' | 'asked']?: string };
/** A browser that has signed in with an account of a language, or come from an application that asks for some. */
async function visitorWith({ cookie, account, asked }: Wish) {
  const { visitor, id } =
    account === undefined ? { visitor: app.visitor(), id: undefined } : await signedUp(app);
  if (cookie !== undefined) visitor.cookies.set('portico-language', cookie);
  if (id !== undefined) {
    await updateRows(app, 'users', { id }, { language: account ?? null });
    responseOf(await visitor.get('/api/init'));
  }
  if (asked !== undefined) await openRequest(app, {}, { ui_locales: asked }, visitor);
  return visitor;
}

test.for<readonly [Wish, string]>([
  [{}, 'en'],
  [{ header: 'de-AT,de;q=0.9' }, 'de'],
  [{ query: 'ar', header: 'de' }, 'ar'],
  [{ cookie: 'de', query: 'fr', header: 'ar' }, 'de'],
  [{ cookie: 'de', account: 'fr', query: 'ar' }, 'fr'],
  [{ cookie: 'de', asked: 'es', query: 'ar' }, 'es'],
  [{ cookie: 'fr', asked: 'sv pt-PT es' }, 'pt-BR'],
  // Unknown, or not offered.
  [{ cookie: '"><script>', asked: 'sv', query: 'sv', header: 'sv, es;q=0.5' }, 'es'],
  [{ query: 'sv' }, 'en'],
  // Its pages are not built yet.
  [{ cookie: 'ja', header: 'ar' }, 'ar'],
])('with %j a page speaks %s', async ([wish, language]) => {
  const visitor = await visitorWith(wish);
  const path = `/login${wish.query === undefined ? '' : `?language=${wish.query}`}`;
  const page = await visitor.request('GET', path, { headers: { 'accept-language': wish.header ?? '' } });
  const text = await page.text();
  expect([languageIn({ text }), page.headers.get('content-language')]).toEqual([language, language]);
  expect(page.headers.get('vary')).toBe('Cookie, Accept-Language');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(text).toContain(`<main>["${language}"`);
});

test('a language is offered as soon as its pages are built, and no page mixes two', async () => {
  expect((await get('/login')).text).not.toContain('value="ja"');
  buildLanguage(webApp, 'ja');
  expect((await get('/login')).text).toContain(
    '<button name="language" value="ja" lang="ja">日本語</button>',
  );
  const tags = Array.from({ length: 42 }, (_, at) => all[at % all.length] ?? '');
  const pages = await Promise.all(tags.map((tag) => get('/login', { cookie: `portico-language=${tag}` })));
  expect(pages.map(({ text }) => /<main>\["([\w-]+)"/.exec(text)?.[1])).toEqual(tags);
  expect(pages.map(languageIn)).toEqual(tags);
});

test('seven languages at once are each answered in their own, with the same codes', async () => {
  const tags = Array.from({ length: 42 }, (_, at) => all[at % all.length] ?? '');
  const answers = await Promise.all(
    tags.map((tag) => get('/api/init', { cookie: `portico-language=${tag}` })),
  );
  const expected = tags.map((tag) => ({
    code: 'not_signed_in',
    details: inLanguage(tag, () => errorText.not_signed_in),
  }));
  expect(answers.map(({ text }) => (JSON.parse(text) as { error: object }).error)).toEqual(expected);
});

test('an answer before the cookies are read speaks the browser’s language', async () => {
  const headers = {
    'accept-language': 'ja',
    'content-type': 'application/json',
    origin: 'https://evil.example',
  };
  const { text } = await raw(app.url, 'POST', '/api/signin', { headers, body: '{}' });
  const details = inLanguage('ja', () => errorText.cross_site_request);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'cross_site_request', details } });
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
  expect(text).toContain('lang="de" id="language" aria-current="true"><b>Deutsch</b></button>');
  const answer = await choose('/login?redirectpath=%2F7%2Fmyprofile', 'language=ar', { origin: 'null' });
  const back = '/login?redirectpath=%2F7%2Fmyprofile#language';
  expect([answer.status, answer.headers.location]).toEqual([303, back]);
  expect(String(answer.headers['set-cookie'])).toBe(
    'portico-language=ar*; Max-Age=31536000; Path=/; SameSite=Lax',
  );
  expect((await get('/7/myprofile')).text).not.toContain('<nav');
});

test('a language that an application asks for leaves the person’s own, and gives way to a choice', async () => {
  const visitor = await visitorWith({ cookie: 'fr', asked: 'de' });
  expect(visitor.cookies.get('portico-language')).toBe('fr');
  const language = async () => languageIn({ text: await (await visitor.request('GET', '/login')).text() });
  expect(await language()).toBe('de');
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  await visitor.request('POST', '/login', { headers: form, raw: 'language=es' });
  expect(await language()).toBe('es');
});

test.for([
  ['/login', 'language=sv', {}, 'not_found'],
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
