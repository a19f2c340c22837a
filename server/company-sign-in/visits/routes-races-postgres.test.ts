import { expect, test } from 'vitest';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { join } from '#server/testing/staff.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { Visitor } from '#server/testing/visitor.ts';

const app = useApp();
test('a link that waits serves once in two processes, and ends the other one of its browser', async () => {
  const beside = await startBeside(app);
  const company = await companyWithProvider(app);
  const { id, visitor } = await confirmed(app);
  await join(app, { id }, company.orgId, company.roleId);
  const there = new Visitor(beside.url, visitor.cookies);
  const visitAs = async (sub: string) =>
    (await visitCompany(app, company, visitor, { sub, email: `${sub}@${company.domain}` })).visit;
  const [visit, other] = [await visitAs('lee'), await visitAs('lou')];
  const both = await Promise.all([visitor, there].map((by) => by.post('/api/company/link', { visit })));
  expect(both.map(({ code }) => code ?? 'linked').toSorted()).toEqual(['linked', 'not_found']);
  expect((await there.post('/api/company/link', { visit: other })).code).toBe('not_found');
  await company.close();
  await beside.close();
});
