import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { tellOfEndingSecrets } from '#server/company-sign-in/connections/jobs.ts';
import {
  attemptsOf,
  companyWithProvider,
  linkCompany,
  pendingLink,
  testConnection,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { confirmed, deactivate, founder, invited, signedUp } from '#server/testing/people.ts';
import { getRow, listRows, updateRows } from '#server/testing/rows.ts';
import { activityOf, join } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const who = async (visitor: Visitor) =>
  responseOf<{ id: number; email: string } | null>(await visitor.get('/api/ustat'));
const reach = async (visitor: Visitor, orgId: number) =>
  (await visitor.get(`/api/init?org_id=${orgId}`)).code ?? 'reached';

test('a new colleague signs in through the company, with the role of the connection', async () => {
  const company = await companyWithProvider(app);
  const visitor = app.visitor();
  const ann = { sub: 'ann', email: `Ann@${company.domain}`, given_name: 'Ann', family_name: 'Berg' };
  const back = await visitCompany(app, company, visitor, ann);
  expect(back).toMatchObject({ status: 303, to: `/${company.urlName}` });
  const me = await who(visitor);
  expect(me).toMatchObject({ email: `ann@${company.domain}` });
  const [member] = await listRows(app, 'memberships', ['role_id', 'status', 'first_name'], {
    user_id: me?.id ?? 0,
  });
  expect(member).toEqual({ role_id: company.roleId, status: 2, first_name: 'Ann' });
  // The account is theirs, so everything is open.
  responseOf(await visitor.post('/api/passkeys/options', {}));
  const again = app.visitor();
  await visitCompany(app, company, again, ann, { redirectpath: '/account/myprofile' });
  expect((await who(again))?.id).toBe(me?.id);
  const names = ['first_name', 'last_name'] as const;
  const [unnamed, named] = [
    { first_name: 'ann', last_name: '' },
    { first_name: 'Ann', last_name: 'Berg' },
  ];
  await updateRows(app, 'memberships', { user_id: me?.id ?? 0 }, unnamed);
  await visitCompany(app, company, app.visitor(), ann);
  expect(await listRows(app, 'memberships', names, { user_id: me?.id ?? 0 })).toEqual([named]);
  expect((await attemptsOf(company)).map(({ outcome }) => outcome)).toEqual([
    'signedIn',
    'signedIn',
    'signedIn',
    'tested',
  ]);
  await company.close();
});

test('a person for whom the company may not vouch reads why, with a reference that the Super Admin finds', async () => {
  const company = await companyWithProvider(app, { hasRole: false });
  const { domain, orgId, roleId } = company;
  const off = await confirmed(app, `off@${domain}`);
  await join(app, off, orgId, roleId, 4);
  const cases: [string, object][] = [
    ['noAddress', { sub: 'a' }],
    ['unverified', { sub: 'a', email: `a@${domain}`, email_verified: false }],
    ['guest', { sub: 'a', email: `a@${domain}`, acct: 1 }],
    ['otherDomain', { sub: 'a', email: 'a@elsewhere.example' }],
    ['noMember', { sub: 'a', email: `a@${domain}` }],
  ];
  for (const [outcome, claims] of cases) {
    const visitor = app.visitor();
    const { status, html } = await visitCompany(app, company, visitor, claims as never);
    const [attempt] = await attemptsOf(company);
    expect([status, attempt?.outcome]).toEqual([403, outcome]);
    expect(html).toContain(attempt?.reference);
    expect(await who(visitor)).toBe(null);
  }
  expect(await listRows(app, 'users', ['id'], { email: `a@${domain}` })).toEqual([]);
  await company.close();
});

test('a visit accepts the invitation, and takes the address from an account that never proved it', async () => {
  const company = await companyWithProvider(app, { hasRole: false });
  const { domain, boss } = company;
  const squatter = await signedUp(app, `ann@${domain}`);
  const ann = await invited(boss, { email: `ann@${domain}` });
  const visitor = app.visitor();
  expect(await visitCompany(app, company, visitor, { sub: 'ann', email: ann.email })).toMatchObject({
    status: 303,
  });
  const me = await who(visitor);
  expect(me).toMatchObject({ email: ann.email });
  expect(me?.id).not.toBe(squatter.id);
  expect(await reach(visitor, company.orgId)).toBe('reached');
  expect(await getRow(app, 'users', ['email'], { id: squatter.id })).toEqual({ email: null });
  await company.close();
});

test('a company vouches for its own organization, until the account itself is proven (U14)', async () => {
  const company = await companyWithProvider(app);
  const ann = await founder(app);
  const address = `ann@${company.domain}`;
  await updateRows(app, 'users', { id: ann.id }, { email: address });
  await invited(await founder(app), { email: address });
  const claims = { sub: 'ann', email: address };
  // The address has an account, so the visit waits for its proof.
  expect(await visitCompany(app, company, ann.visitor, claims)).toMatchObject({ to: '/account/companylink' });
  responseOf(await linkCompany(ann.visitor));
  expect(await reach(ann.visitor, company.orgId)).toBe('reached');
  const visitor = app.visitor();
  expect(await visitCompany(app, company, visitor, claims)).toMatchObject({ to: `/${company.urlName}` });
  expect(await reach(visitor, company.orgId)).toBe('reached');
  expect(await reach(visitor, ann.orgId)).toBe('account_proof_required');
  for (const answer of [
    await visitor.post('/api/passkeys/options', {}),
    await visitor.get('/api/invitations'),
  ])
    expect(answer.code).toBe('account_proof_required');
  const [invitation] = responseOf<{ id: number }[]>(await ann.visitor.get('/api/invitations'));
  const answer = () => visitor.post('/api/invitation', { id: invitation?.id, accept: 0 });
  expect((await answer()).code).toBe('account_proof_required');
  responseOf(await visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
  expect(await reach(visitor, ann.orgId)).toBe('reached');
  responseOf(await answer());
  expect(await reach(visitor, company.orgId)).toBe('reached');
  await company.close();
});

test('linking takes the proof of the account that has the address, in the browser of the visit (U13)', async () => {
  const company = await companyWithProvider(app);
  const ann = await confirmed(app, `ann@${company.domain}`);
  const eve = await confirmed(app);
  const visitor = app.visitor();
  const back = await visitCompany(app, company, visitor, { sub: 'eve', email: ann.email });
  expect(back.to).toBe('/account/companylink');
  const signIn = (email: string) =>
    visitor.post('/api/signin', { email_id: email, password: 'sturdy arch 42', timezone: '' });
  responseOf(await signIn(eve.email));
  expect(await pendingLink(visitor)).toEqual({
    OrgName: 'Northwind Traders',
    is_yours: 0,
    email: '…',
    company_email: '…',
  });
  expect((await linkCompany(visitor)).code).toBe('not_allowed');
  expect(await pendingLink(ann.visitor, visitor)).toBe(null);
  expect((await linkCompany(ann.visitor, visitor)).code).toBe('not_found');
  responseOf(await signIn(ann.email));
  expect(await pendingLink(visitor)).toMatchObject({
    is_yours: 1,
    email: ann.email,
    company_email: ann.email,
  });
  app.clock.forward(11 * MINUTE_MS);
  expect((await linkCompany(visitor)).code).toBe('reauthentication_required');
  responseOf(await visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
  expect((await linkCompany(visitor)).code).toBe('not_found');
  expect(await listRows(app, 'company_identities', ['subject'], { user_id: ann.id })).toEqual([]);
  await company.close();
});

test('a guest of the company links from a session, as a member, and others only read why', async () => {
  const company = await companyWithProvider(app);
  const guest = await confirmed(app);
  const claims = { sub: 'guest', email: guest.email };
  const stranger = app.visitor();
  expect((await visitCompany(app, company, stranger, claims)).status).toBe(403);
  expect(await visitCompany(app, company, guest.visitor, claims)).toMatchObject({
    to: '/account/companylink',
  });
  expect((await linkCompany(guest.visitor)).code).toBe('not_allowed');
  await join(app, guest, company.orgId, company.roleId);
  responseOf(await linkCompany(guest.visitor));
  expect((await visitCompany(app, company, app.visitor(), claims)).status).toBe(403);
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'guest' });
  expect(await visitCompany(app, company, guest.visitor, claims)).toMatchObject({ status: 303 });
  const other = await confirmed(app);
  await join(app, other, company.orgId, company.roleId);
  expect((await visitCompany(app, company, other.visitor, claims)).status).toBe(403);
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'linkedElsewhere' });
  await company.close();
});

test('closed accounts and paused members are refused before anything is written', async () => {
  const company = await companyWithProvider(app);
  const { domain, orgId, roleId } = company;
  const ann = { sub: 'ann', email: `ann@${domain}` };
  await visitCompany(app, company, app.visitor(), ann);
  const { id } = await getRow(app, 'users', ['id'], { email: ann.email });
  const sessions = async () => (await listRows(app, 'sessions', ['id'], { user_id: id })).length;
  const before = await sessions();
  await updateRows(app, 'memberships', { user_id: id, org_id: orgId }, { status: 3 });
  expect((await visitCompany(app, company, app.visitor(), ann)).status).toBe(403);
  await updateRows(app, 'memberships', { user_id: id, org_id: orgId }, { status: 2 });
  await deactivate(app, { id });
  expect((await visitCompany(app, company, app.visitor(), ann)).status).toBe(403);
  expect([await sessions(), roleId > 0]).toEqual([before > 0 ? 0 : before, true]);
  await company.close();
});

test('a test shows each claim and creates nothing, and only a tested draft is switched on', async () => {
  const company = await companyWithProvider(app, { isOn: false });
  const { boss, key, domain, orgId } = company;
  const switchOn = () => boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 });
  expect((await switchOn()).code).toBe('not_allowed');
  expect((await testConnection(app, company, { sub: 'ann' })).status).toBe(403);
  const [failed] = await attemptsOf(company);
  expect(failed).toMatchObject({ outcome: 'noAddress', is_test: 1 });
  expect(failed?.claims).toContainEqual({ name: 'sub', value: 'ann' });
  expect((await switchOn()).code).toBe('not_allowed');
  const passed = await testConnection(app, company, { sub: 'ann', email: `ann@${domain}` });
  expect(passed.to).toBe(`/${company.urlName}/organization/signin`);
  expect(await listRows(app, 'users', ['id'], { email: `ann@${domain}` })).toEqual([]);
  responseOf(await switchOn());
  expect((await activityOf(app, orgId))[0]).toMatchObject({ information: { switched_on: [false, true] } });
  expect((await company.save({ issuer: 'https://other.example' })).code).toBe('not_allowed');
  await company.close();
});

test('discovery reads the domain alone (U10)', async () => {
  const company = await companyWithProvider(app);
  const discover = async (email: string) =>
    responseOf(await app.visitor().post('/api/company/discover', { email_id: email }));
  const yes = { available: 1, required: 0 };
  const no = { available: 0, required: 0 };
  await confirmed(app, `known@${company.domain}`);
  expect(await discover(`known@${company.domain}`)).toEqual(yes);
  expect(await discover(`nobody@${company.domain}`)).toEqual(yes);
  expect(await discover('nobody@elsewhere.example')).toEqual(no);
  await updateRows(app, 'company_domains', { domain: company.domain }, { proven_at: null });
  expect(await discover(`known@${company.domain}`)).toEqual(no);
  expect((await app.visitor().post('/api/company/start', { company: company.urlName })).code).toBe(
    'connection_not_found',
  );
  await company.close();
});

test('a secret that ended locks nobody out if the next one is saved, and Super Admins are told', async () => {
  const company = await companyWithProvider(app);
  const { boss, save, domain } = company;
  const ann = { sub: 'ann', email: `ann@${domain}` };
  const ends = new Date(app.clock.now().getTime() + 5 * DAY_MS).toISOString();
  responseOf(await save({ secret: 'a wrong secret', secret_ends: ends }));
  const { html } = await visitCompany(app, company, app.visitor(), ann);
  const [attempt] = await attemptsOf(company);
  expect(attempt).toMatchObject({
    outcome: 'wrongSecret',
    problem: expect.stringContaining('invalid_client'),
  });
  expect(html).not.toContain('invalid_client');
  await visitCompany(app, company, app.visitor(), ann);
  // Other news of the connection wait by now.
  const alarms = (await app.mails(boss.email)).filter(({ text }) => text.includes('refused the secret'));
  expect(alarms).toHaveLength(1);
  responseOf(await save({ next_secret: 'a-client-secret-nobody-may-log' }));
  expect((await visitCompany(app, company, app.visitor(), ann)).status).toBe(303);
  expect((await visitCompany(app, company, app.visitor(), ann)).status).toBe(303);
  // The next secret took the place of the first once.
  const rows = (await activityOf(app, company.orgId)).filter(({ user_id }) => Number(user_id) === 0);
  expect(rows.map(({ information }) => information)).toEqual([{ secret: true }]);
  await tellOfEndingSecrets(app.deps);
  await tellOfEndingSecrets(app.deps);
  app.clock.forward(DAY_MS);
  const texts = (await app.mails(boss.email)).map(({ text }) => text.replaceAll('\u200B', '')).join('\n');
  expect(texts.match(/expires in/g)).toHaveLength(1);
  expect(texts).toContain('refused the secret');
  await company.close();
});

test('a provider that is down, or has another issuer, is named, and the page tells what to do', async () => {
  const company = await companyWithProvider(app, { isOn: false });
  const { boss, key, save, provider } = company;
  const attempt = async (settings: object) => {
    responseOf(await save({ ...settings, secret: 'its own' }));
    const answer = await boss.visitor.post('/api/orgs/connections/test', key);
    const url = new URL(responseOf<{ auth_url: string }>(answer).auth_url);
    const { status } = await boss.visitor.request('GET', url.pathname + url.search);
    return [status, (await attemptsOf(company))[0]?.outcome];
  };
  expect(await attempt({ issuer: `${provider.url}/other` })).toEqual([403, 'noDocument']);
  expect(await attempt({ issuer: 'http://localhost:9' })).toEqual([403, 'noAnswer']);
  for (const issuer of [
    'acme',
    'ftp://acme.example',
    'https://login.microsoftonline.com/common/v2.0',
    'http://acme.example',
  ])
    expect((await save({ issuer })).code).toBe('invalid_input');
  await company.close();
});
