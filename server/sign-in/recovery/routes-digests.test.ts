import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { TokenPurpose } from '#server/db/tables.ts';
import { everyRow } from '#server/testing/every-row.ts';
import { confirmed, mailedDigest, newEmail, PASSWORD, type Person } from '#server/testing/people.ts';
import { plantedChallenge, plantedDigest, plantedPerson, restrict } from '#server/testing/planted.ts';
import { updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const SIGN = 'https://sign.example/app';
const SECRET = 's'.repeat(24);
const NEW = 'fresh arch 77';
const webApp = fakeWebApp();
afterAll(() => rmSync(webApp, { recursive: true }));
const app = useApp({ SIGN_URL: SIGN, REDIRECT_SECRETS: `https://sign.example=${SECRET}` }, webApp);

/** The endpoints that take a digest, with their other fields and the page of the mailed link. */
const digestCalls = [
  { purpose: 'verify-email', method: 'POST', path: '/api/verifyemail', more: {}, page: '/verifyemail' },
  {
    purpose: 'reset-password',
    method: 'PUT',
    path: '/api/resetpassword',
    more: { password: NEW, timezone: '' },
    page: '/resetpassword',
  },
  {
    purpose: 'set-password',
    method: 'POST',
    path: '/api/resetpassword',
    more: { password: NEW, timezone: '' },
    page: '/createpassword',
  },
  { purpose: 'not-me', method: 'POST', path: '/api/notme', more: {}, page: '/notme' },
] as const satisfies { purpose: TokenPurpose; [other: string]: unknown }[];
type DigestCall = (typeof digestCalls)[number];

const useDigest = ({ method, path, more }: DigestCall, digest: unknown, extra = {}) =>
  app.visitor().send(method, path, { body: { digest, ...more, ...extra } });
const plantFor = async ({ purpose }: DigestCall) => {
  const person = await plantedPerson(app, { confirmed: purpose !== 'verify-email' });
  return { person, digest: await plantedDigest(app, person, purpose) };
};

describe.for(digestCalls)('$method $path with a $purpose digest', (call) => {
  test('refuses any other digest and changes nothing (C4)', async () => {
    const { person, digest } = await plantFor(call);
    const others = digestCalls.filter(({ purpose }) => purpose !== call.purpose);
    const foreign = [];
    for (const { purpose } of others) foreign.push(await plantedDigest(app, person, purpose));
    const swapped = digest.replace(/[a-z]/gi, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    // The last of 43 letters stands for four bits only, so a lenient decoder reads this one as the same.
    const lenient = digest.slice(0, -1) + String.fromCharCode((digest.codePointAt(42) ?? 0) + 1);
    const wrongTypes = [undefined, null, '', ' ', [], [digest], {}, { digest }, true, 0, 1, 'null', '*', '%'];
    const wrongLengths = [
      digest.slice(0, -1),
      digest.slice(1),
      `${digest}A`,
      ` ${digest}`,
      `${digest}=`,
      `${digest}\0`,
    ];
    const wrongLetters = [digest.toUpperCase(), digest.toLowerCase(), swapped, lenient, '_'.repeat(43)];
    const wrong = [...wrongTypes, ...wrongLengths, ...wrongLetters, ...foreign];
    const before = await everyRow(app.deps.sql);
    const answers = [];
    for (const other of wrong) answers.push(await useDigest(call, other));
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code !== 'invalid_input' && code !== 'digest_invalid')).toEqual([]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(await everyRow(app.deps.sql)).toEqual(before);
    responseOf(await useDigest(call, digest));
  });

  test('takes the person from the digest, never from the body (C4)', async () => {
    const { digest } = await plantFor(call);
    const victim = await plantedPerson(app);
    const before = await everyRow(app.deps.sql);
    for (const extra of [
      { user_id: victim.id },
      { email_id: victim.email },
      { id: victim.id },
      { contact: '' },
    ])
      expect((await useDigest(call, digest, extra)).code).toBe('invalid_input');
    expect(await everyRow(app.deps.sql)).toEqual(before);
  });

  test('accepts it once, and not after the address has changed (C2)', async () => {
    const { person, digest } = await plantFor(call);
    responseOf(await useDigest(call, digest));
    expect((await useDigest(call, digest)).code).toBe('digest_invalid');
    const later = await plantedDigest(app, person, call.purpose);
    await updateRows(app, 'users', { id: person.id }, { email: newEmail('moved') });
    expect((await useDigest(call, later)).code).toBe('digest_invalid');
  });

  test('a scanner that opens the mailed link uses nothing and learns nothing (C5)', async () => {
    const { digest } = await plantFor(call);
    const before = await everyRow(app.deps.sql);
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const path of [call.page, call.path]) {
        const headers = { purpose: 'prefetch', 'sec-fetch-site': 'cross-site', 'user-agent': 'Scanner/1.0' };
        const answer = await app.visitor().request(method, `${path}?digest=${digest}`, { headers });
        const answerText = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
        expect(answerText).not.toContain(digest);
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect([answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]).toEqual([
          'no-referrer',
          'no-store',
        ]);
      }
    expect(await everyRow(app.deps.sql)).toEqual(before);
    expect(app.logLines.join('')).toContain(call.page);
    responseOf(await useDigest(call, digest));
    expect(app.logLines.join('')).not.toContain(digest);
  });

  test('a fault leaves neither digest nor password in the log (C5)', async () => {
    const { digest } = await plantFor(call);
    const from = app.logLines.length;
    await sql`alter table one_time_tokens rename column token_hash to gone`.execute(app.deps.sql);
    const answer = await useDigest(call, digest);
    await sql`alter table one_time_tokens rename column gone to token_hash`.execute(app.deps.sql);
    const log = app.logLines.slice(from).join('');
    expect([answer.status, answer.code]).toEqual([500, 'internal_error']);
    expect(log).toContain('a request failed');
    for (const secret of [digest, NEW]) expect(log + JSON.stringify(answer.body)).not.toContain(secret);
  });
});

const signIn = ({ email }: Person, password = PASSWORD, more = {}) =>
  app.visitor().post('/api/signin', { email_id: email, password, timezone: '', ...more });
const resetCall = digestCalls[1];

describe('a new password', () => {
  test('voids every earlier link of any purpose (C2)', async () => {
    const person = await confirmed(app);
    responseOf(await signIn(person));
    const notMe = await mailedDigest(app, person.email);
    const reset = await plantedDigest(app, person, 'reset-password');
    const second = responseOf<{ digest: string }>(await useDigest(digestCalls[3], notMe)).digest;
    expect((await useDigest(resetCall, reset)).code).toBe('digest_invalid');
    responseOf(await signIn(person));
    const laterNotMe = await mailedDigest(app, person.email);
    const afterwards = await plantedDigest(app, person, 'reset-password');
    responseOf(await useDigest(resetCall, afterwards));
    for (const [call, digest] of [
      [resetCall, second],
      [digestCalls[3], laterNotMe],
    ] as const)
      expect((await useDigest(call, digest)).code).toBe('digest_invalid');
  });

  test.for([resetCall, digestCalls[2], digestCalls[3]])(
    'voids pending codes and challenges: $purpose (C6)',
    async (call) => {
      const person = await confirmed(app);
      const { code } = responseOf<{ code: string }>(await signIn(person, PASSWORD, { redirect_url: SIGN }));
      const challenge = await plantedChallenge(app, person);
      responseOf(await useDigest(call, await plantedDigest(app, person, call.purpose)));
      const redeemAnswer = await app
        .visitor()
        .post('/api/redeem', { code, redirect_url: SIGN, secret: SECRET });
      expect(redeemAnswer.code).toBe('digest_invalid');
      const contact = `p•••${person.email.slice(person.email.indexOf('@'))}`;
      const verifyAnswer = await challenge.visitor.post('/api/verifyotp', {
        contact,
        otp: challenge.code,
        timezone: '',
      });
      expect(verifyAnswer.code).toBe('otp_expired');
    },
  );
});

describe('a first password', () => {
  test('does not skip the second step (B6)', async () => {
    const person = await plantedPerson(app);
    await updateRows(app, 'users', { id: person.id }, { mfa_enabled: true });
    const answer = await useDigest(digestCalls[2], await plantedDigest(app, person, 'set-password'));
    expect([answer.body, answer.headers.getSetCookie()]).toEqual([{ success: true, response: {} }, []]);
    expect(responseOf(await signIn(person, NEW))).toMatchObject({ mfa_enabled: 1 });
  });

  test('does not sign in to a closed account (D6)', async () => {
    const person = await plantedPerson(app);
    await restrict(app, person);
    const answer = await useDigest(digestCalls[2], await plantedDigest(app, person, 'set-password'));
    expect([answer.body, answer.headers.getSetCookie()]).toEqual([{ success: true, response: {} }, []]);
    expect((await signIn(person, NEW)).code).toBe('account_is_disable');
  });
});
