import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import { confirmed, mailedDigest, PASSWORD, type Person, twoStepPerson } from '#server/testing/people.ts';
import { restrict } from '#server/testing/planted.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

/** Signs in while something happens between the password check and the session. */
async function signInWhile(person: Person, event: () => Promise<unknown>) {
  const { passwords } = app.deps;
  const matches = passwords.matches.bind(passwords);
  const slow: typeof matches = async (...args) => {
    const answer = await matches(...args);
    Object.assign(passwords, { matches });
    await event();
    return answer;
  };
  Object.assign(passwords, { matches: slow });
  const visitor = app.visitor();
  const body = { email_id: person.email, password: PASSWORD, timezone: '' };
  return { visitor, answer: await visitor.post('/api/signin', body) };
}

const rowsOf = (table: 'sessions' | 'challenges', { id }: Person) =>
  app.deps.sql
    .selectFrom(table)
    .select('id')
    .where('user_id', '=', id as UserId)
    .execute();

async function reset({ email }: Person) {
  app.clock.forward(SECOND_MS);
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
  const digest = await mailedDigest(app, email);
  const body = { digest, password: 'fresh arch 77', timezone: '' };
  responseOf(await app.visitor().put('/api/resetpassword', body));
}

describe('a concurrent sign-in', () => {
  test.for([
    { steps: 'one step', make: confirmed },
    { steps: 'two steps', make: twoStepPerson },
  ])('in $steps with the old password is refused once the password is reset (C6)', async ({ make }) => {
    const person = await make(app);
    const { visitor, answer } = await signInWhile(person, () => reset(person));
    expect([answer.status, answer.code]).toEqual([401, 'invalid_credentials']);
    expect(visitor.cookies.size).toBe(0);
    expect([await rowsOf('sessions', person), await rowsOf('challenges', person)]).toEqual([[], []]);
  });

  test('is refused once the account is closed (D6)', async () => {
    const person = await confirmed(app);
    const { visitor, answer } = await signInWhile(person, () => restrict(app, person));
    expect([answer.code, answer.body.error?.reason]).toEqual(['account_is_disable', 'restricted']);
    expect(visitor.cookies.size).toBe(0);
  });

  test('asks for a second step that was switched on meanwhile (B6)', async () => {
    const person = await confirmed(app);
    const { visitor, answer } = await signInWhile(person, () =>
      person.visitor.put('/api/mfa', { mfa_enabled: 1 }),
    );
    expect(responseOf(answer)).toMatchObject({ mfa_enabled: 1 });
    expect([...visitor.cookies.keys()]).toEqual(['portico-challenge', 'portico-method']);
  });
});
