import { expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import {
  attemptsOf,
  companyWithProvider,
  linkCompany,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { scimClient } from '#server/testing/directories.ts';
import { confirmed, founder, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { appCode, setUpApp } from '#server/testing/second-steps.ts';
import { join, newRole, roleIdOf } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

test('a session of the company alone moves nobody’s account to another mailbox', async () => {
  const company = await companyWithProvider(app);
  const lea = await confirmed(app, `lea@${company.domain}`);
  await visitCompany(app, company, lea.visitor, { sub: 'lea', email: lea.email });
  responseOf(await linkCompany(lea.visitor));
  const theirs = await founder(app);
  await join(app, lea, theirs.orgId, await newRole(theirs.visitor, theirs.orgId, 'Guests'));
  const thief = app.visitor();
  expect((await visitCompany(app, company, thief, { sub: 'lea', email: lea.email })).to).not.toBeNull();
  const email = newEmail('evil');
  expect((await thief.put('/api/user', { email })).code).toBe('account_proof_required');
  // An address that the owner asked for is not confirmed by it either.
  responseOf(await lea.visitor.put('/api/user', { email }));
  const digest = await mailedDigest(app, email);
  expect(responseOf(await thief.post('/api/verifyemail', { digest }))).toMatchObject({ password_needed: 1 });
  expect(await listRows(app, 'users', ['email'], { id: lea.id })).toEqual([{ email: lea.email }]);
  await company.close();
});

test('the proof of a company’s word ends when its person joins another organization, or leaves this one', async () => {
  const company = await companyWithProvider(app);
  const kim = await confirmed(app, `kim@${company.domain}`);
  await visitCompany(app, company, kim.visitor, { sub: 'kim', email: kim.email });
  responseOf(await linkCompany(kim.visitor));
  const session = app.visitor();
  await visitCompany(app, company, session, { sub: 'kim', email: kim.email });
  responseOf(await session.put('/api/mfa', { mfa_enabled: 1 }));
  const other = await founder(app);
  await join(app, kim, other.orgId, await newRole(other.visitor, other.orgId, 'Guests'));
  expect((await session.put('/api/mfa', { mfa_enabled: 0 })).code).toBe('account_proof_required');
  expect((await session.post('/api/dataexport', {})).code).toBe('account_proof_required');
  await company.close();
});

test('two-step sign-in that is turned on after a visit takes both halves in that session, too', async () => {
  const company = await companyWithProvider(app);
  const kim = await confirmed(app, `kim@${company.domain}`);
  const claims = { sub: 'kim', email: kim.email };
  await visitCompany(app, company, kim.visitor, claims);
  responseOf(await linkCompany(kim.visitor));
  const before = app.visitor();
  await visitCompany(app, company, before, claims);
  responseOf(await before.get('/api/waysin'));
  const { secret } = await setUpApp(app, kim.visitor);
  app.clock.forward(MINUTE_MS);
  responseOf(await before.post('/api/reauthenticate', { app_code: appCode(app, secret) }));
  expect((await before.get('/api/waysin')).code).toBe('account_proof_required');
  responseOf(await before.post('/api/reauthenticate', { password: PASSWORD }));
  responseOf(await before.get('/api/waysin'));
  await company.close();
});

test('an address that nobody has confirmed links nothing, and takes over no user of the directory', async () => {
  const company = await companyWithProvider(app);
  const stranger = await signedUp(app, `ceo@${company.domain}`);
  await visitCompany(app, company, stranger.visitor, { sub: 'carl', email: `carl@${company.domain}` });
  expect((await linkCompany(stranger.visitor)).code).toBe('account_not_confirmed');
  await join(app, stranger, company.orgId, company.roleId);
  const { token } = responseOf<{ token: string }>(
    await company.boss.visitor.post('/api/orgs/directory', {
      org_id: company.orgId,
      role_id: company.roleId,
    }),
  );
  const created = await scimClient(app, token).post('/Users', { userName: stranger.email, active: true });
  expect(created.status).toBe(409);
  await company.close();
});

test('the link of a guest opens no account that becomes the company’s later', async () => {
  const company = await companyWithProvider(app);
  const boss = await confirmed(app);
  await join(app, boss, company.orgId, await roleIdOf(app, company.orgId, 'Super Admin'));
  const carl = { sub: 'carl', email: `carl@${company.domain}` };
  await visitCompany(app, company, boss.visitor, carl);
  responseOf(await linkCompany(boss.visitor));
  const email = `boss@${company.domain}`;
  responseOf(await boss.visitor.put('/api/user', { email }));
  responseOf(await boss.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  expect((await visitCompany(app, company, app.visitor(), carl)).to).toBeNull();
  expect((await attemptsOf(company))[0]?.outcome).toBe('otherPerson');
  expect(await listRows(app, 'users', ['email'], { id: boss.id })).toEqual([{ email }]);
  expect((await visitCompany(app, company, app.visitor(), { sub: 'carl', email })).to).not.toBeNull();
  await company.close();
});
