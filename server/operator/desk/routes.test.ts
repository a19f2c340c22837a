import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { addPasskey, type Authenticator } from '#server/testing/authenticator.ts';
import { desk, DESK, type Operator } from '#server/testing/desk.ts';
import { acted, outcomeOf } from '#server/testing/operator.ts';
import { confirmed, founder, type Person, signedUp } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { appCode, setUpApp } from '#server/testing/second-steps.ts';
import { lastingSessions, startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, ...DESK });

const { operator, atDesk, passkeyFor, prove } = desk(app);
const reason = 'She asked by phone';
const endSessions = ({ visitor }: Person, of: Person, why: string | undefined = reason) =>
  visitor.post('/api/operator/end-sessions', { person: String(of.id), ...(why && { reason: why }) });
const look = ({ visitor }: Person, name: string, of?: Person) =>
  visitor.get(`/api/operator/${name}${of ? `?person=${of.id}` : ''}`);
const rowsOf = async ({ id }: Person) =>
  (await acted<{ action: string; operator: string }[]>(app.deps, 'log', { person: String(id) })).map(
    ({ action, operator: by }) => [action, by],
  );

describe('the desk does not exist', () => {
  const paths = ['/api/operator', '/api/operator/status', '/api/operator/session', '/api/operator/lift'];
  const bodies = ['', '{"person":', '{}'];
  const types = ['application/json', 'text/xml', 'multipart/form-data; boundary=a'];
  const expectUnknown = async (visitor: Visitor, more: Record<string, string> = {}) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const ask = async (method: string, path: string, headers: Record<string, string>, body: string) => {
      const answer = await raw(app.url, method, path, { headers: { cookie, ...headers, ...more }, body });
      delete answer.headers['x-request-id'];
      delete answer.headers['date'];
      return answer;
    };
    for (const path of paths)
      for (const method of ['GET', 'POST', 'DELETE'])
        for (const origin of [app.url, 'https://evil.example'])
          for (const [at, body] of bodies.entries()) {
            const headers = { origin, 'content-type': types[at] ?? '' };
            expect(await ask(method, path, headers, body)).toEqual(
              await ask(method, '/api/nothing', headers, body),
            );
          }
  };
  test('for strangers and members, byte for byte (O1)', async () => {
    expect((await app.visitor().get('/api/operator')).code).toBe('not_found');
    await expectUnknown(app.visitor());
    await expectUnknown((await confirmed(app)).visitor);
  });
  test('for operators outside its networks (O1)', async () => {
    const { visitor } = await atDesk('full');
    expect((await look({ visitor } as Person, 'status')).status).toBe(200);
    await expectUnknown(visitor, { 'x-forwarded-for': '9.9.9.9' });
  });
  test('without networks (O1)', async () => {
    const other = await startApp();
    expect((await other.visitor().get('/api/operator')).code).toBe('not_found');
    await other.close();
  });
});

describe('operators', () => {
  test('are named at the machine with a confirmed address and a passkey, and all of them get a mail (O2)', async () => {
    const first = await operator('full');
    const input = (of: Person, level: string) => ({ person: String(of.id), level });
    expect(await outcomeOf(app.deps, 'operators add', input(await signedUp(app), 'support'))).toBe(
      'account_not_confirmed',
    );
    const person = await confirmed(app);
    expect(await outcomeOf(app.deps, 'operators add', input(person, 'support'))).toBe('not_allowed');
    await setUpApp(app, person.visitor);
    expect(await outcomeOf(app.deps, 'operators add', input(person, 'full'))).toBe('not_allowed');
    expect(await outcomeOf(app.deps, 'operators add', input(person, 'support'))).toBe('done');
    for (const { email } of [first, person])
      expect((await app.mails(email)).at(-1)?.subject).toContain(`(${person.id}) works at the desk`);
  });

  test('prove themselves anew, by what they had before (O3)', async () => {
    const maya = await operator('full');
    expect((await look(maya, 'status')).code).toBe('reauthentication_required');
    app.clock.forward(MINUTE_MS);
    // A passkey that somebody added later serves after a day only.
    const thiefs = { ...maya, authenticator: await addPasskey(maya.visitor, app.url) };
    expect((await prove(thiefs)).code).toBe('not_allowed');
    app.clock.forward(24 * HOUR_MS);
    expect((await prove(thiefs)).status).toBe(200);
    // Naming somebody again lets today's passkey serve at once.
    const tom = await operator('full');
    app.clock.forward(MINUTE_MS);
    const late = { ...tom, authenticator: await addPasskey(tom.visitor, app.url) };
    await acted(app.deps, 'operators add', { person: String(tom.id), level: 'full' });
    expect((await prove(late)).status).toBe(200);
    // A signature for another purpose or session does not serve.
    const elsewhere = await operator('full');
    const foreign = { passkey: await passkeyFor(elsewhere) };
    expect((await maya.visitor.post('/api/operator/session', foreign)).code).toBe('not_allowed');
    const stepUp = responseOf<{ options: Parameters<Authenticator['get']>[0] }>(
      await elsewhere.visitor.post('/api/reauthenticate/passkey', {}),
    );
    const passkey = elsewhere.authenticator.get(stepUp.options);
    expect((await elsewhere.visitor.post('/api/operator/session', { passkey })).code).toBe('passkey_invalid');
  });

  test('of the level support may use their app, once per code (O3)', async () => {
    const person = await confirmed(app);
    const { secret } = await setUpApp(app, person.visitor);
    await acted(app.deps, 'operators add', { person: String(person.id), level: 'support' });
    const code = { app_code: appCode(app, secret) };
    expect((await person.visitor.post('/api/operator/session', code)).status).toBe(200);
    expect((await person.visitor.post('/api/operator/session', code)).code).toBe('otp_invalid');
    const both = { ...code, passkey: undefined };
    expect((await person.visitor.post('/api/operator/session', { ...both, app_code: '000000' })).code).toBe(
      'otp_invalid',
    );
  });

  test.each<[string, (by: Operator) => Promise<unknown>]>([
    ['15 minutes without use', async () => app.clock.forward(15 * MINUTE_MS)],
    ['leaving', async ({ visitor }) => responseOf(await visitor.delete('/api/operator/session'))],
    ['a new level', ({ id }) => acted(app.deps, 'operators add', { person: String(id), level: 'support' })],
  ])('a stay ends with %s (O3)', async (_, end) => {
    const maya = await atDesk('full');
    await end(maya);
    expect((await look(maya, 'status')).code).toBe('reauthentication_required');
  });
  test('a stay ends after four hours of use, and with the session or the level (O3)', async () => {
    const maya = await atDesk('full');
    const states: (string | undefined)[] = [];
    for (let minutes = 0; minutes < 240; minutes += 12) {
      app.clock.forward(12 * MINUTE_MS);
      states.push((await look(maya, 'status')).code);
    }
    expect([states.indexOf('reauthentication_required'), states.length]).toEqual([19, 20]);
    responseOf(await prove(maya));
    await acted(app.deps, 'operators remove', { person: String(maya.id) });
    expect((await look(maya, 'status')).code).toBe('not_found');
    const otto = await atDesk('full');
    await acted(app.deps, 'end-sessions', { person: String(otto.id) });
    expect((await look(otto, 'status')).code).toBe('not_found');
  });
});

describe('a change', () => {
  test('needs a proof of the last five minutes and a reason, leaves a row and mails the person (O4)', async () => {
    const [maya, person] = [await atDesk('full'), await confirmed(app)];
    expect((await endSessions(maya, person, '')).code).toBe('invalid_input');
    expect((await endSessions(maya, person, '   ')).code).toBe('invalid_input');
    app.clock.forward(5 * MINUTE_MS);
    expect((await endSessions(maya, person)).code).toBe('reauthentication_required');
    expect(await rowsOf(person)).toEqual([]);
    responseOf(await prove(maya));
    expect(responseOf(await endSessions(maya, person))).toMatchObject({ data: { ended: 1 } });
    expect(await rowsOf(person)).toEqual([['end-sessions', expect.stringContaining(`(${maya.id})`)]]);
    expect((await app.mails(person.email)).at(-1)?.subject).toBe('You were signed out everywhere');
  });

  test('touches neither oneself nor another operator, nor does support touch a Super Admin (O5)', async () => {
    const [support, full] = [await atDesk('support'), await atDesk('full')];
    const boss = await founder(app);
    const codes = [];
    for (const [by, of] of [
      [full, full],
      [full, support],
      [support, full],
      [support, boss],
      [full, boss],
    ] as const)
      codes.push((await endSessions(by, of)).code);
    expect(codes).toEqual([...Array<string>(4).fill('not_allowed'), undefined]);
  });
});

test('each look leaves a row, and a person shows what their next sign-in does (O9)', async () => {
  const [support, person] = [await atDesk('support'), await founder(app)];
  const { lines } = responseOf<{ lines: string[] }>(await look(support, 'person', person));
  expect(lines).toContain('What the next sign-in does:');
  expect(lines).toContain('    password → the organization');
  expect(await rowsOf(person)).toEqual([['person', expect.stringContaining(`(${support.id})`)]]);
});

test('a search counts the people that it shows', async () => {
  const [support, person] = [await atDesk('support'), await confirmed(app)];
  const find = async () =>
    (await support.visitor.get(`/api/operator/find?words=${encodeURIComponent(person.email)}`)).code;
  for (let count = 0; count < 299; count += 1)
    await app.deps.limiter.take('deskFoundHour', `operator ${support.id}`);
  expect([await find(), await find()]).toEqual([undefined, 'too_many_requests']);
});

test('past its budget an operator waits, and full operators hear of it once (O10)', async () => {
  const [boss, support, person] = [await operator('full'), await atDesk('support'), await confirmed(app)];
  const codes = [];
  for (let count = 0; count < 62; count += 1) codes.push((await look(support, 'person', person)).code);
  expect(codes.indexOf('too_many_requests')).toBe(60);
  const told = (await app.mails(boss.email)).filter(({ subject }) => subject.includes('reached a limit'));
  expect(told).toHaveLength(1);
});
