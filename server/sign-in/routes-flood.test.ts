import { availableParallelism } from 'node:os';
import { setImmediate as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { confirmed, newEmail, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const FLOODED = '203.0.113.7';
const QUEUE_SLOTS = availableParallelism() + 64;

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1' });

const signInFrom = (address: string, email: string) => {
  const body = { email_id: email, password: PASSWORD, timezone: '' };
  return app.visitor().send('POST', '/api/signin', { body, headers: { 'x-forwarded-for': address } });
};

/** Keeps the queue full from one network. The returned function stops it. */
function flood() {
  const stopped = new AbortController();
  const sendPasswords = async () => {
    while (!stopped.signal.aborted) {
      const answer = await app.deps.passwords.hash('flooding arch 1', FLOODED);
      // A refused call waits a little before the next try.
      if (answer instanceof Refusal) await pause();
    }
  };
  const senders = Promise.all(Array.from({ length: QUEUE_SLOTS + 10 }, sendPasswords));
  return () => (stopped.abort(), senders);
}

test('a flood of passwords from one network is refused, while others sign in and signed-in people work on (M4)', async () => {
  const { visitor, email } = await confirmed(app);
  const stop = flood();
  const answers = await Promise.all(Array.from({ length: 10 }, () => signInFrom(FLOODED, newEmail())));
  for (const { status, code, headers } of answers)
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  expect((await signInFrom('203.0.113.8', email)).status).toBe(200);
  const calls = Array.from({ length: 20 }, () => visitor.get('/api/user'));
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  await stop();
  expect((await signInFrom(FLOODED, email)).status).toBe(200);
});
