import { expect, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import {
  companyWithProvider,
  type CompanyWithProvider,
  linkCompany,
  testConnection,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { confirmed, PASSWORD } from '#server/testing/people.ts';
import { SOCIAL_CLIENT, startGoogle, throughProvider } from '#server/testing/providers.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { newRole } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const who = async (visitor: Visitor) =>
  responseOf<{ id: number; email: string } | null>(await visitor.get('/api/ustat'));

test('the role of new colleagues moves with the role that replaces it', async () => {
  const { boss, orgId, roleId, close } = await companyWithProvider(app, { isOn: false });
  const new_role_id = await newRole(boss.visitor, orgId, 'Support');
  responseOf(await boss.visitor.delete('/api/role', { org_id: orgId, role_id: roleId, new_role_id }));
  const list = await boss.visitor.get(`/api/orgs/connections?org_id=${orgId}`);
  expect(responseOf(list)).toMatchObject([{ role_id: new_role_id }]);
  await close();
});

test('a connection that is switched off ends what it opened', async () => {
  const company = await companyWithProvider(app, { declaresStep: true });
  const { boss, key, domain } = company;
  const visitor = app.visitor();
  await visitCompany(app, company, visitor, { sub: 'ann', email: `ann@${domain}` });
  const { id } = (await who(visitor)) ?? { id: 0 };
  const colleague = app.visitor();
  await visitCompany(app, company, colleague, { sub: 'lee', email: `lee@${domain}` });
  await updateRows(app, 'sessions', { user_id: id }, { proven: 'account' });
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 0 }));
  const entries = await listRows(app, 'company_entries', ['subject'], { connection_id: key.connection_id });
  expect(entries).toEqual([]);
  const [session] = await listRows(app, 'sessions', ['entered', 'entered_with_step'], { user_id: id });
  expect([session, await who(colleague)]).toEqual([{ entered: [], entered_with_step: [] }, null]);
  await company.close();
});

test('a draft that is removed ends no session of the connection', async () => {
  const company = await companyWithProvider(app);
  const { boss, orgId, domain } = company;
  const visitor = app.visitor();
  await visitCompany(app, company, visitor, { sub: 'ann', email: `ann@${domain}` });
  const draft = responseOf<{ id: number }>(
    await boss.visitor.post('/api/orgs/connections', { org_id: orgId }),
  );
  const removal = { org_id: orgId, connection_id: draft.id, issuer: '' };
  responseOf(await boss.visitor.delete('/api/orgs/connections', removal));
  expect(await who(visitor)).not.toBe(null);
  await company.close();
});

/** A draft beside the connection: at another provider, or with the settings of the connection. */
async function draftOf(company: CompanyWithProvider, at: 'another provider' | 'the same') {
  const { boss, orgId, domain, roleId: role_id } = company;
  const draft = responseOf<{ id: number; redirect_url: string }>(
    await boss.visitor.post('/api/orgs/connections', { org_id: orgId }),
  );
  const key = { org_id: orgId, connection_id: draft.id };
  const provider = await startGoogle(draft.redirect_url);
  // Spelled otherwise.
  const issuer = at === 'the same' ? `${company.provider.url}/` : provider.url;
  const { id: client_id, secret } = SOCIAL_CLIENT;
  const settings = { ...key, issuer, client_id, secret, role_id };
  responseOf(await boss.visitor.put('/api/orgs/connections', settings));
  if (at === 'the same')
    await updateRows(app, 'company_connections', { id: draft.id }, { tested_at: app.clock.now() });
  else await testConnection(app, { boss, key, provider }, { sub: 'boss', email: `boss@${domain}` });
  const switchOn = () => boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 });
  return { key, provider, switchOn };
}
const switchTo = ({ boss, key }: CompanyWithProvider, is_on: number) =>
  boss.visitor.put('/api/orgs/connections/state', { ...key, is_on });
/** The next mail to the Super Admins comes at once. */
async function afterQuiet({ boss }: CompanyWithProvider) {
  app.clock.forward(2 * HOUR_MS);
  responseOf(await boss.visitor.post('/api/reauthenticate', { password: PASSWORD }));
}
const linksOf = ({ key }: Pick<CompanyWithProvider, 'key'>) =>
  listRows(app, 'company_identities', ['subject'], { connection_id: key.connection_id });

test('a subject belongs to its issuer: a draft of another one ends the links, and Super Admins hear how many', async () => {
  const company = await companyWithProvider(app);
  const { boss, orgId, domain, urlName, save } = company;
  const ann = app.visitor();
  await visitCompany(app, company, ann, { sub: '1001', email: `ann@${domain}` });
  responseOf(await switchTo(company, 0));
  for (const settings of [{ issuer: 'https://evil.example' }, { client_id: 'other' }])
    expect((await save({ ...settings, secret: 'x' })).code).toBe('not_allowed');
  responseOf(await switchTo(company, 1));
  await afterQuiet(company);
  const draft = await draftOf(company, 'another provider');
  const list = await boss.visitor.get(`/api/orgs/connections?org_id=${orgId}`);
  expect(responseOf<{ linked: number }[]>(list).map(({ linked }) => linked)).toEqual([1, 0]);
  responseOf(await draft.switchOn());
  expect([await linksOf(company), await linksOf(draft)]).toEqual([[], []]);
  const [row] = await activityOf(app, orgId);
  expect(row).toMatchObject({ information: { issuer: draft.provider.url, linked: [1, 0] } });
  const [mail] = (await app.mails(boss.email)).slice(-1);
  expect(mail?.text).toContain('1 person was linked with the former provider');
  const other = app.visitor();
  const { provider } = draft;
  await visitCompany(app, { urlName, provider }, other, { sub: '1001', email: `eve@${domain}` });
  expect((await who(other))?.email).toBe(`eve@${domain}`);
  await company.close();
  await provider.close();
});

test('the same provider and client keep the people, and a removal tells whose links end', async () => {
  const company = await companyWithProvider(app);
  const { boss, orgId, domain } = company;
  await visitCompany(app, company, app.visitor(), { sub: '1001', email: `ann@${domain}` });
  const draft = await draftOf(company, 'the same');
  responseOf(await draft.switchOn());
  expect(await linksOf(draft)).toEqual([{ subject: '1001' }]);
  await afterQuiet(company);
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...draft.key, is_on: 0 }));
  await afterQuiet(company);
  const removal = { ...draft.key, issuer: `${company.provider.url}/` };
  responseOf(await boss.visitor.delete('/api/orgs/connections', removal));
  expect((await app.mails(boss.email)).at(-1)?.text).toContain('1 person was linked');
  expect((await activityOf(app, orgId))[0]).toMatchObject({ information: { linked: [1, 0] } });
  await company.close();
  await draft.provider.close();
});

test('another issuer takes a secret of its own, and nothing that was declared about the one before', async () => {
  const company = await companyWithProvider(app, { isOn: false, declaresStep: true });
  const { save, key } = company;
  responseOf(await save({ next_secret: 'next', secret_ends: '2030-01-01T00:00:00Z' }));
  const moved = { issuer: 'https://other.example' };
  expect(await save(moved)).toMatchObject({ code: 'invalid_input' });
  responseOf(await save({ ...moved, secret: 'its own' }));
  const columns = ['declares_step', 'secret_ends_at', 'next_sealed_secret', 'tested_at'] as const;
  expect(await listRows(app, 'company_connections', columns, { id: key.connection_id })).toEqual([
    { declares_step: false, secret_ends_at: null, next_sealed_secret: null, tested_at: null },
  ]);
  await company.close();
});

test('a visit under way and a link that waits end if the connection gets another provider meanwhile', async () => {
  const company = await companyWithProvider(app);
  const { provider, urlName, domain, save, key } = company;
  const lee = await confirmed(app, `lee@${domain}`);
  expect(await visitCompany(app, company, lee.visitor, { sub: '1002', email: lee.email })).toMatchObject({
    to: '/account/companylink',
  });
  provider.person = { sub: '1001', email: `ann@${domain}` };
  const visitor = app.visitor();
  const started = await visitor.post('/api/company/start', { company: urlName });
  const path = await throughProvider(responseOf<{ auth_url: string }>(started).auth_url, app.url);
  responseOf(await switchTo(company, 0));
  responseOf(await save({ client_id: 'another', secret: 'x' }));
  await updateRows(app, 'company_connections', { id: key.connection_id }, { tested_at: app.clock.now() });
  responseOf(await switchTo(company, 1));
  expect((await visitor.request('GET', path)).status).toBe(400);
  expect(await who(visitor)).toBe(null);
  expect((await linkCompany(lee.visitor)).code).toBe('not_found');
  await company.close();
});

test('a second step that nobody declares any more is asked again', async () => {
  const company = await companyWithProvider(app, { declaresStep: true });
  const visitor = app.visitor();
  await visitCompany(app, company, visitor, { sub: 'ann', email: `ann@${company.domain}` });
  const { id } = (await who(visitor)) ?? { id: 0 };
  const steps = async () => (await listRows(app, 'sessions', ['entered_with_step'], { user_id: id }))[0];
  expect(await steps()).toEqual({ entered_with_step: [String(company.orgId)] });
  responseOf(await company.save({ declares_step: 0 }));
  expect(await steps()).toEqual({ entered_with_step: [] });
  await company.close();
});
