import { expect, test } from 'vitest';
import type { CompanyDomain } from '#contract/company-sign-in/domains.ts';
import { DAY_MS } from '#server/clock.ts';
import { askForDomainChecks } from './jobs.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { founder, newEmail } from '#server/testing/people.ts';
import { getRow } from '#server/testing/rows.ts';
import { activityOf, newRole, roleIdOf, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const names = useServer(async () => {
  const server = await startNameServer();
  return { ...server, close: async () => server.close() };
});
const app = useApp(lastingSessions);

type Wire = Record<'record_name' | 'record_value', string> & Record<'id' | 'domain' | 'proven_time', never>;
type Checked = { readonly domain: Wire; readonly found: string; readonly records: string[] };
const newDomain = () => newEmail('x').replace(/@.*$/, '.example');

async function world(domain = newDomain()) {
  const boss = await founder(app);
  const { orgId, visitor } = boss;
  const added = responseOf<Wire>(await visitor.post('/api/orgs/domains', { org_id: orgId, domain }));
  const check = () => visitor.post('/api/orgs/domains/check', { org_id: orgId, domain_id: added.id });
  const prove = async () => {
    names.text(added.record_name, [added.record_value]);
    return responseOf<Checked>(await check());
  };
  return { boss, domain, added, check, prove };
}
const subjects = async (email: string) =>
  (await app.mails(email)).map(({ subject }) => subject.replaceAll('\u200B', ''));

test('"Check now" says what it found, and proves the domain only by its own record', async () => {
  const { boss, domain, added, check, prove } = await world();
  expect(added).toMatchObject({ domain, record_name: `_portico-challenge.${domain}`, proven_time: null });
  names.text(added.record_name, 'SERVFAIL');
  expect(responseOf(await check())).toMatchObject({ found: 'silent', records: [] });
  names.text(added.record_name, 'NXDOMAIN');
  expect(responseOf(await check())).toMatchObject({ found: 'missing' });
  names.text(added.record_name, []);
  expect(responseOf(await check())).toMatchObject({ found: 'missing' });
  names.text(added.record_name, ['v=spf1 -all', 'x'.repeat(400)]);
  expect(responseOf(await check())).toMatchObject({
    found: 'other',
    records: ['v=spf1 -all', 'x'.repeat(300)],
    domain: { proven_time: null },
  });
  names.text(added.record_name, [`"${added.record_value}"`]);
  expect(responseOf(await check())).toMatchObject({ found: 'quoted' });
  names.text(added.record_name, 'NXDOMAIN');
  names.text(`${added.record_name}.${domain}`, [added.record_value]);
  expect(responseOf(await check())).toMatchObject({ found: 'doubled', domain: { proven_time: null } });
  expect(await prove()).toMatchObject({ found: 'proven', domain: { proven_time: expect.any(String) } });
  expect((await subjects(boss.email)).at(-1)).toContain(domain);
  expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
    information: { domain, proven: [false, true] },
  });
});

test('a domain that one organization has proven is taken for another, which learns no name (U1)', async () => {
  const first = await world();
  const second = await world(first.domain);
  expect(await first.prove()).toMatchObject({ found: 'proven' });
  expect(await second.prove()).toMatchObject({ found: 'taken', domain: { proven_time: null } });
  const { boss, added } = first;
  const remove = { org_id: boss.orgId, domain_id: added.id, domain: first.domain };
  responseOf(await boss.visitor.delete('/api/orgs/domains', remove));
  expect(await second.prove()).toMatchObject({ found: 'proven' });
});

test('a record that stays away for a week ends the proof, and a copy of the record does not bring it back (U2)', async () => {
  const { boss, added, prove } = await world();
  await prove();
  const state = () =>
    getRow(app, 'company_domains', ['proven_at', 'missing_since', 'token'], { id: added.id });
  const later = async (days: number) => {
    app.clock.forward(days * DAY_MS);
    await askForDomainChecks(app.deps);
    await app.mails();
    return state();
  };
  names.text(added.record_name, 'SERVFAIL');
  expect(await later(2)).toMatchObject({ missing_since: null });
  names.text(added.record_name, []);
  const missed = await later(1);
  expect(missed).toMatchObject({ proven_at: expect.any(Date), missing_since: expect.any(Date) });
  expect((await subjects(boss.email)).at(-1)).toContain('missing');
  expect(await later(5)).toMatchObject({ proven_at: expect.any(Date) });
  const lost = await later(3);
  expect(lost).toMatchObject({ proven_at: null, missing_since: null });
  expect(lost.token).not.toBe(missed.token);
  expect(await prove()).toMatchObject({ found: 'other' });
  expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
    user_id: 0,
    information: { proven: [true, false] },
  });
});

test('people join by one click with any role but Super Admin', async () => {
  const { boss, added } = await world();
  const change = (more: object) =>
    boss.visitor.put('/api/orgs/domains', { org_id: boss.orgId, domain_id: added.id, ...more });
  expect((await change({ joining: 'click' })).code).toBe('role_not_found');
  const superAdmin = await roleIdOf(app, boss.orgId, 'Super Admin');
  expect((await change({ joining: 'click', role_id: superAdmin })).code).toBe('not_allowed');
  const role_id = await newRole(boss.visitor, boss.orgId, 'Sales');
  const changed = responseOf<CompanyDomain>(await change({ joining: 'click', role_id }));
  expect(changed).toMatchObject({ joining: 'click', role_id });
  expect((await change({ joining: 'click', role_id })).code).toBe('no_changes');
  const other = await newRole(boss.visitor, boss.orgId, 'Support');
  const replace = { org_id: boss.orgId, role_id, new_role_id: other };
  responseOf(await boss.visitor.delete('/api/role', replace));
  const list = () => boss.visitor.get(`/api/orgs/domains?org_id=${boss.orgId}`);
  expect(responseOf(await list())).toMatchObject([{ joining: 'click', role_id: other }]);
  const raised = { org_id: boss.orgId, role_id: other, new_role_id: superAdmin };
  responseOf(await boss.visitor.delete('/api/role', raised));
  expect(responseOf(await list())).toMatchObject([{ joining: 'ask', role_id: null }]);
});

test.for(['acme', 'acme .example', '10.0.0.1', 'acme.example:25'])(
  'the domain "%s" is refused',
  async (domain) => {
    const boss = await founder(app);
    const answer = await boss.visitor.post('/api/orgs/domains', { org_id: boss.orgId, domain });
    expect(answer.code).toBe('invalid_input');
  },
);

test('a domain is added once, and an organization has twenty at most', async () => {
  const { boss, domain, added } = await world();
  const add = (name: string) => boss.visitor.post('/api/orgs/domains', { org_id: boss.orgId, domain: name });
  expect((await add(domain.toUpperCase())).code).toBe('invalid_input');
  const wrong = { org_id: boss.orgId, domain_id: added.id, domain: 'other.example' };
  expect((await boss.visitor.delete('/api/orgs/domains', wrong)).code).toBe('changed_meanwhile');
  for (let nth = 1; nth < 20; nth += 1) responseOf(await add(newDomain()));
  expect((await add(newDomain())).code).toBe('domain_limit_reached');
  const admin = await staff(app, boss.orgId, 'Admin');
  expect((await admin.visitor.get(`/api/orgs/domains?org_id=${boss.orgId}`)).code).toBe('super_admin_only');
});

test('a silent name server of one organization holds up nobody else’s changes', async () => {
  const [first, second] = [await founder(app), await founder(app)];
  const { orgId, visitor } = first;
  const asked: string[] = [];
  const checks: Promise<unknown>[] = [];
  let ended = 0;
  for (let count = 0; count < 6; count += 1) {
    const input = { org_id: orgId, domain: newDomain() };
    const { id, record_name: name } = responseOf<Wire>(await visitor.post('/api/orgs/domains', input));
    asked.push(name);
    const check = visitor.post('/api/orgs/domains/check', { org_id: orgId, domain_id: id });
    checks.push(check.then(() => (ended += 1)));
  }
  await names.askedFor(asked);
  const added = await second.visitor.post('/api/orgs/domains', {
    org_id: second.orgId,
    domain: newDomain(),
  });
  expect([added.status, ended]).toEqual([200, 0]);
  names.release();
  await Promise.all(checks);
  expect(ended).toBe(6);
});
