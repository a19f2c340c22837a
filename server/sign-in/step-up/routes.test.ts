import { signedInBy } from '#server/access/rules.ts';
import { describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { deletePassword } from '#server/accounts/data.ts';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { mailProofCode, reauthenticate } from './actions.ts';
import { requestAddress } from '#server/testing/addresses.ts';
import { confirmed, mailedCode, otherCode, PASSWORD, signIn, TYPED_CODE } from '#server/testing/people.ts';
import { deleteRows, getRow } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const mask = (email: string) => `${email[0]}•••${email.slice(email.indexOf('@'))}`;
const verify = (visitor: Visitor, email: string, otp: string) =>
  visitor.post('/api/verifyotp', { contact: mask(email), otp, timezone: '' });
const callerOf = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat'));

describe('GET and PUT /mfa', () => {
  test('switch two-step sign-in, record it and notify the owner', async () => {
    const { visitor, email, id } = await confirmed(app);
    expect(responseOf(await visitor.get('/api/mfa'))).toEqual({ mfa_enabled: 0 });
    expect(responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }))).toEqual({ mfa_enabled: 1 });
    expect(responseOf(await visitor.get('/api/mfa'))).toEqual({ mfa_enabled: 1 });
    expect(responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }))).toEqual({ mfa_enabled: 1 });
    expect(responseOf(await visitor.put('/api/mfa', { mfa_enabled: 0 }))).toEqual({ mfa_enabled: 0 });
    app.clock.forward(10 * MINUTE_MS);
    const subjects = (await app.mails(email)).map((mail) => mail.subject);
    expect(subjects.filter((subject) => subject.startsWith('Two-step'))).toEqual([
      'Two-step sign-in is on',
      'Two-step sign-in is off',
    ]);
    const rows = await app.deps.sql
      .selectFrom('activity')
      .selectAll()
      .where('user_id', '=', id as UserId)
      .where('activity_type', '=', 14)
      .execute();
    expect(rows.map((row) => row.information)).toEqual([
      { mfa_enabled: [false, true] },
      { mfa_enabled: [true, false] },
    ]);
  });

  test('refuse a proof older than ten minutes', async () => {
    const { visitor } = await confirmed(app);
    app.clock.forward(10 * MINUTE_MS);
    const answer = await visitor.put('/api/mfa', { mfa_enabled: 1 });
    expect([answer.status, answer.code]).toEqual([403, 'reauthentication_required']);
    expect(responseOf(await visitor.get('/api/mfa'))).toEqual({ mfa_enabled: 0 });
  });
});

test('exactly these calls need a proof of the last ten minutes', () => {
  const found = Object.entries(api).flatMap(([feature, calls]) => {
    const names = Object.entries(calls).filter(([, call]) => 'recentProof' in call);
    return names.length > 0 ? [[feature, names.map(([name]) => name)]] : [];
  });
  expect(Object.fromEntries(found)).toEqual({
    passkeys: ['begin', 'add', 'remove'],
    authenticator: ['beginSetup', 'finishSetup', 'removeApp'],
    recoveryCodes: ['renew'],
    stepUp: ['setTwoStep'],
    social: ['start', 'link', 'unlink'],
    members: ['remove'],
    organizationSettings: ['setRule'],
    activity: ['export'],
    applications: ['register', 'change', 'rotateSecret'],
    companyDomains: ['add', 'change', 'remove'],
    companyDirectory: ['addToken', 'removeToken', 'setRole'],
    companyConnections: ['add', 'change', 'test', 'switchOn', 'remove'],
    companyVisits: ['link'],
    companyRules: ['set'],
    webhooks: ['add', 'change', 'rotateSecret'],
    dataExport: ['request', 'download'],
  });
});

describe('POST /reauthenticate', () => {
  const stale = async () => {
    const person = await confirmed(app);
    app.clock.forward(11 * MINUTE_MS);
    return person;
  };

  test('gives the same session a new cookie for the password, and sensitive calls pass again (D1)', async () => {
    const { visitor } = await stale();
    const old = app.visitor();
    old.cookies.set('portico', visitor.session ?? '');
    expect(responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }))).toEqual({});
    expect(await callerOf(old)).toBeNull();
    responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  });

  test.each([[{}], [{ password: PASSWORD, otp: TYPED_CODE }]])('refuses %o as one proof', async (body) => {
    const { visitor } = await stale();
    expect((await visitor.post('/api/reauthenticate', body)).code).toBe('invalid_input');
  });

  test('accepts a mailed code without a password, in this session only (B4)', async () => {
    const { visitor, email, id } = await stale();
    expect((await visitor.post('/api/reauthenticate/code', {})).code).toBe('not_allowed');
    const other = app.visitor();
    await signIn(other, email);
    await deleteRows(app, 'passwords', { user_id: id });
    app.clock.forward(11 * MINUTE_MS);
    expect(responseOf(await visitor.post('/api/reauthenticate/code', {}))).toEqual({
      contact: mask(email),
      wait_s: 30,
    });
    const code = await mailedCode(app, email);
    expect((await other.post('/api/reauthenticate', { otp: code })).code).toBe('otp_expired');
    expect((await verify(app.visitor(), email, code)).code).toBe('otp_expired');
    responseOf(await visitor.post('/api/reauthenticate', { otp: code }));
    responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
    expect((await other.put('/api/mfa', { mfa_enabled: 0 })).code).toBe('reauthentication_required');
  });

  test('mails codes half a minute apart and three a challenge, even for concurrent calls (B8)', async () => {
    const { visitor, email, id } = await stale();
    await deleteRows(app, 'passwords', { user_id: id });
    const before = (await app.mails(email)).length;
    const ask = () => visitor.post('/api/reauthenticate/code', {});
    const burst = await Promise.all(Array.from({ length: 5 }, ask));
    expect(burst.map((answer) => answer.code ?? 'mailed').toSorted()).toEqual([
      'mailed',
      ...Array.from({ length: 4 }, () => 'too_many_requests'),
    ]);
    const waits = [];
    for (let round = 0; round < 3; round += 1) {
      app.clock.forward(30 * SECOND_MS);
      waits.push((await ask()).headers.get('retry-after'));
    }
    expect(waits).toEqual([null, null, String(10 * 60 - 90)]);
    expect((await app.mails(email)).length - before).toBe(3);
    responseOf(await visitor.post('/api/reauthenticate', { otp: await mailedCode(app, email) }));
  });

  test('replaces a challenge without tries left, and ten wrong codes restrict (B1)', async () => {
    const { visitor, email, id } = await stale();
    await deleteRows(app, 'passwords', { user_id: id });
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      responseOf(await visitor.post('/api/reauthenticate/code', {}));
      const otp = otherCode(await mailedCode(app, email));
      for (let at = 0; at < 6; at += 1) codes.push((await visitor.post('/api/reauthenticate', { otp })).code);
    }
    const five = Array.from({ length: 5 }, () => 'otp_invalid');
    expect(codes).toEqual([...five, 'otp_expired', ...five.with(4, 'account_is_disable'), 'otp_expired']);
  });
});

const own = signedInBy(null, new Date(0));

test('a session that has ended meanwhile cannot step up (D1)', async () => {
  const { id } = await confirmed(app);
  const ended = { userId: id as UserId, sessionId: 999_999 as SessionId, ...own };
  const answers = [await reauthenticate(app.deps, ended, '203.0.113.9', { password: PASSWORD })];
  await transaction(app.deps.sql, (tx) => deletePassword(tx, ended.userId));
  expect([...answers, await mailProofCode(app.deps, ended)]).toMatchObject([
    { name: 'not_signed_in' },
    { name: 'not_signed_in' },
  ]);
});

test('a code goes to the current address, not to the earlier one (C8)', async () => {
  const person = await confirmed(app);
  const userId = person.id as UserId;
  const next = await requestAddress(app, person);
  await transaction(app.deps.sql, (tx) => deletePassword(tx, userId));
  const { id: sessionId } = await getRow(app, 'sessions', ['id'], { user_id: userId });
  const take = vi.spyOn(app.deps.limiter, 'take').mockImplementationOnce(async () => {
    responseOf(await person.visitor.post('/api/verifyemail', { digest: next.digest }));
    return undefined;
  });
  expect(await mailProofCode(app.deps, { userId, sessionId, ...own })).toMatchObject({
    contact: mask(next.email),
  });
  take.mockRestore();
  responseOf(await person.visitor.post('/api/reauthenticate', { otp: await mailedCode(app, next.email) }));
});
