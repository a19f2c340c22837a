import { describe, expect, test } from 'vitest';
import { refusalText } from '#words/refusal.ts';
import type { UserId } from '#contract/wire.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { openKeys } from '#server/keys.ts';
import { checkAppCode, checkRecoveryCode } from '#server/sign-in/factors/actions.ts';
import { confirmed, otherCode } from '#server/testing/people.ts';
import { getRow } from '#server/testing/rows.ts';
import { appCode, beginApp, firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const STEP_MS = 30_000;
const verify = (visitor: Visitor, code: string) => visitor.post('/api/signin/app', { code, timezone: '' });

/** A person with an app, and a browser in which they have given their password. */
async function waiting() {
  const person = await confirmed(app);
  const { secret, codes } = await setUpApp(app, person.visitor);
  const browser = app.visitor();
  const step = await firstStep(browser, person.email);
  return { ...person, secret, codes, browser, step };
}

describe('setting an app up', () => {
  test('turns two-step sign-in on, notifies the owner and gives ten recovery codes', async () => {
    const { visitor, email } = await confirmed(app);
    const { secret, qr_code: qrCode, setup } = await beginApp(visitor);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(qrCode).toMatch(/^<svg /);
    expect(responseOf(await visitor.get('/api/waysin'))).toMatchObject({ app: null });
    const answer = await visitor.post('/api/authenticator', { setup, code: appCode(app, secret) });
    const { recovery_codes: codes } = responseOf<{ recovery_codes: string[] }>(answer);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(responseOf(await visitor.get('/api/mfa'))).toEqual({ mfa_enabled: 1 });
    expect(responseOf(await visitor.get('/api/waysin'))).toMatchObject({ app: { last_used_time: null } });
    expect((await app.mails(email)).at(-1)?.subject).toBe('An authenticator app was added to your account');
  });

  test('keeps the secret sealed, also with a new key before the old one', async () => {
    const { visitor, id } = await confirmed(app);
    const { secret, codes } = await setUpApp(app, visitor);
    const row = await getRow(app, 'authenticator_apps', ['secret'], { user_id: id });
    expect(Buffer.from(row.secret).includes(secret)).toBe(false);
    expect(app.logLines.join('').includes(secret)).toBe(false);
    const [newest] = openKeys({ ...app.deps.config, secretKeys: ['n'.repeat(32)] });
    const rotated = { ...app.deps, keys: [newest, app.deps.keys[0]] as const };
    const typed = codes[0]?.replace('-', '') ?? '';
    expect(await checkAppCode(app.deps.sql, rotated, id as UserId, appCode(app, secret, 1))).toBeDefined();
    expect(await checkRecoveryCode(app.deps.sql, rotated, id as UserId, typed)).toBeDefined();
  });

  test('refuses a wrong code, a setup of another session, a changed one and an old one', async () => {
    const { visitor, email } = await confirmed(app);
    const other = app.visitor();
    responseOf(
      await other.post('/api/signin', { email_id: email, password: 'sturdy arch 42', timezone: '' }),
    );
    const { secret, setup } = await beginApp(visitor);
    const finish = async (by: Visitor, sealed: string, code: string) =>
      (await by.post('/api/authenticator', { setup: sealed, code })).code;
    expect(await finish(visitor, setup, otherCode(appCode(app, secret)))).toBe('otp_invalid');
    expect(await finish(other, setup, appCode(app, secret))).toBe('otp_expired');
    expect(await finish(visitor, `${setup.slice(0, -4)}AAAA`, appCode(app, secret))).toBe('otp_expired');
    app.clock.forward(31 * MINUTE_MS);
    responseOf(await visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
    expect(await finish(visitor, setup, appCode(app, secret))).toBe('otp_expired');
  });
});

describe('a code of the app', () => {
  test('is the second step, ahead of the mailed one', async () => {
    const { browser, step, secret, email } = await waiting();
    expect(step).toEqual({
      mfa_enabled: 1,
      contact: `${email[0]}•••@northwind.example`,
      ways: ['app', 'mail', 'recovery'],
    });
    const mails = (await app.mails(email)).length;
    expect(responseOf(await verify(browser, appCode(app, secret)))).toEqual({ mfa_enabled: 0 });
    expect(await isSignedIn(browser)).toBe(true);
    const subjects = (await app.mails(email)).slice(mails).map(({ subject }) => subject);
    expect(subjects).not.toContainEqual(expect.stringContaining('code'));
  });

  test.each([
    [-2, 'otp_invalid'],
    [-1, undefined],
    [0, undefined],
    [1, undefined],
    [2, 'otp_invalid'],
  ])('%d steps away answers %s', async (steps, code) => {
    const { browser, secret } = await waiting();
    app.clock.forward(2 * STEP_MS);
    expect((await verify(browser, appCode(app, secret, steps))).code).toBe(code);
  });

  test('works once, and no earlier one after it', async () => {
    const { browser, secret, email } = await waiting();
    app.clock.forward(STEP_MS);
    const code = appCode(app, secret);
    responseOf(await verify(browser, code));
    const next = app.visitor();
    await firstStep(next, email);
    // A used code is no guess: it neither uses up the challenge nor restricts the account.
    for (let nth = 0; nth < 11; nth += 1)
      expect(await verify(next, code)).toMatchObject({ body: { error: { details: refusalText.codeUsed } } });
    expect((await verify(next, appCode(app, secret, -1))).code).toBe('otp_invalid');
    responseOf(await verify(next, appCode(app, secret, 1)));
  });

  test('does not help without the first step', async () => {
    const { secret } = await waiting();
    expect((await verify(app.visitor(), appCode(app, secret))).code).toBe('otp_expired');
  });

  test('is guessed at most ten times in a row, over all sign-ins', async () => {
    const { secret, email } = await waiting();
    const wrong = otherCode(otherCode(appCode(app, secret, 3)));
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      const browser = app.visitor();
      await firstStep(browser, email);
      for (let nth = 0; nth < 5; nth += 1) codes.push((await verify(browser, wrong)).code);
    }
    expect(codes).toEqual([...Array.from({ length: 9 }, () => 'otp_invalid'), 'account_is_disable']);
  });
});

describe('removing the app', () => {
  test('leaves the mailed code as the second step', async () => {
    const { visitor, email } = await waiting();
    responseOf(await visitor.send('DELETE', '/api/authenticator', { body: {} }));
    expect((await visitor.send('DELETE', '/api/authenticator', { body: {} })).code).toBe('not_found');
    const browser = app.visitor();
    expect((await firstStep(browser, email)).ways).toEqual(['mail', 'recovery']);
  });
});

test('a code of the app proves its owner again', async () => {
  const { visitor, secret } = await waiting();
  app.clock.forward(11 * MINUTE_MS);
  expect(responseOf(await visitor.get('/api/reauthenticate'))).toEqual({
    ways: ['password', 'app', 'recovery'],
  });
  const code = appCode(app, secret);
  expect((await visitor.post('/api/reauthenticate', { app_code: otherCode(code) })).code).toBe('otp_invalid');
  responseOf(await visitor.post('/api/reauthenticate', { app_code: code }));
  for (let nth = 0; nth < 6; nth += 1)
    expect(await visitor.post('/api/reauthenticate', { app_code: code })).toMatchObject({
      body: { error: { details: refusalText.codeUsed } },
    });
});

test('a right password does not reset the guesses of the app in a session (W6)', async () => {
  const { visitor, secret } = await waiting();
  const guess = async () =>
    (await visitor.post('/api/reauthenticate', { app_code: otherCode(appCode(app, secret, 3)) })).code;
  for (let nth = 0; nth < 5; nth += 1) expect(await guess()).toBe('otp_invalid');
  responseOf(await visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
  expect(await guess()).toBe('too_many_requests');
});

test('a thief’s wrong codes in a session bar the owner until the app is right at a sign-in (A9)', async () => {
  const { id, visitor, secret, browser } = await waiting();
  const { limiter } = app.deps;
  while (await limiter.tryOneOf(100, `app in sessions of ${id}`));
  const prove = async () =>
    (await visitor.post('/api/reauthenticate', { app_code: appCode(app, secret) })).code;
  expect(await prove()).toBe('too_many_requests');
  responseOf(await verify(browser, appCode(app, secret)));
  app.clock.forward(STEP_MS);
  expect(await prove()).toBe(undefined);
});
