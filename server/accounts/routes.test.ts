import { describe, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { confirmed, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

describe('POST /signup', () => {
  test('opens a session, and takes country and time zone from the browser', async () => {
    const email = newEmail();
    const { visitor, id } = await signedUp(app, email);
    const status = responseOf(await visitor.get('/api/ustat'));
    expect(status).toEqual({ id, email, full_name: email, confirmed: 0, person: expect.any(String) });
    const user = responseOf(await visitor.get('/api/user'));
    expect(user).toMatchObject({
      country: 'Sweden',
      time_zone: 'Europe/Stockholm',
      has_password: 1,
      mfa_enabled: 0,
    });
  });

  test('the mail carries a link to the portal, and the database does not hold its digest', async () => {
    const { email } = await signedUp(app);
    const digest = await mailedDigest(app, email);
    const [mail] = await app.mails(email);
    expect(mail?.subject).toBe('Confirm your email address');
    expect(mail?.text).toContain(`${app.url}/verifyemail?digest=${digest}`);
    expect(mail?.html).toContain(`${app.url}/verifyemail?digest=${digest}`);
    const rows = await app.deps.sql.selectFrom('one_time_tokens').selectAll().execute();
    const jobs = await app.deps.sql.selectFrom('jobs').selectAll().execute();
    expect(JSON.stringify([rows, jobs])).not.toContain(digest);
    expect(app.logLines.join('\n')).not.toContain(digest);
  });
});

describe('ACCOUNT_DISCLOSURE=neutral', () => {
  test('a taken and a free address get the same answer without a cookie, and the owner gets a mail (A3, A12)', async () => {
    const neutralApp = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
    try {
      const email = newEmail();
      const send = () =>
        neutralApp.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' });
      /** The rows before the jobs run. */
      const rowCounts = async () => {
        const count = await listRows(neutralApp, 'users', ['id']);
        const jobs = await listRows(neutralApp, 'jobs', ['kind', 'lane']);
        return { users: count.length, job: jobs.at(-1), jobs: jobs.length };
      };
      const before = await rowCounts();
      const free = await send();
      const afterFree = await rowCounts();
      expect(afterFree).toMatchObject({
        users: before.users,
        jobs: before.jobs + 1,
        job: { kind: 'sign-up' },
      });
      await neutralApp.mails();
      const afterSignUp = await rowCounts();
      expect(afterSignUp.users).toBe(before.users + 1);
      const taken = await send();
      expect(await rowCounts()).toEqual({
        users: afterSignUp.users,
        jobs: afterSignUp.jobs + 1,
        job: afterFree.job,
      });
      for (const answer of [free, taken]) {
        expect(responseOf(answer)).toEqual({ confirmed: 0 });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      const mails = await neutralApp.mails(email);
      expect(mails.map((mail) => mail.subject)).toEqual([
        'Confirm your email address',
        'You already have an account',
      ]);
    } finally {
      await neutralApp.close();
    }
  });
});

const isSignedIn = async (visitor: { get(path: string): Promise<{ body: { response?: unknown } }> }) =>
  (await visitor.get('/api/ustat')).body.response !== null;

describe('POST /verifyemail', () => {
  test('with the person’s own session confirms and keeps everything', async () => {
    const { visitor, email } = await signedUp(app);
    const answer = await visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) });
    expect(responseOf(answer)).toEqual({ password_needed: 0 });
    expect(responseOf(await visitor.get('/api/ustat'))).toMatchObject({ confirmed: 1 });
  });

  test('on another device with the right password confirms and keeps the session', async () => {
    const { visitor, email } = await signedUp(app);
    const digest = await mailedDigest(app, email);
    const wrong = await app.visitor().post('/api/verifyemail', { digest, password: 'not this one' });
    expect([wrong.status, wrong.code]).toEqual([403, 'invalid_credentials']);
    const right = await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD });
    expect(responseOf(right)).toEqual({ password_needed: 0 });
    expect(right.headers.getSetCookie()).toEqual([]);
    expect(responseOf(await visitor.get('/api/ustat'))).toMatchObject({ confirmed: 1 });
  });

  test('another person’s session proves nothing and changes nothing', async () => {
    const { visitor, email } = await signedUp(app);
    const other = await confirmed(app);
    const answer = await other.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) });
    expect(responseOf(answer)).toEqual({ password_needed: 1 });
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await isSignedIn(other.visitor)).toBe(true);
    expect(responseOf(await visitor.get('/api/ustat'))).toMatchObject({ confirmed: 0 });
  });

  test('a digest works once, for a day, and for its purpose (C2)', async () => {
    const { visitor, email } = await signedUp(app);
    const digest = await mailedDigest(app, email);
    const asPassword = await visitor.post('/api/resetpassword', {
      digest,
      password: 'any arch 11',
      timezone: '',
    });
    expect(asPassword.code).toBe('digest_invalid');
    responseOf(await visitor.post('/api/verifyemail', { digest }));
    expect((await visitor.post('/api/verifyemail', { digest })).code).toBe('digest_invalid');

    const latePerson = await signedUp(app);
    const lateDigest = await mailedDigest(app, latePerson.email);
    app.clock.forward(24 * HOUR_MS);
    const answer = await latePerson.visitor.post('/api/verifyemail', { digest: lateDigest });
    expect([answer.status, answer.code]).toEqual([410, 'digest_expired']);
  });

  test('five wrong passwords use up the link', async () => {
    const { email } = await signedUp(app);
    const digest = await mailedDigest(app, email);
    const tries = Array.from({ length: 12 }, (_, at) =>
      app.visitor().post('/api/verifyemail', { digest, password: `wrong arch ${at}` }),
    );
    const codes = (await Promise.all(tries)).map((answer) => answer.code);
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
    expect((await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD })).code).toBe(
      'digest_invalid',
    );
    expect((await app.visitor().post('/api/verifyemail', { digest })).code).toBe('digest_invalid');
  });
});

describe('POST /verifyemail/resend', () => {
  const resend = async (email: string) =>
    responseOf(await app.visitor().post('/api/verifyemail/resend', { email_id: email }));

  test('mails another link; both work until one is used', async () => {
    const { visitor, email } = await signedUp(app);
    const old = await mailedDigest(app, email);
    app.clock.forward(30 * SECOND_MS);
    expect(await resend(email)).toEqual({});
    const fresh = await mailedDigest(app, email);
    expect(fresh).not.toBe(old);
    responseOf(await visitor.post('/api/verifyemail', { digest: old }));
    expect((await visitor.post('/api/verifyemail', { digest: fresh })).code).toBe('digest_invalid');
  });

  test('gives unknown and confirmed addresses the same answer and mails nobody (A3)', async () => {
    const { email } = await confirmed(app);
    const before = (await app.mails()).length;
    app.clock.forward(HOUR_MS);
    expect(await resend(email)).toEqual({});
    expect(await resend(newEmail('nobody'))).toEqual({});
    expect(await app.mails()).toHaveLength(before);
  });

  test('mails at most every 30 seconds and five times an hour (B8)', async () => {
    const { email } = await signedUp(app);
    await resend(email);
    expect(await app.mails(email)).toHaveLength(1);
    for (let round = 0; round < 8; round += 1) {
      app.clock.forward(31 * SECOND_MS);
      await resend(email);
      await app.mails();
    }
    expect(await app.mails(email)).toHaveLength(5);
  });
});
