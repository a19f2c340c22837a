import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS, SECOND_MS } from '#server/clock.ts';
import { personOf } from '#server/keys.ts';
import {
  confirmed,
  deactivate,
  founder,
  newEmail,
  PASSWORD,
  type Person,
  resetByMail,
  signedUp,
  twoStepPerson,
} from '#server/testing/people.ts';
import { plantedInvitation, plantedPerson, restrict } from '#server/testing/planted.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const signIn = (visitor: Visitor, email: string, password = PASSWORD, more = {}) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: 'Europe/Stockholm', ...more });
const callerOf = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat'));

describe('POST /signin', () => {
  test('with the right password opens a session', async () => {
    const { email, id } = await confirmed(app);
    const visitor = app.visitor();
    const answer = await signIn(visitor, email);
    expect(responseOf(answer)).toEqual({ mfa_enabled: 0 });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^portico=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await callerOf(visitor)).toEqual({
      id,
      email,
      full_name: email,
      confirmed: 1,
      person: personOf(app.deps.keys, id as UserId),
    });
  });

  test('a wrong password gets the same answer for an unknown address and for every state of an account (A1)', async () => {
    const [known, restricted, deactivated] = [
      await confirmed(app),
      await confirmed(app),
      await confirmed(app),
    ];
    await restrict(app, restricted);
    await deactivate(app, deactivated);
    const people = [
      { email: newEmail('nobody') },
      known,
      restricted,
      deactivated,
      await signedUp(app),
      await plantedPerson(app),
      await plantedInvitation(app, (await founder(app)).orgId),
      await twoStepPerson(app),
    ];
    const answers = await Promise.all(
      people.map(({ email }) => signIn(app.visitor(), email, 'wrong arch 99')),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        success: false,
        error: { code: 'invalid_credentials', details: 'The Email address or Password is wrong.' },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(new Set(answers.map((answer) => [...answer.headers.keys()].join())).size).toBe(1);
  });

  test('an unknown address costs one hash, as a known one does (A1)', async () => {
    let checks = 0;
    const { passwords } = app.deps;
    const matches = passwords.matches.bind(passwords);
    Object.assign(passwords, {
      matches: (...args: Parameters<typeof matches>) => ((checks += 1), matches(...args)),
    });
    await signIn(app.visitor(), newEmail('nobody'));
    await signIn(app.visitor(), (await plantedPerson(app)).email);
    Object.assign(passwords, { matches });
    expect(checks).toBe(2);
  });

  test('an unconfirmed account is reported only after the right password (A1)', async () => {
    const { email } = await signedUp(app);
    expect((await signIn(app.visitor(), email, 'wrong arch 99')).code).toBe('invalid_credentials');
    const answer = await signIn(app.visitor(), email);
    expect([answer.status, answer.code]).toEqual([403, 'account_not_confirmed']);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('a restricted account reports the end of the restriction after the right password (A1)', async () => {
    const { email, id } = await confirmed(app);
    await restrict(app, { id });
    const until = new Date(app.clock.now().getTime() + DAY_MS);
    expect((await signIn(app.visitor(), email, 'wrong arch 99')).code).toBe('invalid_credentials');
    const answer = await signIn(app.visitor(), email);
    expect([answer.status, answer.body.error]).toMatchObject([
      403,
      { code: 'account_is_disable', reason: 'restricted', until: until.toISOString() },
    ]);
    app.clock.forward(DAY_MS);
    responseOf(await signIn(app.visitor(), email));
  });

  test.each([
    ['/northwind/myprofile?tab=1', '/northwind/myprofile?tab=1'],
    ['//evil.example', undefined],
    ['https://evil.example', undefined],
    ['/\\evil.example', undefined],
  ])('redirectpath %o answers next %o (F1)', async (redirectpath, next) => {
    const { email } = await confirmed(app);
    const answer = responseOf<{ next?: string }>(
      await signIn(app.visitor(), email, PASSWORD, { redirectpath }),
    );
    expect(answer.next).toBe(next);
  });
});

describe('GET /ustat', () => {
  test('is null without a session and with a made-up one', async () => {
    expect(await callerOf(app.visitor())).toBeNull();
    const stranger = app.visitor();
    for (const value of ['', 'x', 'A'.repeat(43), '%00', 'a'.repeat(3000)]) {
      stranger.cookies.set('portico', value);
      expect((await stranger.get('/api/ustat')).body).toEqual({ success: true, response: null });
    }
  });
});

describe('DELETE /logout', () => {
  test('ends the session on the server, clears the browser’s data, and is recorded (D4)', async () => {
    const { visitor, id } = await founder(app);
    const copy = app.visitor();
    copy.cookies.set('portico', visitor.session ?? '');
    const answer = await visitor.delete('/api/logout');
    expect(responseOf(answer)).toEqual({});
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(visitor.session).toBeUndefined();
    expect(await callerOf(copy)).toBeNull();
    expect((await copy.get('/api/init')).code).toBe('not_signed_in');
    const row = await app.deps.sql
      .selectFrom('activity')
      .selectAll()
      .where('user_id', '=', id as UserId)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(row).toMatchObject({ activity_type: ACTIVITY_TYPE.signIn, action: ACTION.delete });
  });
});

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
  responseOf(await resetByMail(app, email, 'fresh arch 77'));
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
