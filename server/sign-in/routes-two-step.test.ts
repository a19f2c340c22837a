import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { confirmed, mailedCode, otherCode, signIn, twoStepPerson } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const mask = (email: string) => `${email[0]}•••${email.slice(email.indexOf('@'))}`;
const verify = (visitor: Visitor, email: string, otp: string) =>
  visitor.post('/api/verifyotp', { contact: mask(email), otp, timezone: '' });
const callerOf = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat'));

/** A person with two-step sign-in and a browser with a pending challenge. */
async function newChallenge() {
  const { email, id } = await twoStepPerson(app);
  const visitor = app.visitor();
  const answer = await signIn(visitor, email);
  return { email, id, visitor, answer, code: await mailedCode(app, email) };
}

describe('after the password', () => {
  test('the answer holds a masked address and a challenge cookie, which opens nothing (B5)', async () => {
    const { answer, email, visitor } = await newChallenge();
    expect(responseOf(answer)).toEqual({ mfa_enabled: 1, contact: mask(email) });
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^portico-challenge=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    // The method is remembered for the next sign-in.
    expect(others.map((other) => other.split(';')[0])).toEqual(['portico-method=password']);
    expect(await callerOf(visitor)).toBeNull();
  });

  test('the right code opens the session, uses up the challenge and leads to the page that was asked for', async () => {
    const { email, visitor, code } = await newChallenge();
    const body = { contact: mask(email), otp: code, timezone: '', redirectpath: '/northwind/myapps' };
    expect(responseOf(await visitor.post('/api/verifyotp', body))).toEqual({
      mfa_enabled: 0,
      next: '/northwind/myapps',
    });
    expect(await callerOf(visitor)).toMatchObject({ email });
    expect(visitor.cookies.has('portico-challenge')).toBe(false);
  });
});

describe('codes', () => {
  test('five wrong codes use up the challenge, even for the right code (B1)', async () => {
    const { email, visitor, code } = await newChallenge();
    for (let round = 0; round < 5; round += 1) {
      const answer = await verify(visitor, email, otherCode(code));
      expect([answer.code, answer.body.error?.details]).toEqual(['otp_invalid', 'Invalid OTP']);
    }
    const late = await verify(visitor, email, code);
    expect([late.status, late.code]).toEqual([410, 'otp_expired']);
  });

  test('are valid for ten minutes', async () => {
    const { email, visitor, code } = await newChallenge();
    app.clock.forward(10 * MINUTE_MS);
    expect((await verify(visitor, email, code)).code).toBe('otp_expired');
  });

  test('work for their own challenge only (B4)', async () => {
    const [first, second] = [await newChallenge(), await newChallenge()];
    expect((await verify(first.visitor, first.email, second.code)).code).toBe('otp_invalid');
    expect((await verify(app.visitor(), second.email, second.code)).code).toBe('otp_expired');
    expect((await verify(second.visitor, second.email, second.code)).code).toBeUndefined();
  });

  test.each(['', 'm***@northwind.example', 'thief@evil.example'])(
    'sign in the person of the challenge, even if the contact is %j (B4)',
    async (contact) => {
      const { email, visitor, code } = await newChallenge();
      responseOf(await visitor.post('/api/verifyotp', { contact, otp: code, timezone: '' }));
      expect(await callerOf(visitor)).toMatchObject({ email });
    },
  );

  test('are in no row and no log line', async () => {
    const { email } = await twoStepPerson(app);
    const visitor = app.visitor();
    await signIn(visitor, email);
    const queued = JSON.stringify(await app.deps.sql.selectFrom('jobs').selectAll().execute());
    const stored = JSON.stringify(await app.deps.sql.selectFrom('challenges').selectAll().execute());
    const code = await mailedCode(app, email);
    for (const text of [queued, stored, app.logLines.join('\n')]) expect(text).not.toContain(`is ${code}`);
    expect(stored).not.toContain(visitor.cookies.get('portico-challenge'));
  });
});

describe('POST /otp', () => {
  const resend = (visitor: Visitor) => visitor.post('/api/otp', {});

  test('mails a new code after half a minute; the old one stops working and tries stay counted (B1)', async () => {
    const { email, visitor, code } = await newChallenge();
    const early = await resend(visitor);
    expect([early.code, early.headers.get('retry-after')]).toEqual(['too_many_requests', '30']);
    for (let round = 0; round < 4; round += 1) await verify(visitor, email, otherCode(code));
    app.clock.forward(30 * SECOND_MS);
    expect(responseOf(await resend(visitor))).toEqual({ contact: mask(email), wait_s: 30 });
    const fresh = await mailedCode(app, email);
    expect((await verify(visitor, email, code === fresh ? otherCode(code) : code)).code).toBe('otp_invalid');
    expect((await verify(visitor, email, fresh)).code).toBe('otp_expired');
  });

  test('mails at most ten codes a day to one account (B8)', async () => {
    const { email } = await twoStepPerson(app);
    const before = (await app.mails(email)).length;
    const answers = [];
    for (let round = 0; round < 12; round += 1) answers.push(await signIn(app.visitor(), email));
    expect(answers.map((answer) => answer.code).slice(9)).toEqual([
      undefined,
      'too_many_requests',
      'too_many_requests',
    ]);
    expect((await app.mails(email)).length - before).toBe(10);
    app.clock.forward(DAY_MS);
    responseOf(await signIn(app.visitor(), email));
  });

  test('mails the person of the cookie and ignores the contact in the request (B4)', async () => {
    const [{ email, visitor }, other] = [await newChallenge(), await confirmed(app)];
    const before = (await app.mails(other.email)).length;
    app.clock.forward(31 * SECOND_MS);
    const answer = await visitor.post('/api/otp', { contact: other.email });
    expect(responseOf(answer)).toEqual({ contact: mask(email), wait_s: 30 });
    expect(await app.mails(other.email)).toHaveLength(before);
    expect((await app.mails(email)).at(-1)?.subject).toBe(
      `${await mailedCode(app, email)} is your Portico code`,
    );
  });

  test('mails at most three codes a challenge, and then answers how long the challenge still lasts (B8)', async () => {
    const { email, visitor } = await newChallenge();
    const before = (await app.mails(email)).length;
    for (let round = 0; round < 2; round += 1) {
      app.clock.forward(30 * SECOND_MS);
      responseOf(await resend(visitor));
    }
    expect((await app.mails(email)).length - before).toBe(2);
    app.clock.forward(30 * SECOND_MS);
    expect((await resend(visitor)).headers.get('retry-after')).toBe(String(10 * 60 - 90));
  });

  test('an early request does not count towards the codes of the day (B8)', async () => {
    const { email, visitor } = await newChallenge();
    for (let round = 0; round < 20; round += 1) await resend(visitor);
    expect(responseOf(await signIn(app.visitor(), email))).toMatchObject({ mfa_enabled: 1 });
  });
});

describe('ten wrong codes in a row', () => {
  test('over several challenges restrict the account for a day and notify its owner (B1)', async () => {
    const { email } = await twoStepPerson(app);
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      const visitor = app.visitor();
      await signIn(visitor, email);
      const code = await mailedCode(app, email);
      for (let at = 0; at < 5; at += 1) codes.push((await verify(visitor, email, otherCode(code))).code);
    }
    expect(codes.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'otp_invalid'));
    expect(codes[9]).toBe('account_is_disable');
    const answer = await signIn(app.visitor(), email);
    const until = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
    expect(answer.body.error).toMatchObject({ code: 'account_is_disable', reason: 'restricted', until });
    expect((await app.mails(email)).at(-1)?.subject).toBe('Your account is restricted for a while');
    app.clock.forward(DAY_MS);
    expect(responseOf(await signIn(app.visitor(), email))).toMatchObject({ mfa_enabled: 1 });
  });

  test('are counted from zero again after a right one', async () => {
    const { email } = await twoStepPerson(app);
    for (let round = 0; round < 3; round += 1) {
      const visitor = app.visitor();
      await signIn(visitor, email);
      const code = await mailedCode(app, email);
      for (let at = 0; at < 4; at += 1)
        expect((await verify(visitor, email, otherCode(code))).code).toBe('otp_invalid');
      expect((await verify(visitor, email, code)).code).toBeUndefined();
    }
  });

  test('wrong passwords never restrict an account (A10)', async () => {
    const { email } = await confirmed(app);
    for (let round = 0; round < 30; round += 1) {
      app.clock.forward(20 * MINUTE_MS);
      await app.visitor().post('/api/signin', { email_id: email, password: 'wrong arch 99', timezone: '' });
    }
    app.clock.forward(20 * MINUTE_MS);
    responseOf(await signIn(app.visitor(), email));
    expect((await app.mails(email)).map((mail) => mail.subject)).not.toContain(
      'Your account is restricted for a while',
    );
  });
});
