import { readFileSync } from 'node:fs';
import {
  type APIRequestContext,
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  type Response,
} from '@playwright/test';
import type axe from 'axe-core';
import { Portal } from './portal.ts';

export const PASSWORD = 'sturdy arch 42';
/** For `test.use`: transitions and animations run, as for most people. */
export const inMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;
let counter = 0;

/** Console errors that tests cause on purpose: refusals and a cut network. */
const intendedErrors =
  /status of (4|5)\d\d|net::ERR_(FAILED|INTERNET_DISCONNECTED)|dynamically imported module/;
/** Describes a failure (status 5xx) from the portal, unless it is a provider that is not set up. */
async function failureOf(answer: Response): Promise<string | undefined> {
  // An answer made up by a test does not carry the portal's header.
  if (answer.status() < 500 || !('x-request-id' in answer.headers())) return undefined;
  const body = await answer.text().catch(() => 'which was not read to its end');
  return body.includes('social_not_set_up') ? undefined : `${answer.status()} ${answer.url()} ${body}`;
}

/** Watches all pages of a context. The result expects that there was no problem since it was last called. */
export async function watch(context: BrowserContext, waitsForScript = true) {
  const drawn = (page: Page) =>
    page
      .addLocatorHandler(page.locator('#root[data-drawn]'), async () => {})
      .catch((error: unknown) => {
        // A popup may close before it can be watched.
        if (!page.isClosed()) throw error;
      });
  if (waitsForScript) context.on('page', (page) => void drawn(page));
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !intendedErrors.test(message.text()))
      problems.push(`${message.text()} ${message.location().url}`);
  });
  const failures: Promise<string | undefined>[] = [];
  context.on('response', (answer) => void failures.push(failureOf(answer)));
  context.on('weberror', (error) => problems.push(String(error.error())));
  await context.exposeBinding('__policyReport', (_source, report: string) => void problems.push(report));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`;
      (globalThis as unknown as { __policyReport(text: string): void }).__policyReport(report);
    });
  });
  return async () => {
    for (const failure of await Promise.all(failures.splice(0)))
      if (failure !== undefined) problems.push(failure);
    expect(problems.splice(0), 'console errors, failures and policy reports').toEqual([]);
  };
}

/** A new address on each call. */
export const newEmail = (name = 'maya') =>
  `${name}${(counter += 1)}.${process.pid}.${Date.now()}@northwind.example`;

export type Person = { readonly email: string; readonly urlName: string };

/** Signs a browser up by a call. */
export async function signUpAt(request: APIRequestContext, email: string) {
  const data = { emailId: email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  expect((await request.post('/api/signup', { data })).ok()).toBe(true);
}
/** Signs a browser up and confirms the address by calls. Returns the address. */
export async function confirmedAt(portal: Portal, request: APIRequestContext, email = newEmail()) {
  await signUpAt(request, email);
  const digest = new URL(await portal.mailedLink(email)).searchParams.get('digest');
  expect((await request.post('/api/verifyemail', { data: { digest } })).ok()).toBe(true);
  return email;
}
/** Creates an organization by a call. */
export async function foundAt(request: APIRequestContext, organaization_name: string, more: object = {}) {
  const person = { first_name: 'Maya', last_name: 'Lindqvist', country_name: 'Sweden' };
  const answer = await request.post('/api/orgs', { data: { ...person, organaization_name, ...more } });
  return ((await answer.json()) as { response: { Id: number; OrgUrlName: string } }).response;
}

type Fixtures = {
  /** Waits until the script has hydrated a prerendered page, as a person usually does. */
  waitsForScript: boolean;
  /** Signs the page's browser up by calls, for tests that start later in the story. */
  signUp: () => Promise<{ email: string }>;
  /** Signs up and confirms the address by calls. */
  signUpConfirmed: () => Promise<{ email: string }>;
  /** Signs up, confirms, turns two-step sign-in on and signs out, by calls. */
  withTwoStep: () => Promise<{ email: string }>;
  /** Signs up, confirms and creates an organization by calls. */
  company: (name?: string) => Promise<Person>;
  /** The same, and opens a page of the organization. */
  enter: (path: string, name?: string) => Promise<Person>;
  /** A page of another browser, which closes with the test. */
  elsewhere: (options?: BrowserContextOptions) => Promise<Page>;
};

/** Tests of the portal in a browser. Any console error and any CSP report fails the test. */
export const test = base.extend<Fixtures, { embedded: boolean; portal: Portal }>({
  // Forces the embedded database.
  embedded: [false, { option: true, scope: 'worker' }],
  portal: [
    async ({ embedded }, use) => {
      const portal = await Portal.start({ RATE_LIMIT_FACTOR: '1000' }, embedded);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ portal }, use) => use(portal.url),
  waitsForScript: [true, { option: true }],
  context: async ({ context, waitsForScript }, use) => {
    const expectNoProblems = await watch(context, waitsForScript);
    await use(context);
    await expectNoProblems();
  },
  signUp: ({ page }, use) =>
    use(async () => {
      const email = newEmail();
      await signUpAt(page.request, email);
      return { email };
    }),
  signUpConfirmed: ({ page, portal }, use) =>
    use(async () => ({ email: await confirmedAt(portal, page.request) })),
  withTwoStep: ({ page, signUpConfirmed }, use) =>
    use(async () => {
      const { email } = await signUpConfirmed();
      expect((await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } })).ok()).toBe(true);
      await signOut(page);
      return { email };
    }),
  company: ({ page, signUpConfirmed }, use) =>
    use(async (name = 'Northwind Traders') => {
      const { email } = await signUpConfirmed();
      return { email, urlName: (await foundAt(page.request, name)).OrgUrlName };
    }),
  enter: ({ page, company }, use) =>
    use(async (path, name) => {
      const person = await company(name);
      await page.goto(`/${person.urlName}/${path}`);
      return person;
    }),
  elsewhere: async ({ browser, portal, waitsForScript }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: portal.url, ...options });
      ends.push(await watch(context, waitsForScript), () => context.close());
      return context.newPage();
    });
    for (const end of ends) await end();
  },
});

export { expect };

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The minified build is half as large, and each checked page loads it. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Checks WCAG 2.2 A and AA with axe in the current theme, or only the given rules. */
export async function expectAccessible(page: Page, rules?: string[]) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    // Colours are those of the end: a dialog that still fades in has too little contrast.
    const fading = document.getAnimations().filter(({ effect, playState, currentTime }) => {
      const { delay = 0, endTime = 0 } = effect?.getComputedTiming() ?? {};
      return playState === 'running' && Number(currentTime) >= delay && endTime !== Infinity;
    });
    await Promise.allSettled(fading.map(({ finished }) => finished));
    // The only frame shows a mail in a sandbox without scripts, which axe cannot enter.
    const context = { exclude: ['iframe'] };
    const { violations } = await loaded.run(context, {
      runOnly,
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  }, rules ?? wcag);
  expect(violations).toEqual([]);
}

export const expectNoSideScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);

const DESKTOP = 1360;
/** Runs a check at desktop, phone and 320 px width. */
export async function inEveryWidth(page: Page, check: (width: number) => Promise<void>) {
  const before = page.viewportSize();
  for (const width of [DESKTOP, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await check(width);
  }
  if (before) await page.setViewportSize(before);
}

/**
 * Checks that nothing is too wide in any width, and that axe finds nothing. Contrast in both themes is arithmetic on the
 * colours (`server/brand/colours.test.ts`), and `npm run gallery` has axe read the most seen screens in both, on phones too.
 */
export const judge = (page: Page) =>
  inEveryWidth(page, async (width) => {
    await expectNoSideScroll(page);
    if (width === DESKTOP) await expectAccessible(page);
  });

/**
 * Ends the session by a call from a blank page, because an open page would notice and go to the login page.
 */
export async function signOut(page: Page) {
  await page.goto('about:blank');
  expect((await page.request.delete('/api/logout', { data: {} })).ok()).toBe(true);
}

/** The calls that My Profile makes when it opens. */
const lookups = [
  'init',
  'notifications',
  'invitations',
  'waysin',
  'auth/linked',
  'applications/connected',
  'dataexport',
].map((name) => `/api/${name}`);

/**
 * Waits for all look-ups of My Profile. One in progress could notice the ended session or the missing network
 * before the test acts.
 */
export async function lookedUp<T>(page: Page, open: Promise<T>): Promise<T> {
  const answers = lookups.map(async (path) =>
    (await page.waitForResponse((response) => new URL(response.url()).pathname === path)).finished(),
  );
  const [opened] = await Promise.all([open, ...answers]);
  return opened;
}

/** Fills in the login page and sends it. */
export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/**
 * Performs an act that closes its own window; the window may close before Playwright reports the act as done.
 */
export async function lastAct(popup: Page, act: Promise<unknown>) {
  const closed = popup.waitForEvent('close');
  await act.catch(() => closed);
  await closed;
}

/** Answers one call with a refusal in the usual envelope, for refusals that would take long to provoke. */
export async function refuseOnce(page: Page, path: string, status: number, error: object, headers = {}) {
  const json = { success: false, error };
  await page.route(`**${path}`, (route) => route.fulfill({ status, headers, json }), { times: 1 });
}
