import { describe, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { confirmed, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

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
