import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import {
  confirmed,
  deactivate,
  mailedCode,
  mailedDigest,
  newEmail,
  otherCode,
  PASSWORD,
  type Person,
  resetByMail,
  signedUp,
  twoStepPerson,
} from '#server/testing/people.ts';
import { restrict } from '#server/testing/planted.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const NEW = 'fresh arch 77';
const requestReset = (email: string) => app.visitor().post('/api/forgotpassword', { email_id: email });
const reset = (digest: string, password = NEW) =>
  app.visitor().put('/api/resetpassword', { digest, password, timezone: '' });
const signIn = (email: string, password: string, visitor: Visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: '' });
const callerOf = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat'));

async function resetDigest(email: string) {
  responseOf(await requestReset(email));
  return mailedDigest(app, email);
}

describe('POST /forgotpassword', () => {
  test('mails a link, and refuses an unknown address', async () => {
    const { email } = await confirmed(app);
    expect(responseOf(await requestReset(email.toUpperCase()))).toEqual({});
    const mail = (await app.mails(email)).at(-1);
    expect(mail?.subject).toBe('Choose a new password');
    expect(mail?.text).toContain(`${app.url}/resetpassword?digest=`);
    const answer = await requestReset(newEmail('nobody'));
    expect([answer.code, answer.body.error?.details]).toEqual(['user_not_found', 'Email id does not exist']);
  });

  test('mails three an hour and one more every ten minutes, with the same answers (B8)', async () => {
    const { email } = await confirmed(app);
    const before = (await app.mails(email)).length;
    const ask = async () => {
      expect(responseOf(await requestReset(email))).toEqual({});
      return (await app.mails(email)).length - before;
    };
    for (const mails of [1, 2, 3, 4, 4, 4]) expect(await ask()).toBe(mails);
    app.clock.forward(10 * MINUTE_MS);
    for (const mails of [5, 5]) expect(await ask()).toBe(mails);
    app.clock.forward(HOUR_MS);
    expect(await ask()).toBe(6);
  });

  test('the owner gets a valid link, however many strangers request one (B10)', async () => {
    const proxiedApp = await startApp({ TRUSTED_PROXIES: '127.0.0.1' });
    const { email } = await confirmed(proxiedApp);
    const before = (await proxiedApp.mails(email)).length;
    const askFrom = async (network: number) => {
      const headers = { 'x-forwarded-for': `198.51.100.${network}` };
      responseOf(
        await proxiedApp
          .visitor()
          .send('POST', '/api/forgotpassword', { body: { email_id: email }, headers }),
      );
      return (await proxiedApp.mails(email)).length - before;
    };
    for (let request = 0; request < 40; request += 1) await askFrom(request % 10);
    // Twenty within the limit, and one beyond it.
    expect(await askFrom(99)).toBe(21);
    for (let minutes = 0; minutes < 50; minutes += 10) {
      proxiedApp.clock.forward(10 * MINUTE_MS);
      await askFrom(1);
      await askFrom(99);
    }
    const digest = await mailedDigest(proxiedApp, email);
    responseOf(await proxiedApp.visitor().put('/api/resetpassword', { digest, password: NEW, timezone: '' }));
    await proxiedApp.close();
  });

  test('a deactivated account gets the same answer and no link (C7)', async () => {
    const { email, id } = await confirmed(app);
    await deactivate(app, { id });
    const before = (await app.mails(email)).length;
    expect(responseOf(await requestReset(email))).toEqual({});
    expect(await app.mails(email)).toHaveLength(before);
  });
});

describe('PUT /resetpassword', () => {
  test('sets the password, ends every session and known browser, signs nobody in, and notifies the owner (C6)', async () => {
    const { email, visitor } = await confirmed(app);
    const other = app.visitor();
    await signIn(email, PASSWORD, other);
    const answer = await reset(await resetDigest(email));
    expect(responseOf(answer)).toEqual({});
    // The browser that opened the mailed link becomes known, without a session.
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^portico-device=[\w-]{43};/)]);
    expect([await callerOf(visitor), await callerOf(other)]).toEqual([null, null]);
    expect((await app.mails(email)).at(-1)?.subject).toBe('Your password was changed');
    expect((await signIn(email, PASSWORD)).code).toBe('invalid_credentials');
    responseOf(await signIn(email, NEW, other));
    expect((await app.mails(email)).at(-1)?.subject).toBe('New sign-in to your account');
  });

  test('the same password is refused and the link stays valid', async () => {
    const { email } = await confirmed(app);
    const digest = await resetDigest(email);
    const answer = await reset(digest, PASSWORD);
    expect([answer.status, answer.code]).toEqual([409, 'same_password']);
    responseOf(await reset(digest));
  });

  test('each of several links works for half an hour, until one is used (C2)', async () => {
    const { email } = await confirmed(app);
    const old = await resetDigest(email);
    const fresh = await resetDigest(email);
    responseOf(await reset(old));
    for (const digest of [old, fresh])
      expect((await reset(digest, 'third arch 78')).code).toBe('digest_invalid');
    const late = await resetDigest(email);
    app.clock.forward(30 * MINUTE_MS);
    const answer = await reset(late, 'fourth arch 79');
    expect([answer.status, answer.code]).toEqual([410, 'digest_expired']);
  });

  test('proves the mailbox: an unconfirmed account is confirmed and the earlier sign-up ends (A5, C7)', async () => {
    const { email, visitor } = await signedUp(app);
    responseOf(await reset(await resetDigest(email)));
    expect(await callerOf(visitor)).toBeNull();
    responseOf(await signIn(email, NEW));
  });

  test.each([
    ['wrong-codes', undefined],
    ['operator', 'account_is_disable'],
  ] as const)('a restriction by %s answers %s afterwards', async (cause, code) => {
    const { email, id } = await confirmed(app);
    await restrict(app, { id }, cause);
    responseOf(await reset(await resetDigest(email)));
    expect((await signIn(email, NEW)).code).toBe(code);
  });
});

describe('this wasn’t me', () => {
  test('the owner learns of a new browser, and the link ends all sessions and leads to a new password (C6)', async () => {
    const { email, visitor } = await confirmed(app);
    const stranger = app.visitor();
    responseOf(await signIn(email, PASSWORD, stranger));
    const mail = (await app.mails(email)).at(-1);
    expect(mail?.subject).toBe('New sign-in to your account');
    expect(mail?.text).toContain(`${app.url}/notme?digest=`);
    expect(mail?.text).toContain(
      `See where you are signed in:\n${app.url}/account/signindevices?language=en\n`,
    );
    const digest = await mailedDigest(app, email);
    const answer = responseOf<{ digest: string }>(await app.visitor().post('/api/notme', { digest }));
    expect([await callerOf(visitor), await callerOf(stranger)]).toEqual([null, null]);
    responseOf(await reset(answer.digest));
    responseOf(await signIn(email, NEW));
    expect((await app.visitor().post('/api/notme', { digest })).code).toBe('digest_invalid');
  });

  test('the links of all mails stay valid for a week', async () => {
    const { email } = await confirmed(app);
    await signIn(email, PASSWORD);
    const first = await mailedDigest(app, email);
    await signIn(email, PASSWORD);
    app.clock.forward(7 * DAY_MS - MINUTE_MS);
    responseOf(await app.visitor().post('/api/notme', { digest: first }));
    await signIn(email, PASSWORD);
    const late = await mailedDigest(app, email);
    app.clock.forward(7 * DAY_MS);
    expect((await app.visitor().post('/api/notme', { digest: late })).code).toBe('digest_expired');
  });
});

describe('ACCOUNT_DISCLOSURE=neutral', () => {
  test('a reset request gets the same answer for both addresses, and only the known one gets a mail (A3)', async () => {
    const neutralApp = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
    const email = newEmail();
    await neutralApp.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' });
    await neutralApp.mails();
    for (const address of [email, newEmail('nobody')])
      expect(
        responseOf(await neutralApp.visitor().post('/api/forgotpassword', { email_id: address })),
      ).toEqual({});
    expect((await neutralApp.mails()).map((mail) => mail.subject)).toEqual([
      'Confirm your email address',
      'Choose a new password',
    ]);
    await neutralApp.close();
  });
});

async function renew({ email }: Person) {
  app.clock.forward(SECOND_MS);
  responseOf(await resetByMail(app, email, NEW));
}

describe('a reset renews the limits of the person', () => {
  test('for mailed codes, even if those of the day are used up (B8)', async () => {
    const person = await twoStepPerson(app);
    for (let round = 0; round < 10; round += 1) responseOf(await signIn(person.email, PASSWORD));
    expect((await signIn(person.email, PASSWORD)).code).toBe('too_many_requests');
    await renew(person);
    expect(responseOf(await signIn(person.email, NEW))).toMatchObject({ mfa_enabled: 1 });
  });

  test('for wrong codes (B1)', async () => {
    const person = await twoStepPerson(app);
    const guess = async (password: string) => {
      const visitor = app.visitor();
      app.clock.forward(60 * SECOND_MS);
      const { contact } = responseOf<{ contact: string }>(await signIn(person.email, password, visitor));
      const otp = otherCode(await mailedCode(app, person.email));
      return () => visitor.post('/api/verifyotp', { contact, otp, timezone: '' });
    };
    const first = await guess(PASSWORD);
    for (let round = 0; round < 5; round += 1) expect((await first()).code).toBe('otp_invalid');
    const second = await guess(PASSWORD);
    for (let round = 0; round < 4; round += 1) expect((await second()).code).toBe('otp_invalid');
    await renew(person);
    expect((await (await guess(NEW))()).code).toBe('otp_invalid');
  });

  test('for tries from their network (A10)', async () => {
    const person = await confirmed(app);
    for (let round = 0; round < 6; round += 1) await signIn(person.email, 'not the password');
    expect((await signIn(person.email, PASSWORD)).code).toBe('too_many_requests');
    await renew(person);
    expect(responseOf(await signIn(person.email, NEW))).toMatchObject({ mfa_enabled: 0 });
  });
});

test('after a hundred wrong proofs, over any number of sessions, no more are accepted (A9)', async () => {
  const person = await confirmed(app);
  await app.deps.limiter.forget([`sessions of ${person.id}`]);
  for (let round = 0; round < 100; round += 1)
    expect(await app.deps.limiter.tryOneOf(100, `sessions of ${person.id}`)).toBe(true);
  const answer = await person.visitor.post('/api/reauthenticate', { password: PASSWORD });
  expect([answer.status, answer.code]).toEqual([429, 'too_many_requests']);
});
