import { addRole } from './colleagues.ts';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// The transfer budget of a first visit to each page: kilobytes (1000 bytes) as transferred, and all requests,
// calls included. A page without a budget fails, and so does one that grew by much more than a sentence.

type Budget = { readonly script: number; readonly style: number; readonly requests: number };
type Budgets = Readonly<Record<string, Budget>>;
/** The only font. */
const FONT_MAX = 29.5;
/**
 * Pages opened at a time, because a portal beside a busy browser cannot serve the look-ups of all pages at
 * once.
 */
const AT_ONCE = 3;

const publicPages: Budgets = {
  '/': { script: 66, style: 5.5, requests: 14 },
  '/login': { script: 79.5, style: 5.7, requests: 14 },
  '/signup': { script: 79, style: 6, requests: 16 },
  '/verifyaccount': { script: 80.5, style: 6, requests: 24 },
  '/verifyemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 82.5,
    style: 6.2,
    requests: 28,
  },
  '/invitation?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 82,
    style: 5.7,
    requests: 19,
  },
  '/forgotpassword': { script: 80, style: 6, requests: 22 },
  '/resetpassword?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 80.5,
    style: 6,
    requests: 22,
  },
  '/createpassword?confirmed=true&digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 83.5,
    style: 6,
    requests: 21,
  },
  '/notme?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': { script: 79.5, style: 6, requests: 20 },
  '/restoreaccount?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 81,
    style: 6,
    requests: 24,
  },
  '/restoreemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 78.5,
    style: 6,
    requests: 19,
  },
  '/support': { script: 82, style: 6, requests: 23 },
  '/farewell': { script: 83, style: 6, requests: 24 },
  '/authorize?request=abc': { script: 84, style: 7, requests: 21 },
  '/signout?request=abc': { script: 78, style: 5.7, requests: 13 },
  '/closetab': { script: 77, style: 5.7, requests: 13 },
};
/** For a signed-up person without an organization. */
const firstPage: Budgets = { '/onboarding': { script: 146.5, style: 8.5, requests: 30 } };
/** Up to 0.8 kB above the measured weight, because names of files change what the rest compresses to. */
const areaPages: Budgets = {
  '/{org}/myapps': { script: 144, style: 8.5, requests: 29 },
  '/{org}/myprofile': { script: 169, style: 10.5, requests: 67 },
  '/account/secondstep': { script: 151, style: 9, requests: 41 },
  '/account/companylink': { script: 145.5, style: 9, requests: 34 },
  '/account/sociallink?visit=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9': {
    script: 144,
    style: 9,
    requests: 34,
  },
  '/{org}/communications': { script: 144, style: 9, requests: 32 },
  '/{org}/organization': { script: 164, style: 11.5, requests: 58 },
  '/{org}/organization/role': { script: 144.5, style: 8.5, requests: 30 },
  '/{org}/organization/role/{role}': { script: 147, style: 9, requests: 33 },
  '/{org}/organization/applications': { script: 152, style: 9.5, requests: 37 },
  '/{org}/organization/applications/1': { script: 154, style: 9, requests: 45 },
  '/{org}/organization/webhooks': { script: 152, style: 9.5, requests: 37 },
  '/{org}/organization/webhooks/1': { script: 152.5, style: 9, requests: 44 },
  '/{org}/organization/signin': { script: 163, style: 9.5, requests: 55 },
  '/{org}/organization/data': { script: 145.5, style: 9.5, requests: 33 },
  '/{org}/signindevices': { script: 147.5, style: 10, requests: 38 },
  '/{org}/recentactivity': { script: 161.5, style: 10.5, requests: 43 },
  '/{org}/deleteaccount': { script: 145.5, style: 9.5, requests: 33 },
};

type Chunk = { readonly file: string; readonly isEntry?: true; readonly dynamicImports?: readonly string[] };
/** The source of each page, by its file in the build. */
type Pages = ReadonlyMap<string, string>;
const dist = path.join(import.meta.dirname, '../web/dist');
const built = `${dist}/.vite/manifest.json`;

/** The pages of the build manifest, each with its file: those of the area, or the public ones. */
function pagesOf(kind: 'area' | 'public'): Pages {
  const chunks = JSON.parse(readFileSync(built, 'utf8')) as Record<string, Chunk>;
  const all =
    kind === 'area'
      ? (chunks['area.html']?.dynamicImports ?? [])
      : Object.keys(chunks).filter((source) => chunks[source]?.isEntry);
  const pages = all.filter((source) => /-(page|route)\.tsx$/.test(source));
  return new Map(pages.map((source) => [`/${chunks[source]?.file}`, source]));
}

type File = { readonly name: string; readonly bytes: number };

/** Every file that a page loads when it is opened. */
async function loadedBy(page: Page, url: string, pages: Pages): Promise<File[]> {
  const origin = new URL(url).origin;
  const elsewhere: string[] = [];
  const unfit: string[] = [];
  page.on('response', (response) => {
    const { 'content-encoding': encoding, 'cache-control': cacheControl = '' } = response.headers();
    if (!response.url().startsWith(origin)) elsewhere.push(response.url());
    const isScript = new URL(response.url()).pathname.endsWith('.js');
    if (isScript && (encoding !== 'br' || !cacheControl.endsWith('immutable')))
      unfit.push(`${response.url()}: ${encoding}, ${cacheControl}`);
  });
  await page.goto(url);
  await page.waitForFunction(
    (names) =>
      performance.getEntriesByType('resource').some(({ name }) => names.includes(new URL(name).pathname)) &&
      document.querySelector('main h1') !== null &&
      document.querySelector('[aria-busy="true"]') === null,
    [...pages.keys()],
  );
  await page.waitForLoadState('networkidle');
  expect(elsewhere, 'requests to other origins').toEqual([]);
  expect(unfit, 'scripts not sent as brotli, or not kept for good').toEqual([]);
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }))
      // The browser decides by itself when to load the icon.
      .filter(({ name }) => !name.includes('/favicon')),
  );
}

const endings = { script: '.js', style: '.css', font: '.woff2' } as const;

/**
 * Compares each kind with its budget. The message names each file with its size, so that a failure shows what
 * grew.
 */
function expectWithin(view: string, files: File[], budget: Budget) {
  for (const [kind, ending] of Object.entries(endings)) {
    const all = files.filter(({ name }) => name.endsWith(ending)).toSorted((a, b) => b.bytes - a.bytes);
    const kB = all.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    const most = { ...budget, font: FONT_MAX }[kind as keyof typeof endings];
    const lines = all.map(({ name, bytes }) => `${bytes} ${name}`).join('\n');
    expect(all.length, `${view} loads some ${kind}`).toBeGreaterThan(0);
    expect
      .soft(kB, `${view} loads ${kB} kB of ${kind}, at most ${most}:\n${lines}\n`)
      .toBeLessThanOrEqual(most);
  }
  const names = files.map(({ name }) => name).join('\n');
  const message = `${view} takes ${files.length} requests, at most ${budget.requests}:\n${names}\n`;
  expect.soft(files.length, message).toBeLessThanOrEqual(budget.requests);
}

/** The same part of the portal has the same name in each language's build, before the hash. */
const partOf = (file: string) => path.basename(file).replace(/-[\w-]{6,7}(?=\.\w+$)/, '');
/** The files of languages as different from English as they get. */
const others = ['de', 'ja', 'ar'].map((language) => {
  const folder = `${dist}/assets/${language}`;
  const files = readdirSync(folder).filter((name) => /\.(js|css)\.br$/.test(name));
  const bytes = files.map((name) => [partOf(name.slice(0, -3)), statSync(`${folder}/${name}`).size] as const);
  return { language, bytes: new Map(bytes) };
});

function expectAlike(view: string, files: File[], budget: Budget, more: number) {
  for (const { language, bytes } of others)
    for (const kind of ['script', 'style'] as const) {
      const parts = files.filter(({ name }) => name.endsWith(endings[kind]));
      const sum = parts.reduce((before, { name }) => before + (bytes.get(partOf(name)) ?? Number.NaN), 0);
      const most = budget[kind] + more;
      expect
        .soft(sum / 1000, `${view} loads ${sum} bytes of ${kind} in ${language}, at most ${most} kB`)
        .toBeLessThanOrEqual(most);
    }
}

/** Opens each page as a first visit; returns the files that were loaded. */
async function weigh(
  context: BrowserContext,
  pages: Pages,
  budgets: Budgets,
  /** How many kilobytes more a page may weigh in other languages. */
  more: number,
  addressOf: (view: string) => string,
) {
  const loaded: string[] = [];
  const views = Object.entries(budgets).values();
  const openOneByOne = async () => {
    for (const [view, budget] of views) {
      const page = await context.newPage();
      const files = await loadedBy(page, addressOf(view), pages);
      await page.close();
      expectWithin(view, files, budget);
      expectAlike(view, files, budget, more);
      loaded.push(...files.map(({ name }) => name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, openOneByOne));
  return loaded;
}

const expectAllListed = (pages: Pages, loaded: string[]) =>
  expect(
    [...pages].filter(([file]) => !loaded.includes(file)),
    'pages that no budget tells of',
  ).toEqual([]);

test('every public page stays within its budget', async ({ context, portal }) => {
  const pages = pagesOf('public');
  expectAllListed(pages, await weigh(context, pages, publicPages, 1, (view) => portal.url + view));
});

test('every page of the area stays within its budget', async ({ page, context, portal, signUp, company }) => {
  const pages = pagesOf('area');
  await signUp();
  const loaded = await weigh(context, pages, firstPage, 7, (view) => portal.url + view);
  const { urlName } = await company();
  const role = String(await addRole(page, 'Sales'));
  const addressOf = (view: string) => portal.url + view.replace('{org}', urlName).replace('{role}', role);
  expectAllListed(pages, [...loaded, ...(await weigh(context, pages, areaPages, 7, addressOf))]);
});

test('the page after a social sign-in has the font, direction and hyphens of its language', () => {
  const marks = ['.woff2', 'text-align:match-parent', 'hyphens:auto'];
  const marksIn = (language: string) => {
    const styles = globSync(`${dist}/assets/${language}/social-return-*.css`).map((file) =>
      readFileSync(file, 'utf8'),
    );
    return styles.map((style) => marks.filter((mark) => style.includes(mark)));
  };
  expect(marksIn('')).toEqual([['.woff2']]);
  expect(marksIn('de')).toEqual([['.woff2', 'hyphens:auto']]);
  expect(marksIn('ja')).toEqual([[]]);
  expect(marksIn('ar')).toEqual([['text-align:match-parent']]);
});

test('no file leads to one of another language', () => {
  const foldersIn = (folder: string) =>
    readdirSync(folder)
      .filter((name) => /\.(js|css|html)$/.test(name))
      .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').match(/\bassets\/(?:[\w-]+\/)?/g) ?? []);
  for (const { language } of others)
    for (const folder of [`${dist}/${language}`, `${dist}/assets/${language}`])
      expect([...new Set(foldersIn(folder))], folder).toEqual([`assets/${language}/`]);
  expect([...new Set(foldersIn(`${dist}/assets`))]).toEqual(['assets/']);
});
