import { expect, test } from 'vitest';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import type { UserId } from '#contract/wire.ts';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { insertAttempt } from './data.ts';
import { transaction } from '#server/db/connect.ts';
import {
  attemptsOf,
  companyWithProvider,
  guestOfCompany,
  linkCompany,
  proveByCompany,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { getRow, listRows, updateRows } from '#server/testing/rows.ts';
import { join, newRole } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const SIGN = 'https://sign.example/app';
const SECRET = 's'.repeat(24);
const app = useApp({
  ...lastingSessions,
  SIGN_URL: SIGN,
  REDIRECT_SECRETS: `https://sign.example=${SECRET}`,
});

test('members enter through the company from their own session, also when its last domain is lost', async () => {
  const { company, ann, claims } = await guestOfCompany(app);
  await updateRows(app, 'company_domains', { domain: company.domain }, { proven_at: null });
  expect((await app.visitor().post('/api/company/start', { company: company.urlName })).code).toBe(
    'connection_not_found',
  );
  expect(await visitCompany(app, company, ann.visitor, claims)).toMatchObject({ to: `/${company.urlName}` });
  await company.close();
});

test('a session of the company alone stays out of an organization that the person joins later (U14)', async () => {
  const company = await companyWithProvider(app);
  const { id, email, visitor: own } = await confirmed(app, `kim@${company.domain}`);
  const claims = { sub: 'kim', email, amr: ['mfa'] };
  await visitCompany(app, company, own, claims);
  responseOf(await linkCompany(own));
  const kim = app.visitor();
  await visitCompany(app, company, kim, claims);
  const other = await founder(app);
  await join(app, { id }, other.orgId, await newRole(other.visitor, other.orgId, 'Guests'));
  const enter = async ({ orgId }: { orgId: number }) => (await kim.get(`/api/init?org_id=${orgId}`)).code;
  expect([await enter(company), await enter(other)]).toEqual([undefined, 'account_proof_required']);
  const steps = () => listRows(app, 'sessions', ['second_step'], { user_id: id, proven: 'account' });
  const before = await steps();
  responseOf(await kim.post('/api/reauthenticate', { password: PASSWORD }));
  expect(await enter(other)).toBe(undefined);
  // The company's word for a second step counts in its own organization.
  expect(await steps()).toEqual([...before, { second_step: null }]);
  await company.close();
});

test('wrong proofs in sessions of the company alone use up none of the owner’s tries (A9)', async () => {
  const { company, ann, visitor } = await guestOfCompany(app);
  const prove = async (person: Visitor, password: string) =>
    (await person.post('/api/reauthenticate', { password })).code;
  for (let count = 0; count < 99; count += 1)
    await app.deps.limiter.tryOneOf(100, `unproven sessions of ${ann.id}`);
  expect(await prove(visitor, 'a wrong arch 12')).toBe('invalid_credentials');
  expect(await prove(visitor, PASSWORD)).toBe('too_many_requests');
  expect(await prove(ann.visitor, PASSWORD)).toBe(undefined);
  await company.close();
});

test('wrong mailed codes in sessions of the company alone do not restrict the account (A9)', async () => {
  const { company, ann, visitor } = await guestOfCompany(app);
  await app.deps.sql
    .deleteFrom('passwords')
    .where('user_id', '=', ann.id as UserId)
    .execute();
  const codes: (string | undefined)[] = [];
  for (let nth = 0; nth < 10; nth += 1) {
    app.clock.forward(MINUTE_MS);
    if (nth % 5 === 0) responseOf(await visitor.post('/api/reauthenticate/code', {}));
    codes.push((await visitor.post('/api/reauthenticate', { otp: '000000' })).code);
  }
  expect(codes).toEqual(Array.from({ length: 10 }, () => 'otp_invalid'));
  await company.close();
});

test('an account with another address links as a member only, whatever address the provider names (U12)', async () => {
  const company = await companyWithProvider(app);
  const guest = await confirmed(app);
  await visitCompany(app, company, guest.visitor, { sub: 'g', email: `g@${company.domain}` });
  expect((await linkCompany(guest.visitor)).code).toBe('not_allowed');
  await company.close();
});

test('a connection may go while its provider answers, and control characters name none', async () => {
  const attempt = {
    connection_id: 1 as ConnectionId,
    reference: '',
    created_at: app.clock.now(),
    is_test: false,
  };
  await transaction(app.deps.sql, (tx) => insertAttempt(tx, { ...attempt, outcome: 'stale' }));
  expect((await app.visitor().post('/api/company/start', { company: 'a\0' })).code).toBe('invalid_input');
});

test('a company proves a person of no other organization again, by a sign-in of this visit alone (U23)', async () => {
  const company = await companyWithProvider(app);
  const visitor = app.visitor();
  const email = `kim@${company.domain}`;
  const asked = () => Math.floor(app.clock.now().getTime() / SECOND_MS);
  const claims = () => ({ sub: 'kim', email, auth_time: asked() });
  await visitCompany(app, company, visitor, claims());
  const { id } = await getRow(app, 'users', ['id'], { email });
  const turnOn = async () => (await visitor.put('/api/mfa', { mfa_enabled: 1 })).code;
  app.clock.forward(11 * MINUTE_MS);
  expect(await turnOn()).toBe('reauthentication_required');
  const refusals = async (person: object, meanwhile?: (url: URL) => unknown) => {
    const { status, html } = await proveByCompany(
      app,
      company,
      visitor,
      { ...claims(), ...person },
      meanwhile,
    );
    expect(html).toContain('/account/devices');
    return [status, (await attemptsOf(company))[0]?.outcome];
  };
  expect(await refusals({ auth_time: asked() - 31 })).toEqual([403, 'notFresh']);
  const withoutTime = ({ searchParams }: URL) => {
    for (const name of ['max_age', 'prompt']) searchParams.delete(name);
  };
  expect(await refusals({}, withoutTime)).toEqual([403, 'notFresh']);
  expect(await refusals({ sub: 'lee' })).toEqual([403, 'otherPerson']);
  expect(await turnOn()).toBe('reauthentication_required');
  const cookie = visitor.cookies.get('portico');
  expect(await proveByCompany(app, company, visitor, claims())).toMatchObject({ to: '/account/devices' });
  expect(visitor.cookies.get('portico')).not.toBe(cookie);
  expect(await turnOn()).toBeUndefined();
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'proven', email });
  expect(await listRows(app, 'sessions', ['proven', 'methods'], { user_id: id })).toEqual([
    { proven: 'company', methods: ['fed'] },
  ]);
  await company.close();
});

test('a company proves nobody again in another session, without a connection, or for other organizations (U14)', async () => {
  const { company, ann, visitor, claims } = await guestOfCompany(app);
  // The session is not the account's own, and Ann's own session has another organization.
  for (const one of [visitor, ann.visitor]) {
    expect((await one.post('/api/company/proof', {})).code).toBe('connection_not_found');
    expect(responseOf(await one.get('/api/reauthenticate'))).not.toHaveProperty('company');
  }
  const kim = app.visitor();
  const person = { ...claims, sub: 'kim', email: `kim@${company.domain}` };
  await visitCompany(app, company, kim, person);
  expect(responseOf(await kim.get('/api/reauthenticate'))).toMatchObject({
    ways: ['mail'],
    company: 'Northwind Traders',
  });
  const signInAgain = async () => {
    const other = app.visitor();
    await visitCompany(app, company, other, person);
    kim.cookies.set('portico', other.cookies.get('portico') ?? '');
  };
  expect((await proveByCompany(app, company, kim, person, signInAgain)).status).toBe(400);
  const switchTo = (is_on: number) =>
    company.boss.visitor.put('/api/orgs/connections/state', { ...company.key, is_on });
  const switchOff = async () => responseOf(await switchTo(0));
  expect((await proveByCompany(app, company, kim, person, switchOff)).status).toBe(400);
  expect((await kim.post('/api/company/proof', {})).code).toBe('not_signed_in');
  await company.close();
});
