import { expect, test } from 'vitest';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
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
  await updateRows(app, 'sessions', { user_id: id }, { account_proven: true });
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
