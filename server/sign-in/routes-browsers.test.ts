import { describe, expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { api } from '#contract/api.ts';
import { zonedMomentIn } from '#contract/dates.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import {
  confirmed,
  mailedCode,
  mailedDigest,
  newEmail,
  PASSWORD,
  signedUp,
  signIn,
  twoStepPerson,
} from '#server/testing/people.ts';
import { newestRow } from '#server/testing/addresses.ts';
import { everyRow } from '#server/testing/every-row.ts';
import { restrict } from '#server/testing/planted.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1' });

const callerOf = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat'));
const copyOf = (visitor: Visitor) => {
  const copy = app.visitor();
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
  return copy;
};
const newBrowserMails = async (email: string) =>
  (await app.mails(email)).filter(({ subject }) => subject === 'New sign-in to your account').length;

test('the log shows the browser and location of a sign-in and a sign-out', async () => {
  const { email, id } = await confirmed(app);
  const visitor = app.visitor();
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'x-forwarded-for': '81.2.69.160',
  };
  const values = ['Firefox', 'Linux', '81.2.69.160', 'London, United Kingdom'] as const;
  const [browser, system, ip, location] = values.map((value) => [null, value]);
  const body = { email_id: email, password: PASSWORD, timezone: '' };
  responseOf(await visitor.send('POST', '/api/signin', { body, headers }));
  const signInRow = await newestRow(app, id);
  expect(signInRow).toMatchObject({
    org_id: null,
  });
  expect(signInRow.information).toEqual({ browser, system, ip_address: ip, location });
  responseOf(await visitor.delete('/api/logout'));
  const signOutRow = await newestRow(app, id);
  expect(signOutRow).toMatchObject({
    org_id: null,
  });
  expect(signOutRow.information).toEqual({
    browser: ['Firefox', null],
    system: ['Linux', null],
    ip_address: ['81.2.69.160', null],
    location: ['London, United Kingdom', null],
  });
});

const PLANTED = 'A'.repeat(43);
describe('a planted cookie', () => {
  const browserWith = (...names: string[]) => {
    const visitor = app.visitor();
    for (const name of names) visitor.cookies.set(name, PLANTED);
    return visitor;
  };

  test('never becomes the session or the device (D1)', async () => {
    const { email, id } = await confirmed(app);
    const visitor = browserWith('portico', 'portico-device');
    responseOf(await signIn(visitor, email));
    expect([...visitor.cookies.values()]).not.toContain(PLANTED);
    expect(await callerOf(visitor)).toMatchObject({ id });
  });

  test('never becomes the challenge, nor the session that its code opens (D1)', async () => {
    const { email, id } = await twoStepPerson(app);
    const visitor = browserWith('portico', 'portico-device', 'portico-challenge');
    const { contact } = responseOf<{ contact: string }>(await signIn(visitor, email));
    expect(visitor.cookies.get('portico-challenge')).not.toBe(PLANTED);
    const otp = await mailedCode(app, email);
    responseOf(await visitor.post('/api/verifyotp', { contact, otp, timezone: '' }));
    expect([...visitor.cookies.values()]).not.toContain(PLANTED);
    expect(await callerOf(visitor)).toMatchObject({ id });
  });

  test('of an attacker’s browser does not make that browser known to the victim (D1)', async () => {
    const [attacker, victim] = [await confirmed(app), await confirmed(app)];
    responseOf(await signIn(attacker.visitor, attacker.email));
    const browser = copyOf(attacker.visitor);
    responseOf(await signIn(browser, victim.email));
    expect(browser.cookies.get('portico-device')).not.toBe(attacker.visitor.cookies.get('portico-device'));
    expect(await newBrowserMails(victim.email)).toBe(1);
    responseOf(await signIn(attacker.visitor, victim.email));
    expect(await newBrowserMails(victim.email)).toBe(2);
  });
});

test('a shared browser becomes known to each of its people', async () => {
  const people = [await confirmed(app), await confirmed(app), await confirmed(app)];
  const browser = app.visitor();
  for (const { email } of [...people, ...people]) responseOf(await signIn(browser, email));
  for (const { email } of people) expect(await newBrowserMails(email)).toBe(1);
});

test('the mail calls a browser unknown if its name holds markup, a link or a placeholder (C10, E5)', async () => {
  const { email } = await confirmed(app);
  for (const agent of [
    '<img src=x onerror=alert(1)>/1.0 (x)',
    'Call +1 900 0100, https://evil.example/ (y)',
    'a{{digest}}/1 (z)',
  ]) {
    const body = { email_id: email, password: PASSWORD, timezone: '' };
    responseOf(await app.visitor().send('POST', '/api/signin', { body, headers: { 'user-agent': agent } }));
    const mail = (await app.mails(email)).at(-1);
    expect(mail?.text).toContain('a browser we have not seen before: an unknown browser, ');
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toMatch(/<img|evil|900 0100|onerror/);
  }
});

test.for(['Asia/Tokyo', null])('the mail gives the time in the zone %s of the account', async (time_zone) => {
  const { email, id } = await confirmed(app);
  await updateRows(app, 'users', { id }, { time_zone });
  const body = { email_id: email, password: PASSWORD, timezone: 'America/Lima' };
  responseOf(await app.visitor().post('/api/signin', body));
  const moment = zonedMomentIn(time_zone ?? body.timezone)(app.clock.now());
  expect((await app.mails(email)).at(-1)?.text).toContain(`, ${moment}.`);
});

describe('a new session ends the earlier one of the browser (D1)', () => {
  const endings: Record<string, (visitor: Visitor) => Promise<unknown>> = {
    'signing in': async (visitor) => signIn(visitor, (await confirmed(app)).email),
    'signing up': (visitor) =>
      visitor.post('/api/signup', { emailId: newEmail(), password: PASSWORD, timezone: '' }),
    'a first password': async (visitor) => {
      const { email } = await signedUp(app);
      const proof = { digest: await mailedDigest(app, email) };
      const { digest } = responseOf<{ digest: string }>(await app.visitor().post('/api/verifyemail', proof));
      return visitor.post('/api/resetpassword', { digest, password: 'fresh arch 77', timezone: '' });
    },
    'a step-up': (visitor) => visitor.post('/api/reauthenticate', { password: PASSWORD }),
  };
  test.for(Object.entries(endings))('%s', async ([, renew]) => {
    const { visitor } = await confirmed(app);
    const old = copyOf(visitor);
    await renew(visitor);
    expect(visitor.session).not.toBe(old.session);
    expect([await callerOf(old), await callerOf(visitor)]).toEqual([null, expect.anything()]);
  });
});

describe('between password and code (B5)', () => {
  const calls: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature));
  const sessionCalls = calls.filter(({ access }) => access === 'session');

  test('every call that needs a session is refused, even with the challenge as session', async () => {
    const visitor = app.visitor();
    await signIn(visitor, (await twoStepPerson(app)).email);
    const challenge = visitor.cookies.get('portico-challenge') ?? '';
    expect(sessionCalls.length).toBeGreaterThan(8);
    for (const { method, path, body } of sessionCalls) {
      visitor.cookies.set('portico', challenge);
      visitor.cookies.set('portico-challenge', challenge);
      const content = body === 'form' ? { raw: new FormData() } : method === 'GET' ? {} : { body: {} };
      const answer = await visitor.send(method, path, content);
      expect([path, answer.status, answer.code]).toEqual([path, 401, 'not_signed_in']);
    }
  });
});

test('no row, log line or answer holds a cookie’s value (D3)', async () => {
  const { email } = await twoStepPerson(app);
  const visitor = app.visitor();
  const { contact } = responseOf<{ contact: string }>(await signIn(visitor, email));
  const values = [visitor.cookies.get('portico-challenge') ?? ''];
  const otp = await mailedCode(app, email);
  const bodies = [(await visitor.post('/api/verifyotp', { contact, otp, timezone: '' })).body];
  // The last sign-in method is not secret.
  values.push(
    ...[...visitor.cookies].filter(([name]) => !/-(method|language)$/.test(name)).map(([, value]) => value),
  );
  for (const path of ['/api/ustat', '/api/user', '/api/init', '/api/mfa'])
    bodies.push((await visitor.get(path)).body);
  expect(values).toHaveLength(3);

  const rows = await everyRow(app.deps.sql);
  expect(Object.keys(rows).length).toBeGreaterThan(10);
  const everything = JSON.stringify([rows, bodies, app.logLines]);
  for (const value of values) {
    // 256 random bits.
    expect(value).toMatch(/^[\w-]{43}$/);
    expect(everything).not.toContain(value);
    expect(everything).not.toContain(Buffer.from(value, 'base64url').toString('hex'));
  }
});

test('above twenty sessions the least recently used ends, not the oldest, and the log says so (D10)', async () => {
  const { email, id, visitor: oldest } = await confirmed(app);
  const visitors = [oldest];
  for (let count = 1; count < 20; count += 1) {
    app.clock.forward(MINUTE_MS);
    visitors.push(app.visitor());
    responseOf(await signIn(visitors[count] ?? oldest, email));
  }
  app.clock.forward(HOUR_MS);
  // All browsers but the seventh are active again.
  for (const [at, visitor] of visitors.entries()) if (at !== 6) await visitor.post('/api/activesession', '');
  const newest = app.visitor();
  responseOf(await signIn(newest, email));
  const alive = await Promise.all(
    [...visitors, newest].map(async (visitor) => (await callerOf(visitor)) !== null),
  );
  expect(alive.flatMap((isAlive, at) => (isAlive ? [] : at))).toEqual([6]);
  const endings = await listRows(app, 'activity', ['information'], {
    user_id: id,
    activity_type: ACTIVITY_TYPE.signInDevice,
  });
  expect(endings.map(({ information }) => information['over_limit'])).toEqual([true]);
});

test('a session of an account that an operator restricted is refused until the restriction ends (D6)', async () => {
  const { visitor, id } = await confirmed(app);
  await restrict(app, { id }, 'wrong-codes');
  expect(await callerOf(visitor)).not.toBeNull();
  await restrict(app, { id });
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  app.clock.forward(DAY_MS);
  expect((await visitor.get('/api/user')).status).toBe(200);
});
