import { expect, test } from 'vitest';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { insertAttempt } from '#server/company-sign-in/visits/data.ts';
import { transaction } from '#server/db/connect.ts';
import { authorize, discover, registerApplication } from '#server/testing/applications.ts';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { confirmed, founder, idOf, PASSWORD } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join, newRole } from '#server/testing/staff.ts';
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

test('a session of the company alone stays out of an organization that the person joins later (U14)', async () => {
  const company = await companyWithProvider(app);
  const email = `kim@${company.domain}`;
  const kim = app.visitor();
  await visitCompany(app, company, kim, { sub: 'kim', email });
  const other = await founder(app);
  const person = { id: await idOf(app, email), email, visitor: kim };
  await join(app, person, other.orgId, await newRole(other.visitor, other.orgId, 'Guests'));
  const enter = async ({ orgId }: { orgId: number }) => (await kim.get(`/api/init?org_id=${orgId}`)).code;
  expect([await enter(company), await enter(other)]).toEqual([undefined, 'account_proof_required']);
  await company.close();
});

test('an account with another address links as a member only, whatever address the provider names (U12)', async () => {
  const company = await companyWithProvider(app);
  const guest = await confirmed(app);
  await visitCompany(app, company, guest.visitor, { sub: 'g', email: `g@${company.domain}` });
  expect((await guest.visitor.post('/api/company/link', {})).code).toBe('not_allowed');
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
