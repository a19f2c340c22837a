import { describe, expect, test } from 'vitest';
import { ACTION, MODULE } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { confirmed, PASSWORD, type Person } from '#server/testing/people.ts';
import { plantedChallenge } from '#server/testing/planted.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '1000' });

type Session = { id: number; CurrentSession: 0 | 1 } & Record<string, unknown>;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const devicesOf = async (visitor: Visitor) => responseOf<Session[]>(await visitor.get('/api/usersession'));
const end = (visitor: Visitor, body: object) => visitor.delete('/api/usersession', body);
const isIn = async (visitor: Visitor) => (await visitor.get('/api/user')).code ?? 'in';

/** Signs the same person in at another device. */
async function another({ email }: Person, headers: Record<string, string> = {}, visitor = app.visitor()) {
  const body = { email_id: email, password: PASSWORD, timezone: '' };
  responseOf(await visitor.send('POST', '/api/signin', { body, headers }));
  return visitor;
}
const endingsOf = async ({ id }: Pick<Person, 'id'>) => {
  const rows = await listRows(
    app,
    'activity',
    ['module', 'action', 'record_id', 'information'],
    { user_id: id, activity_type: 12 },
    'id',
  );
  return rows;
};
const newestMail = async ({ email }: Person) => (await app.mails(email)).at(-1)?.subject;

describe('GET /usersession', () => {
  test('lists the caller’s devices, the current one first, then by last activity', async () => {
    const person = await confirmed(app);
    const before = app.clock.now();
    app.clock.forward(MINUTE_MS);
    const there = await another(person, { 'user-agent': firefox, 'x-forwarded-for': '81.2.69.160' });
    app.clock.forward(MINUTE_MS);
    const last = await another(person);
    const [first, second, third, ...more] = await devicesOf(person.visitor);
    expect(first).toMatchObject({
      browser_name: 'Unknown',
      OS_name: 'Unknown',
      device_name: 'Unknown',
      location: 'Unknown',
      created_time: before.toISOString(),
      recent_activity: app.clock.now().toISOString(),
      CurrentSession: 1,
    });
    expect([second?.CurrentSession, more]).toEqual([0, []]);
    expect(third).toEqual({
      id: third?.id,
      ip_address: '81.2.69.160',
      browser_name: 'Firefox',
      OS_name: 'Windows',
      device_name: 'Desktop',
      location: 'London, United Kingdom',
      recent_activity: new Date(before.getTime() + MINUTE_MS).toISOString(),
      created_time: new Date(before.getTime() + MINUTE_MS).toISOString(),
      CurrentSession: 0,
    });
    expect((await devicesOf(there))[0]?.id).toBe(third?.id);
    expect((await devicesOf(last)).map(({ id }) => id)).toContain(third?.id);
  });

  test('shows no other person’s devices, no ended ones, and never a cookie or its hash (D3)', async () => {
    const [owner, stranger] = [await confirmed(app), await confirmed(app)];
    await another(owner);
    app.clock.forward(6 * DAY_MS);
    await owner.visitor.get('/api/user');
    app.clock.forward(2 * DAY_MS);
    const answer = await owner.visitor.get('/api/usersession');
    expect(responseOf<Session[]>(answer)).toHaveLength(1);
    const rows = await listRows(app, 'sessions', ['token_hash']);
    const body = JSON.stringify(answer.body);
    expect(body).not.toContain(owner.visitor.session);
    for (const { token_hash: hash } of rows) expect(body).not.toContain(Buffer.from(hash).toString('hex'));
    expect(stranger.visitor.session).toMatch(/^[\w-]{43}$/);
  });

  test('an invented browser name is cut and never repeated (E5)', async () => {
    const person = await confirmed(app);
    await another(person, { 'user-agent': `<img src=x onerror=alert(1)>/1.0 ${'x'.repeat(900)}` });
    const { user_agent: stored } = await app.deps.sql
      .selectFrom('sessions')
      .select('user_agent')
      .where('user_id', '=', person.id as UserId)
      .where('user_agent', 'like', '<img%')
      .executeTakeFirstOrThrow();
    expect(stored).toHaveLength(512);
    expect((await devicesOf(person.visitor))[1]).toMatchObject({
      browser_name: 'Unknown',
      OS_name: 'Unknown',
    });
  });
});

describe('DELETE /usersession', () => {
  test('ends one device at its next request, and the log says which', async () => {
    const person = await confirmed(app);
    const there = await another(person, { 'user-agent': firefox, 'x-forwarded-for': '81.2.69.160' });
    const [, other] = await devicesOf(person.visitor);
    expect(responseOf(await end(person.visitor, { session_id: other?.id }))).toEqual({});
    expect([await isIn(there), await isIn(person.visitor)]).toEqual(['not_signed_in', 'in']);
    expect(await endingsOf(person)).toEqual([
      {
        module: MODULE.signInDevice,
        action: ACTION.delete,
        record_id: other?.id,
        information: {
          browser: ['Firefox', null],
          system: ['Windows', null],
          ip_address: ['81.2.69.160', null],
          location: ['London, United Kingdom', null],
        },
      },
    ]);
  });

  test('ends only the caller’s own: foreign, unknown and malformed ids get the same answer (D5)', async () => {
    const [owner, stranger] = [await confirmed(app), await confirmed(app)];
    const [foreign] = await devicesOf(stranger.visitor);
    const ids = [foreign?.id, 999_999_999, 0, -1, 1.5, 2 ** 63, '1', '1e1', 'x', null, [1], { id: 1 }, true];
    const answers = [];
    for (const id of ids)
      for (const flag of [{}, { current_session: 1 }])
        answers.push(await end(owner.visitor, { session_id: id, ...flag }));
    const [first] = answers;
    expect([first?.status, first?.code]).toEqual([404, 'session_not_found']);
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => first?.body));
    expect([await isIn(stranger.visitor), await isIn(owner.visitor)]).toEqual(['in', 'in']);
  });

  test('the flag of the current session reaches no other session (D5)', async () => {
    const person = await confirmed(app);
    const there = await another(person);
    const [, other] = await devicesOf(person.visitor);
    const aimed = await end(person.visitor, { session_id: other?.id, current_session: 1 });
    expect([aimed.code, await isIn(there)]).toEqual(['session_not_found', 'in']);
  });

  test.for([{ current_session: 1 }, {}])('signs out when the current session is ended, %j', async (flag) => {
    const { visitor } = await confirmed(app);
    const [current] = await devicesOf(visitor);
    app.clock.forward(DAY_MS);
    const answer = await end(visitor, { session_id: current?.id, ...flag });
    expect(responseOf(answer)).toEqual({});
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect([visitor.session, await isIn(visitor)]).toEqual([undefined, 'not_signed_in']);
  });

  test('another device needs a recent proof', async () => {
    const person = await confirmed(app);
    const there = await another(person);
    app.clock.forward(10 * MINUTE_MS);
    const [, other] = await devicesOf(person.visitor);
    for (const body of [{ session_id: other?.id }, { others: 1 }])
      expect((await end(person.visitor, body)).code).toBe('reauthentication_required');
    expect(await isIn(there)).toBe('in');
    responseOf(await person.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    responseOf(await end(person.visitor, { others: 1 }));
    expect([await isIn(there), await isIn(person.visitor)]).toEqual(['not_signed_in', 'in']);
    expect(await endingsOf(person)).toHaveLength(1);
  });

  test('a sign-in that waits for its code elsewhere goes on, because it is no device yet', async () => {
    const person = await confirmed(app);
    await another(person);
    const half = await plantedChallenge(app, person);
    responseOf(await end(person.visitor, { others: 1 }));
    const contact = `m•••${person.email.slice(person.email.indexOf('@'))}`;
    const late = await half.visitor.post('/api/verifyotp', { contact, otp: half.code, timezone: '' });
    expect(late.code).toBeUndefined();
  });

  test('a removed device counts as new when it returns; one that signed out does not', async () => {
    const person = await confirmed(app);
    const there = await another(person);
    responseOf(await there.delete('/api/logout'));
    const before = (await app.mails(person.email)).length;
    await another(person, {}, there);
    expect(await app.mails(person.email)).toHaveLength(before);
    const [, other] = await devicesOf(person.visitor);
    responseOf(await end(person.visitor, { session_id: other?.id }));
    await another(person, {}, there);
    expect(await app.mails(person.email)).toHaveLength(before + 1);
    expect(await newestMail(person)).toBe('New sign-in to your account');
  });
});

describe('known browsers', () => {
  test('the browser that signed up is known: its next sign-in sends no mail', async () => {
    const person = await confirmed(app);
    const before = (await app.mails(person.email)).length;
    responseOf(await person.visitor.delete('/api/logout'));
    await another(person, {}, person.visitor);
    expect(await app.mails(person.email)).toHaveLength(before);
  });

  test('signing out with an ended cookie still clears the browser’s data', async () => {
    const { visitor } = await confirmed(app);
    const cookie = visitor.session ?? '';
    responseOf(await visitor.delete('/api/logout'));
    visitor.cookies.set('portico', cookie);
    const answer = await visitor.delete('/api/logout');
    expect([answer.code, answer.headers.get('clear-site-data')]).toEqual([
      'not_signed_in',
      '"cache", "storage"',
    ]);
    expect(visitor.session).toBeUndefined();
    expect((await app.visitor().delete('/api/logout')).headers.getSetCookie()).toEqual([]);
  });
});
