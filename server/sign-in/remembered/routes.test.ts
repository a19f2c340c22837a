import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { mailedCode, mailedDigest, PASSWORD, twoStepPerson } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { appCode, firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const DEVICE = 'portico-device';
const listOf = async (visitor: Visitor) =>
  responseOf<{ remembered_browsers: { id: string; is_current: number }[] }>(await visitor.get('/api/waysin'))
    .remembered_browsers;
const forget = async (visitor: Visitor, body: object = {}) =>
  responseOf(await visitor.send('DELETE', '/api/rememberedbrowsers', { body }));
/** Whether a sign-in in this browser is asked for a second step. */
async function isAsked(browser: Visitor, email: string) {
  // A code is mailed at most every half minute.
  app.clock.forward(60_000);
  return (await firstStep(browser, email)).mfa_enabled === 1;
}

/** A person whose second browser is remembered. */
async function remembered() {
  const person = await twoStepPerson(app);
  const browser = app.visitor();
  await firstStep(browser, person.email);
  const otp = await mailedCode(app, person.email);
  const input = { contact: 'x', otp, remember: 1, timezone: '' };
  responseOf(await browser.post('/api/verifyotp', input));
  return { ...person, browser };
}

test('a remembered browser is not asked again for 30 days, and is listed', async () => {
  const { browser, email, visitor } = await remembered();
  expect(await listOf(browser)).toMatchObject([{ is_current: 1, location: expect.any(String) }]);
  expect(await listOf(visitor)).toMatchObject([{ is_current: 0 }]);
  app.clock.forward(29 * DAY_MS);
  expect(await isAsked(browser, email)).toBe(false);
  app.clock.forward(DAY_MS);
  expect(await isAsked(browser, email)).toBe(true);
});

test('only the remembered browser skips the second step, and only for its person (W8)', async () => {
  const { browser, email } = await remembered();
  expect(await isAsked(app.visitor(), email)).toBe(true);
  const other = await twoStepPerson(app);
  expect(await isAsked(browser, other.email)).toBe(true);
});

test.each([
  ['the app', 'authenticator'],
  ['a passkey', 'passkeys'],
])('an app code can be remembered too, until %s is removed (W8)', async (_step, path) => {
  const { visitor, email } = await twoStepPerson(app);
  const { id } = await addPasskey(visitor, app.url);
  const { secret } = await setUpApp(app, visitor);
  const browser = app.visitor();
  await firstStep(browser, email);
  const code = appCode(app, secret);
  responseOf(await browser.post('/api/signin/app', { code, remember: 1, timezone: '' }));
  expect(await isAsked(browser, email)).toBe(false);
  const body = path === 'passkeys' ? { id: id.toString('base64url') } : {};
  responseOf(await visitor.send('DELETE', `/api/${path}`, { body }));
  expect(await isAsked(browser, email)).toBe(true);
});

describe('a remembered browser is forgotten by', () => {
  type World = Awaited<ReturnType<typeof remembered>>;
  const endings: Record<string, (world: World) => Promise<unknown>> = {
    'its own removal': async ({ visitor }) => forget(visitor, { id: (await listOf(visitor))[0]?.id }),
    'the removal of all': async ({ visitor }) => forget(visitor),
    'a password change': async ({ visitor }) =>
      responseOf(
        await visitor.put('/api/changepassword', {
          current_password: PASSWORD,
          new_password: 'Sturdy-Arch-43!',
        }),
      ),
    'a password reset': async ({ email }) => {
      responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
      const digest = await mailedDigest(app, email);
      responseOf(
        await app.visitor().put('/api/resetpassword', { digest, password: `${PASSWORD} anew`, timezone: '' }),
      );
    },
    '“this wasn’t me”': async ({ email }) => {
      responseOf(await app.visitor().post('/api/notme', { digest: await mailedDigest(app, email) }));
    },
    'an app': async ({ visitor }) => setUpApp(app, visitor),
    'new recovery codes': async ({ visitor }) => responseOf(await visitor.post('/api/recoverycodes', {})),
    'turning two-step sign-in off': async ({ visitor }) =>
      responseOf(await visitor.put('/api/mfa', { mfa_enabled: 0 })),
  };
  test.each(Object.entries(endings))('%s', async (_, end) => {
    const world = await remembered();
    await end(world);
    const rows = await listRows(app, 'remembered_browsers', ['id'], { user_id: world.id });
    expect(rows).toEqual([]);
  });
});

test('remembering gives the browser a new cookie, so an earlier copy is useless (W8)', async () => {
  const person = await twoStepPerson(app);
  const browser = app.visitor();
  const signIn = async (remember: 0 | 1) => {
    app.clock.forward(60_000);
    await firstStep(browser, person.email);
    const otp = await mailedCode(app, person.email);
    responseOf(await browser.post('/api/verifyotp', { contact: 'x', otp, remember, timezone: '' }));
  };
  await signIn(0);
  const thief = app.visitor();
  thief.cookies.set(DEVICE, browser.cookies.get(DEVICE) ?? '');
  await signIn(1);
  expect(browser.cookies.get(DEVICE)).not.toBe(thief.cookies.get(DEVICE));
  expect(await isAsked(thief, person.email)).toBe(true);
  expect(await isAsked(browser, person.email)).toBe(false);
  expect(await isSignedIn(browser)).toBe(true);
});

test('a cookie that somebody planted is not remembered', async () => {
  const attacker = await remembered();
  const victim = await twoStepPerson(app);
  const browser = app.visitor();
  const planted = attacker.browser.cookies.get(DEVICE) ?? '';
  browser.cookies.set(DEVICE, planted);
  await firstStep(browser, victim.email);
  const otp = await mailedCode(app, victim.email);
  responseOf(await browser.post('/api/verifyotp', { contact: 'x', otp, remember: 1, timezone: '' }));
  const thief = app.visitor();
  thief.cookies.set(DEVICE, planted);
  expect(await isAsked(thief, victim.email)).toBe(true);
});
