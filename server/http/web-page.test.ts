import { copyFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { publicPages } from '#contract/pages.ts';
import type { Site } from '#contract/site.ts';
import { HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { openRequest, registerApplication } from '#server/testing/applications.ts';
import { signedUp } from '#server/testing/people.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { updateRows } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
afterAll(() => rmSync(webApp, { recursive: true }));

const pricing = `https://price.example/$&/$'?a=1&b="<script>`;
const app = useApp(
  { PRICING_URL: pricing, SUPPORT_EMAIL: 'help&care@northwind.example', SIGN_URL: 'https://sign.example/' },
  webApp,
);

const get = (path: string, headers: Record<string, string> = {}) => raw(app.url, 'GET', path, { headers });
const titleOf = (page: { text: string }) => /<title>(\w+)/.exec(page.text)?.[1];

test('/ is the public home, or the area for a caller with a valid session', async () => {
  const { visitor } = await signedUp(app);
  const cookie = `portico=${visitor.session}`;
  expect(titleOf(await get('/'))).toBe('public');
  expect(titleOf(await get('/', { cookie: 'portico=' }))).toBe('public');
  expect(titleOf(await get('/', { cookie: `portico=${'a'.repeat(43)}` }))).toBe('public');
  expect(titleOf(await get('/', { cookie: `__Host-${cookie}` }))).toBe('public');
  expect(titleOf(await get('/', { cookie }))).toBe('area');
  expect(titleOf(await get('/?org_id=1', { cookie }))).toBe('area');
  app.clock.forward(169 * HOUR_MS);
  expect(titleOf(await get('/', { cookie }))).toBe('public');
});

test.for([...publicPages])('%s is public, also with a query', async (path) => {
  expect(titleOf(await get(path))).toBe('public');
  expect(titleOf(await get(`${path}?digest=abc`))).toBe('public');
});

test.for(['/7/myprofile', '/northwind', '/onboarding', '/login/x', '/Login', '/apis'])(
  '%s belongs to the area',
  async (path) => {
    expect(titleOf(await get(path))).toBe('area');
  },
);

test.for([
  ...'/api /api/ /api/x /api?x /api/../x /api/../../etc/passwd /api/./ /api//x //api/x /%61pi/x'.split(' '),
  ...'/api%2fx /api%2f..%2fx /drive /drive/ /drive/nothing /drive/../x /drive/%2e%2e/x /assets'.split(' '),
  ...'/assets/ /assets/gone.js /assets/../public.html /assets/..%2fpublic.html'.split(' '),
  ...'/assets/%2e%2e/%2e%2e/package.json /assets/..%5c..%5cpackage.json /assets/area-1a2b.js/'.split(' '),
  ...'/area.html /favicon.ico'.split(' '),
])('%s never falls through to a page', async (path) => {
  const answer = await get(path);
  expect(['not_found', 'malformed_request']).toContain(codeIn(answer));
  expect(answer.text).not.toContain('<html');
});

test('a password manager is led to the change of the password', async () => {
  const { status, headers } = await get('/.well-known/change-password');
  expect([status, headers.location]).toEqual([302, '/account/myprofile#change-password']);
});

const byPerson = (path: string) => get(path, { accept: 'text/html,*/*;q=0.8' });
test.for([
  ...'/northwind/myprofile /12/myapps /onboarding /northwind/organization/role/7'.split(' '),
  ...'/north/nowhere /nowhere/at/all /n%C3%B6rd /login/ /index.html /a/b.php //evil.example'.split(' '),
])('%s, opened by a person, is a page that knows the way, and a 404 if it leads nowhere', async (path) => {
  const answer = await byPerson(path);
  const status = /nowhere|%C3|login|\.\w/.test(path) ? 404 : 200;
  expect([answer.status, titleOf(answer)]).toEqual([status, 'area']);
});
test.for(['/%', '/%E0%A4%A', '/%c0%ae?x=1'])('%s, opened by a person, redirects home', async (path) => {
  const { status, headers } = await byPerson(path);
  expect([status, headers.location, headers['cache-control']]).toEqual([302, '/', 'no-store']);
});

test.for([
  ['/account/deleteaccount.', '/account/deleteaccount'],
  ['/northwind/organization%29%2C%20', '/northwind/organization'],
  ['/forgotpassword%3E?source=mail', '/forgotpassword'],
] as const)('the end that a copied link brings along is cut off: %s', async ([path, to]) => {
  const { status, headers } = await get(path, { accept: 'text/html' });
  expect({ status, to: headers.location }).toEqual({ status: 302, to });
});

test.for(['/api/x.html', '/api/%', '/drive/%', '/assets/x.html', '//api/x.html'])(
  '%s is never a page',
  async (path) => {
    expect(codeIn(await byPerson(path))).toBeOneOf(['not_found', 'malformed_request']);
  },
);

test.for([
  '/../../package.json',
  '/..%2f..%2fpackage.json',
  '/.vite/manifest.json',
  '/public.html.br',
  '/%00',
])('%s shows no files of the server', async (path) => {
  const answer = await get(path);
  expect(answer.text).not.toMatch(/"dependencies"|social-return/);
  expect(titleOf(answer) ?? codeIn(answer)).toBeOneOf(['area', 'malformed_request', 'not_found']);
});

test('only GET and HEAD show a page', async () => {
  expect((await raw(app.url, 'HEAD', '/login')).status).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const code = codeIn(await raw(app.url, method, '/login'));
    expect({ method, code }).toEqual({ method, code: 'not_found' });
  }
});

test.for([
  { cookie: 'portico-theme=dark', html: '<html data-theme="dark" lang="en">' },
  { cookie: 'portico-theme=light', html: '<html data-theme="light" lang="en">' },
  { cookie: 'portico-theme=DARK', html: '<html lang="en">' },
  { cookie: 'portico-theme=dark%22%20onload%3d%22x', html: '<html lang="en">' },
  { cookie: 'portico-theme="><script>', html: '<html lang="en">' },
  { cookie: "portico-theme=$'", html: '<html lang="en">' },
  { cookie: 'portico-theme=', html: '<html lang="en">' },
  { cookie: 'theme=dark', html: '<html lang="en">' },
  { cookie: 'portico-theme=light; portico-theme=dark', html: '<html data-theme="light" lang="en">' },
])('cookie $cookie paints $html', async ({ cookie, html }) => {
  for (const path of ['/login', '/7/myprofile']) {
    const page = await get(path, { cookie });
    expect(/<html[^]*?><head>/.exec(page.text)?.[0]).toBe(`${html}<head>`);
    const theme = /data-theme="(\w+)"/.exec(html)?.[1];
    expect(page.text).toContain(`<meta name="color-scheme" content="${theme ?? 'light dark'}" />`);
  }
});

test.for([
  { cookie: 'portico-method=google', html: '<html data-last-used="google" lang="en">' },
  { cookie: 'portico-method=password', html: '<html data-last-used="password" lang="en">' },
  {
    cookie: 'portico-theme=dark; portico-method=facebook',
    html: '<html data-theme="dark" data-last-used="facebook" lang="en">',
  },
  { cookie: 'portico-method=myspace', html: '<html lang="en">' },
  { cookie: 'portico-method=google%22%20onload%3d%22x', html: '<html lang="en">' },
])('cookie $cookie marks $html', async ({ cookie, html }) => {
  expect(/<html[^]*?>/.exec((await get('/login', { cookie })).text)?.[0]).toBe(html);
});

test("only the operator turns on Google's button", async () => {
  const other = await startApp({ GOOGLE_LOGIN: '1' }, webApp);
  expect((await raw(other.url, 'GET', '/login')).text).toContain('"googleLogin":true');
  await other.close();
});

test("the page contains the operator's settings, escaped", async () => {
  const { text } = await get('/login');
  const [, content = ''] = /<meta name="portico-site" content='([^']*)'>/.exec(text) ?? [];
  expect(content).not.toMatch(/[<']/);
  const site = content.replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  expect(JSON.parse(site)).toEqual({
    signUrl: 'https://sign.example',
    seoUrl: null,
    pricingUrl: new URL(pricing).href,
    supportEmail: 'help&care@northwind.example',
    googleLogin: false,
    applications: [],
    destination: null,
    languages: [],
  });
  expect(text).not.toContain('<!--site-->');
  expect(text.match(/<title>/g)).toHaveLength(1);
});

test.for([
  ['/', 'whole'],
  ['/?source=zoho', 'whole'],
  ['/login?redirectpath=%2Fnorthwind', 'whole'],
  ['/login?contact=m', 'frame'],
  ['/support', 'whole'],
  ['/support?reason=restricted', 'frame'],
  ['/verifyemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'whole'],
  ['/verifyemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9%29.', 'whole'],
  ['/verifyemail?digest=abc', 'frame'],
  ['/verifyemail?digest=', 'frame'],
  ['/verifyemail', 'frame'],
  [
    '/notme?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9&digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9',
    'frame',
  ],
  ['/verifyaccount', 'frame'],
] as const)('%s gets its %s as drawn in advance', async ([path, part]) => {
  const { text } = await get(path);
  const whole = '<main>["en","https://sign.example",["NODE_ENV"]]</main>';
  const root =
    part === 'whole' ? `<div id="root" data-drawn>${whole}</div>` : '<div id="root"><main></main></div>';
  expect(text).toContain(root);
  expect(text).toContain('<title>public &amp; drawn</title>');
});

test('a registered application is on the home page and in the area within a minute, and on no other page', async () => {
  const { id } = await registerApplication(app, { name: 'Ledger & Co', start_url: 'https://a.example' });
  const isShown = async (path: string, words: string) => (await get(path)).text.includes(words);
  const shown = async () => [
    await isShown('/', '"Ledger & Co"]</main>'),
    await isShown('/7/myapps', 'Ledger &amp; Co'),
    await isShown('/login', 'Ledger &amp; Co'),
  ];
  expect(await shown()).toEqual([false, false, false]);
  app.clock.forward(MINUTE_MS);
  await expect.poll(shown, { timeout: 20_000 }).toEqual([true, true, false]);
  const paused = { paused_at: app.clock.now() };
  await updateRows(app, 'applications', { id }, paused);
  app.clock.forward(MINUTE_MS);
  await expect.poll(shown, { timeout: 20_000 }).toEqual([false, false, false]);
});

describe('the application that a sign-in leads to (P27)', () => {
  const namedOn = async (path: string) => {
    const { text } = await get(path);
    const content = /<meta name="portico-site" content='([^']*)'>/.exec(text)?.[1] ?? '';
    const { destination } = JSON.parse(content.replaceAll('&#39;', "'").replaceAll('&lt;', '<')) as Site;
    return {
      destination,
      styled: text.includes('destination-5e6f.css'),
      drawn: text.split('data-drawn>')[1],
    };
  };
  const towards = (request: string) => encodeURIComponent(`/authorize?request=${request}`);

  test('is named by the server, escaped, until the request ends', async () => {
    const request = await openRequest(app, { name: 'A{{publisher}}<i>' });
    const destination = {
      sentence: 'To continue to A{{publisher}}<i>',
      publisher: 'From Portico',
      letter: 'A',
      icon: null,
    };
    const path = `/login?redirectpath=${towards(request)}`;
    const page = await namedOn(path);
    expect(page).toMatchObject({ destination, styled: true });
    expect(page.drawn).toContain('<i>A</i>To continue to A{{publisher}}&lt;i&gt;, From Portico</main>');
    expect(await namedOn(`${path}&contact=m`)).toMatchObject({ destination, styled: true });
    expect(await namedOn(`${path}&next=x&base=1`)).toMatchObject({ destination: null, styled: false });
    app.clock.forward(61 * MINUTE_MS);
    expect(await namedOn(path)).toMatchObject({ destination: null, styled: false });
  });

  test.for([
    towards('gone'),
    `${towards('gone')}&application=Evil`,
    encodeURIComponent('//evil.example/authorize?request=x'),
    `${towards('a')}&redirectpath=${towards('b')}`,
    '/northwind',
  ])('is nobody for redirectpath=%s', async (path) => {
    expect((await namedOn(`/login?redirectpath=${path}`)).destination).toBeNull();
  });

  test('is named for a listed address of one application of the suite', async () => {
    await registerApplication(app, { name: 'Signer', start_url: 'https://sign.example/start' });
    const named = async (url: string) =>
      (await namedOn(`/signup?redirect_url=${encodeURIComponent(url)}`)).destination?.sentence;
    expect(await named('https://sign.example/here')).toBe('To continue to Signer');
    expect(await named('https://sign.example.evil.example/')).toBeUndefined();
    await registerApplication(app, { name: 'Unlisted', start_url: 'https://unlisted.example' });
    expect(await named('https://unlisted.example')).toBeUndefined();
    await registerApplication(app, { name: 'Second', start_url: 'https://sign.example/second' });
    expect(await named('https://sign.example/here')).toBeUndefined();
  });
});

test('a build without drawn pages is served, and development draws the pages of each new build', async () => {
  const folder = fakeWebApp();
  rmSync(`${folder}/draw.js`);
  const dev = await startApp({ PORTICO_DEV: '1' }, folder);
  const login = () => raw(dev.url, 'GET', '/login').then(({ text }) => text);
  expect(await login()).toContain('<title>public</title></head><body><div id="root"></div>');
  expect(dev.logLines.join('')).toContain('not drawn ahead');
  copyFileSync(`${webApp}/draw.js`, `${folder}/draw.js`);
  expect(await login()).toContain('<title>public &amp; drawn</title>');
  await dev.close();
  rmSync(folder, { recursive: true });
});

test('robots.txt lists the paths to skip', async () => {
  const { status, headers, text } = await get('/robots.txt');
  expect([status, headers['content-type'], text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    `User-agent: *\nSitemap: ${app.url}/sitemap.xml\n`,
  ]);
});

test('without a build only the calls are served', async () => {
  const bare = await startApp();
  expect(codeIn(await raw(bare.url, 'GET', '/login'))).toBe('not_found');
  expect((await raw(bare.url, 'GET', '/api/ustat')).status).toBe(200);
  expect(bare.logLines.join('')).toContain('the web app is not built');
  await bare.close();
});
