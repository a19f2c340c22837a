import { expect, test } from 'vitest';
import { authorize, discover, registerApplication } from '#server/testing/applications.ts';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

/** A person of another organization, in a session that only the company has vouched for. */
async function world() {
  const company = await companyWithProvider(app);
  const ann = await founder(app);
  const email = `ann@${company.domain}`;
  await updateRows(app, 'users', { id: ann.id }, { email });
  const claims = { sub: 'ann', email };
  await visitCompany(app, company, ann.visitor, claims);
  responseOf(await ann.visitor.post('/api/company/link', {}));
  const visitor = app.visitor();
  await visitCompany(app, company, visitor, claims);
  return { company, ann, visitor, claims };
}

test('an application gets the company’s member at once, and anything else of the account after its own proof (U14)', async () => {
  const { company, ann, visitor } = await world();
  const config = await discover(app, await registerApplication(app));
  const isAsked = async (more: Record<string, string>) =>
    !new URL((await authorize(visitor, config, more)).location, app.url).searchParams.has('code');
  expect(await isAsked({ organization: company.urlName })).toBe(false);
  expect(await isAsked({ scope: 'openid email' })).toBe(true);
  expect(await isAsked({ organization: ann.urlName })).toBe(true);
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  expect(await isAsked({ scope: 'openid email' })).toBe(false);
  expect(await isAsked({ organization: ann.urlName })).toBe(false);
  await company.close();
});

test('members enter through the company from their own session, also when its last domain is lost', async () => {
  const { company, ann, claims } = await world();
  await updateRows(app, 'company_domains', { domain: company.domain }, { proven_at: null });
  expect((await app.visitor().post('/api/company/start', { company: company.urlName })).code).toBe(
    'connection_not_found',
  );
  expect(await visitCompany(app, company, ann.visitor, claims)).toMatchObject({ to: `/${company.urlName}` });
  await company.close();
});
