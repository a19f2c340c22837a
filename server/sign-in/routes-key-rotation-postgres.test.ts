import { describe, expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { confirmed, mailedCode, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { browserAt, RACE_TIMEOUT } from '#server/testing/races.ts';
import { appCode, firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { startApp, startBeside, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const OLD = 'an-older-secret-of-32-characters';
const NEW = 'a-newer-secret-with-32-characters';

/** Two processes with these keys on one database. */
async function processes(first: readonly string[], second: readonly string[]) {
  const one = await startApp({ SECRET_KEY: first.join(',') });
  const other = await startBeside(one, second);
  onTestFinished(async () => {
    await other.close();
    await one.close();
  });
  return [one, other] as const;
}

/** One process makes secrets for a person, and the other one checks them; returns whether both know the session. */
async function throughBoth(made: TestApp, read: TestApp) {
  const email = newEmail();
  const { visitor } = await signedUp(made, email);
  const there = browserAt(read, visitor);
  responseOf(await there.post('/api/verifyemail', { digest: await mailedDigest(read, email) }));
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  const browser = made.visitor();
  await firstStep(browser, email);
  const code = await mailedCode(read, email);
  const typed = { contact: '', otp: code, timezone: '' };
  responseOf(await browserAt(read, browser).post('/api/verifyotp', typed));
  const { secret, codes } = await setUpApp(made, visitor);
  for (const [path, proof] of [
    ['/api/signin/app', appCode(made, secret)],
    ['/api/signin/recovery', codes[0]],
  ] as const) {
    const asked = read.visitor();
    await firstStep(asked, email);
    responseOf(await asked.post(path, { code: proof, timezone: '' }));
  }
  return isSignedIn(there);
}

describe('SECRET_KEY rotates in two rounds, one process after the other', () => {
  test.for([
    ['first', [OLD, NEW], [OLD]],
    ['second', [NEW, OLD], [OLD, NEW]],
    ['last', [NEW], [NEW, OLD]],
  ] as const)(
    'in the %s round each process reads what the other made (D13)',
    RACE_TIMEOUT,
    async ([, ahead, behind]) => {
      const [one, other] = await processes(ahead, behind);
      expect(await throughBoth(one, other)).toBe(true);
      expect(await throughBoth(other, one)).toBe(true);
    },
  );
});

test(
  'a process that does not know a key asks to try again, and leaves the mail to another',
  RACE_TIMEOUT,
  async () => {
    const [ahead, behind] = await processes([NEW, OLD], [OLD]);
    const { email } = await confirmed(ahead);
    const signIn = (app: TestApp) =>
      app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
    const refused = await signIn(behind);
    expect([refused.code, refused.headers.get('retry-after')]).toEqual(['unavailable', '5']);
    responseOf(await signIn(ahead));
    expect(await behind.mails(email)).toEqual([]);
    ahead.clock.forward(2 * SECOND_MS);
    expect((await ahead.mails(email)).at(-1)?.subject).toBe('New sign-in to your account');
  },
);
