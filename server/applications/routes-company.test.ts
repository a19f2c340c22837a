import { expect, test } from 'vitest';
import { ask, errorOf, isAtCallback, setting } from '#server/testing/applications.ts';
import { companyWithProvider, linkCompany, visitCompany } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

test('an application enters an organization that its company closes through the company (U15)', async () => {
  const company = await companyWithProvider(app);
  const { orgId, urlName: organization, roleId, domain } = company;
  const ann = await confirmed(app, `ann@${domain}`);
  await join(app, ann, orgId, roleId);
  const at = { ...(await setting(app, { is_for_everyone: true })), visitor: ann.visitor };
  const asked = { organization, scope: 'openid organization' };
  const rule = { company_rule: 'everybody', company_rule_from: app.clock.now() } as const;
  await updateRows(app, 'organizations', { id: orgId }, rule);
  const silent = await ask(at, { ...asked, prompt: 'none' });
  expect([errorOf(silent), silent.searchParams.get('error_description')]).toEqual([
    'interaction_required',
    'the organization is entered through its company',
  ]);
  const request = (await ask(at, asked)).searchParams.get('request') ?? '';
  const show = async () => responseOf(await ann.visitor.get(`/api/authorization?request=${request}`));
  expect(await show()).toMatchObject({
    step: 'company',
    organizations: [{ url_name: organization, needs: 'company' }],
  });
  const redirectpath = `/authorize?request=${request}`;
  await visitCompany(app, company, ann.visitor, { sub: 'ann', email: ann.email }, { redirectpath });
  expect(responseOf(await linkCompany(ann.visitor))).toMatchObject({ next: redirectpath });
  expect(await show()).toMatchObject({ step: 'go-on' });
  const answer = await ann.visitor.post('/api/authorization', { request, accept: 1 });
  const { url } = responseOf<{ url: string }>(answer);
  const back = await ann.visitor.request('GET', new URL(url).pathname);
  expect(isAtCallback(new URL(back.headers.get('location') ?? ''))).toBe(true);
  await company.close();
});
