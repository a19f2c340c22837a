import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import {
  confirmed,
  mailedCode,
  mailedDigest,
  otherCode,
  PASSWORD,
  type Person,
  twoStepPerson,
} from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const FRESH = 'fresh arch 77';
const signIn = (email: string, password: string, visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: '' });

async function reset({ email }: Person) {
  app.clock.forward(SECOND_MS);
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
  const digest = await mailedDigest(app, email);
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password: FRESH, timezone: '' }));
}

describe('a reset renews the limits of the person', () => {
  test('for mailed codes, even if those of the day are used up (B8)', async () => {
    const person = await twoStepPerson(app);
    for (let round = 0; round < 10; round += 1) responseOf(await signIn(person.email, PASSWORD));
    expect((await signIn(person.email, PASSWORD)).code).toBe('too_many_requests');
    await reset(person);
    expect(responseOf(await signIn(person.email, FRESH))).toMatchObject({ mfa_enabled: 1 });
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
    await reset(person);
    expect((await (await guess(FRESH))()).code).toBe('otp_invalid');
  });

  test('for tries from their network (A10)', async () => {
    const person = await confirmed(app);
    for (let round = 0; round < 6; round += 1) await signIn(person.email, 'not the password');
    expect((await signIn(person.email, PASSWORD)).code).toBe('too_many_requests');
    await reset(person);
    expect(responseOf(await signIn(person.email, FRESH))).toMatchObject({ mfa_enabled: 0 });
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
