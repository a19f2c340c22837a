import { readFileSync } from 'node:fs';
import { test as base, expect, type Page, type Response } from '@playwright/test';
import type axe from 'axe-core';
import { Portal } from './portal.ts';

export const PASSWORD = 'sturdy arch 42';
let counter = 0;

/** What the browser reports of answers that tests ask for: refusals, and a network they have cut. */
const cutOff = /status of (4|5)\d\d|net::ERR_(FAILED|INTERNET_DISCONNECTED)|dynamically imported module/;
/** A failure that the portal itself has answered, other than of a provider that is not set up. */
async function failureOf(answer: Response): Promise<string | undefined> {
  // What a test has made up does not carry the portal's mark.
  if (answer.status() < 500 || !('x-request-id' in answer.headers())) return undefined;
  const said = await answer.text().catch(() => 'which was not read to its end');
  return said.includes('social_not_set_up') ? undefined : `${answer.status()} ${answer.url()} ${said}`;
}

/** An address nobody has used yet. */
export const newEmail = (name = 'maya') =>
  `${name}${(counter += 1)}.${process.pid}.${Date.now()}@northwind.example`;

export type Person = { readonly email: string; readonly urlName: string };

type Fixtures = {
  /** Whether a page that is drawn ahead of its script is used only once that is there, as by a person; else at once. */
  waitsForScript: boolean;
  /** Signs the page's browser up by calls, for tests that begin later in the story. */
  signUp: () => Promise<{ email: string }>;
  /** Signs up and confirms the address by calls. */
  signUpConfirmed: () => Promise<{ email: string }>;
  /** Signs up, confirms, turns two-step sign-in on and signs out, by calls. */
  withTwoStep: () => Promise<{ email: string }>;
  /** Signs up, confirms and creates an organization by calls. */
  foundOrganization: (name?: string) => Promise<Person>;
  /** Adds a role to the page's organization by a call, and returns its id. */
  addRole: (name: string) => Promise<number>;
};

/** Tests of the portal in a browser: no console error and no policy report is ever allowed. */
export const test = base.extend<Fixtures, { embedded: boolean; portal: Portal }>({
  // The portal on its embedded database, whatever else there is.
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
    const drawn = (page: Page) => page.addLocatorHandler(page.locator('#root[data-drawn]'), async () => {});
    const watch = (page: Page) =>
      drawn(page).catch((error: unknown) => {
        // A popup may be over before it can be watched.
        if (!page.isClosed()) throw error;
      });
    if (waitsForScript) context.on('page', (page) => void watch(page));
    const problems: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error' && !cutOff.test(message.text()))
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
    await use(context);
    for (const failure of await Promise.all(failures)) if (failure !== undefined) problems.push(failure);
    expect(problems, 'console errors, failures and policy reports').toEqual([]);
  },
  signUp: ({ page }, use) =>
    use(async () => {
      const email = newEmail();
      const answer = await page.request.post('/api/signup', {
        data: { emailId: email, password: PASSWORD, timezone: 'Europe/Stockholm' },
      });
      expect(answer.ok()).toBe(true);
      return { email };
    }),
  signUpConfirmed: ({ page, portal, signUp }, use) =>
    use(async () => {
      const { email } = await signUp();
      const digest = new URL(await portal.mailedLink(email)).searchParams.get('digest');
      expect((await page.request.post('/api/verifyemail', { data: { digest } })).ok()).toBe(true);
      return { email };
    }),
  withTwoStep: ({ page, signUpConfirmed }, use) =>
    use(async () => {
      const { email } = await signUpConfirmed();
      expect((await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } })).ok()).toBe(true);
      await signOut(page);
      return { email };
    }),
  foundOrganization: ({ page, signUpConfirmed }, use) =>
    use(async (name = 'Northwind Traders') => {
      const { email } = await signUpConfirmed();
      const answer = await page.request.post('/api/orgs', {
        data: {
          first_name: 'Maya',
          last_name: 'Lindqvist',
          country_name: 'Sweden',
          organaization_name: name,
        },
      });
      const { response } = (await answer.json()) as { response: { OrgUrlName: string } };
      return { email, urlName: response.OrgUrlName };
    }),
  addRole: ({ page }, use) =>
    use(async (name) => {
      const init = (await (await page.request.get('/api/init')).json()) as {
        response: { default_organizations: { Id: number } };
      };
      const data = { org_id: init.response.default_organizations.Id, role_name: name };
      const answer = await page.request.post('/api/role', { data });
      return ((await answer.json()) as { response: { Id: number } }).response.Id;
    }),
});

export { expect };

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What axe asks of colours; nothing else changes with the theme. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Half as long as the one that is for reading, and each page that is looked at loads it. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2 A and AA by axe, in the theme the page shows now, or only some of its rules. */
export async function expectAccessible(page: Page, rules?: string[]) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (runOnly) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    // The only frame there is shows a mail, in a sandbox without scripts.
    const context = { exclude: ['iframe'] };
    const { violations } = await loaded.run(context, {
      runOnly,
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  }, rules ?? wcag);
  expect(found).toEqual([]);
}

/** Nothing on the page is wider than the window. */
export const expectNoSideScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);

/** Runs a check in light and dark, wide and phone, and at 320 px. */
export async function inEveryLook(
  page: Page,
  check: (look: { width: number; isDark: boolean }) => Promise<void>,
) {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1360, 390, NARROWEST]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await check({ width, isDark: colorScheme === 'dark' });
    }
  if (before) await page.setViewportSize(before);
}

const NARROWEST = 320;

/** A screen fit to be seen: nothing too wide, no axe finding; what is drawn at 320 px is what a phone shows. */
export const judge = (page: Page) =>
  inEveryLook(page, async ({ width, isDark }) => {
    await expectNoSideScroll(page);
    if (width !== NARROWEST) await expectAccessible(page, isDark ? ofColours : undefined);
  });

/** Ends the session by a call, from no page: one that still looks things up would go and sign in by itself. */
export async function signOut(page: Page) {
  await page.goto('about:blank');
  expect((await page.request.delete('/api/logout', { data: {} })).ok()).toBe(true);
}

/** What My Profile looks up as it opens. */
const lookups = ['init', 'notifications', 'invitations', 'auth/linked'].map((name) => `/api/${name}`);

/**
 * Waits, while My Profile is opened, for all that it looks up: a page that still does finds out by itself that the
 * session has ended or the network is gone, before anybody acts.
 */
export async function lookedUp(page: Page, open: Promise<unknown>) {
  const answers = lookups.map(async (path) =>
    (await page.waitForResponse((response) => new URL(response.url()).pathname === path)).finished(),
  );
  await Promise.all([open, ...answers]);
}

/** Fills in the login page and sends it. */
export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** An act that closes the window it is done in, which may be gone before the browser says that it was done. */
export async function lastAct(popup: Page, act: Promise<unknown>) {
  const closed = popup.waitForEvent('close');
  await act.catch(() => closed);
  await closed;
}

/** For so long what is still to come is looked for with Tab, as an assertion waits for it. */
const TAB_PATIENCE_MS = 10_000;

/** Presses Tab until the named thing has the focus, as somebody without a mouse does once the page is there. */
export async function tabTo(page: Page, name: string | RegExp) {
  // A provider's page is none of ours and has no heading to wait for.
  await page
    .locator('h1:not(.visually-hidden), body:not(:has(#root))')
    .first()
    .waitFor({ state: 'attached' });
  const until = Date.now() + TAB_PATIENCE_MS;
  for (let presses = 0; presses < 40 || Date.now() < until; presses += 1) {
    await page.keyboard.press('Tab');
    // In one look, and none where nothing has the focus: what has it may go the next moment.
    const label = await page.locator(':focus').evaluateAll(([element]) => {
      if (!element) return undefined;
      const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
      const named = element.getAttribute('aria-label') ?? labels.map((one) => one.textContent).join(' ');
      return (named || element.textContent || '').trim();
    });
    if (label === undefined) continue;
    if (typeof name === 'string' ? label.startsWith(name) : name.test(label)) return;
  }
  throw new Error(`no way to ${String(name)} with Tab`);
}

/** Lets the server refuse a call, once, in the usual envelope; for refusals that would take long to come about. */
export async function refuseOnce(page: Page, path: string, status: number, error: object, headers = {}) {
  const json = { success: false, error };
  await page.route(`**${path}`, (route) => route.fulfill({ status, headers, json }), { times: 1 });
}
