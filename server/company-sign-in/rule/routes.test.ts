import { expect, test } from 'vitest';
import { companyFieldText } from '#words/company-field.ts';
import { DAY_MS } from '#server/clock.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import {
  companyWithProvider,
  linkCompany,
  signInOwnWay,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { confirmed, mailedDigest, newEmail, resetByMail, signIn } from '#server/testing/people.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { activityOf, join, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const reach = async (visitor: Visitor, orgId: number) => {
  const answers = [
    await visitor.get(`/api/init?org_id=${orgId}`),
    await visitor.get(`/api/orgusers?org_id=${orgId}`),
  ];
  const codes = new Set(
    answers.map(({ code }) => (code === 'not_allowed' ? 'reached' : (code ?? 'reached'))),
  );
  return codes.size === 1 ? [...codes][0] : [...codes];
};

/** A company whose Super Admin is linked, has a passkey, and came in through the provider. */
async function world() {
  const company = await companyWithProvider(app);
  const { boss, orgId, domain } = company;
  const passkey = await addPasskey(boss.visitor, app.url);
  responseOf(await signInByPasskey(boss.visitor, passkey));
  const setRule = (rule: string, from?: Date) =>
    boss.visitor.put('/api/orgs/companyrule', { org_id: orgId, rule, from: from?.toISOString() });
  const enter = async (visitor: Visitor, claims: Record<string, unknown>) => {
    const back = await visitCompany(app, company, visitor, claims);
    responseOf(await visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
    if (back.to === '/account/companylink') responseOf(await linkCompany(visitor));
    return back;
  };
  const bossClaims = { sub: 'boss', email: boss.email };
  const close = () => company.close();
  return { ...company, passkey, setRule, enter, bossClaims, domain, close };
}

test('a Super Admin sets the rule from a session that came through the company, with a strong step of their own', async () => {
  const { boss, orgId, setRule, enter, bossClaims, close } = await world();
  expect((await setRule('everybody')).code).toBe('company_sign_in_required');
  await enter(boss.visitor, bossClaims);
  const rule = await setRule('everybody', new Date(app.clock.now().getTime() + DAY_MS));
  expect(responseOf(rule)).toMatchObject({
    rule: 'everybody',
    holds: 0,
    members: 1,
    unlinked: 0,
    has_entered: 1,
  });
  expect((await activityOf(app, orgId))[0]).toMatchObject({
    information: { company_rule: ['nobody', 'everybody'] },
  });
  const elsewhere = app.visitor();
  responseOf(await signIn(elsewhere, boss.email));
  const shown = await elsewhere.get(`/api/orgs/companyrule?org_id=${orgId}`);
  expect(responseOf(shown)).toMatchObject({ has_entered: 0, has_strong_step: 0, is_step_ready: 1 });
  const off = { org_id: orgId, rule: 'nobody' };
  responseOf(await boss.visitor.put('/api/orgs/companyrule', off));
  expect((await boss.visitor.put('/api/orgs/companyrule', off)).code).toBe('no_changes');
  await close();
});

test('from its day the rule closes the organization to sessions that did not come through the company (U15)', async () => {
  const { boss, orgId, roleId, domain, setRule, enter, bossClaims, key, close } = await world();
  const guest = await confirmed(app);
  const colleague = await confirmed(app, `ann@${domain}`);
  for (const person of [guest, colleague]) await join(app, person, orgId, roleId);
  await enter(boss.visitor, bossClaims);
  const rule = await setRule('addresses', new Date(app.clock.now().getTime() + DAY_MS));
  expect(responseOf(rule)).toMatchObject({ members: 3, unlinked: 2, unlinked_of_addresses: 1 });
  // The members behind the two counts.
  const listUnlinked = (unlinked: string, { visitor }: { visitor: Visitor } = boss) =>
    visitor.get(`/api/orgusers?org_id=${orgId}&unlinked=${unlinked}`);
  const [ours, all] = [await listUnlinked('addresses'), await listUnlinked('everybody')];
  expect(responseOf(ours)).toMatchObject({ total: 1, members: [{ email: colleague.email }] });
  expect(responseOf(all)).toMatchObject({
    total: 2,
    members: [{ email: guest.email }, { email: colleague.email }],
  });
  const admin = await staff(app, orgId, 'Admin');
  expect((await listUnlinked('everybody', admin)).code).toBe('super_admin_only');
  expect(await reach(colleague.visitor, orgId)).toBe('reached');
  app.clock.forward(DAY_MS);
  expect(await reach(colleague.visitor, orgId)).toBe('company_sign_in_required');
  expect(await reach(guest.visitor, orgId)).toBe('reached');
  expect(await reach(boss.visitor, orgId)).toBe('reached');
  const init = responseOf(await colleague.visitor.get('/api/init'));
  expect(init).toMatchObject({ default_organizations: null, needs_entry: [{ Id: orgId }] });
  // A changed address does not escape, because the identity stays linked.
  await enter(colleague.visitor, { sub: 'ann', email: colleague.email });
  expect(await reach(colleague.visitor, orgId)).toBe('reached');
  await updateRows(app, 'users', { id: colleague.id }, { email: `other${colleague.id}@private.example` });
  const later = app.visitor();
  responseOf(await signIn(later, `other${colleague.id}@private.example`));
  expect(await reach(later, orgId)).toBe('company_sign_in_required');
  responseOf(await boss.visitor.post('/api/reauthenticate', { password: 'sturdy arch 42' }));
  responseOf(await setRule('everybody'));
  expect(await reach(guest.visitor, orgId)).toBe('company_sign_in_required');
  const off = await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 0 });
  expect(off.code).toBe('not_allowed');
  await close();
});

test('a company closes the own ways into accounts with its addresses, after the right proof (U16)', async () => {
  const { boss, orgId, roleId, domain, urlName, provider, setRule, enter, bossClaims, close } = await world();
  const ann = await confirmed(app, `ann@${domain}`);
  const passkey = await addPasskey(ann.visitor, app.url);
  await join(app, ann, orgId, roleId);
  await enter(boss.visitor, bossClaims);
  const change = { email: newEmail('ann') };
  responseOf(await ann.visitor.put('/api/user', change));
  const earlier = await mailedDigest(app, change.email);
  responseOf(await setRule('addresses'));
  expect((await signIn(app.visitor(), ann.email, 'a wrong password')).code).toBe('invalid_credentials');
  // It names the company after the right password only.
  expect(await signIn(app.visitor(), ann.email)).toMatchObject({
    code: 'company_sign_in_required',
    body: { error: { details: companyFieldText.enterThroughCompany({ organization: 'Northwind Traders' }) } },
  });
  expect((await signInByPasskey(app.visitor(), passkey)).code).toBe('company_sign_in_required');
  expect((await ann.visitor.put('/api/user', { email: newEmail('ann') })).code).toBe('not_allowed');
  expect((await ann.visitor.post('/api/verifyemail', { digest: earlier })).code).toBe('digest_invalid');
  const managerOf = async ({ visitor }: { visitor: Visitor }) =>
    responseOf<{ address_manager: string }>(await visitor.get('/api/user')).address_manager;
  expect([await managerOf(ann), await managerOf(boss)]).toEqual(['Northwind Traders', null]);
  responseOf(await resetByMail(app, ann.email, 'another arch 43'));
  const mails = (await app.mails(ann.email)).map(({ text }) => text).join('\n');
  expect(mails).toContain(`${app.url}/login?company=${urlName}`);
  expect((await signIn(app.visitor(), ann.email, 'another arch 43')).code).toBe('company_sign_in_required');
  // Somebody whom the provider has just named links with their own proof.
  const linking = app.visitor();
  const back = await visitCompany(app, { urlName, provider }, linking, { sub: 'ann', email: ann.email });
  expect(back.to).toBe('/account/companylink');
  responseOf(await signIn(linking, ann.email, 'another arch 43'));
  responseOf(await linkCompany(linking));
  expect(await reach(linking, orgId)).toBe('reached');
  const lastDomain = await getRow(app, 'company_domains', ['id'], { domain });
  const removal = { org_id: orgId, domain_id: lastDomain.id, domain };
  expect((await boss.visitor.delete('/api/orgs/domains', removal)).code).toBe('not_allowed');
  const discovered = await app.visitor().post('/api/company/discover', { email_id: ann.email });
  expect(responseOf(discovered)).toEqual({ available: 1, required: 1 });
  // The rule ends with the membership.
  await updateRows(app, 'memberships', { user_id: ann.id, org_id: orgId }, { status: 4 });
  responseOf(await signIn(app.visitor(), ann.email, 'another arch 43'));
  await close();
});

test('a Super Admin breaks the glass with a strong step of their own, and all are told (U17)', async () => {
  const { boss, orgId, domain, setRule, enter, passkey, close } = await world();
  await updateRows(app, 'users', { id: boss.id }, { email: `boss@${domain}` });
  const email = `boss@${domain}`;
  await enter(boss.visitor, { sub: 'boss', email });
  responseOf(await setRule('everybody'));
  expect((await signInOwnWay(app.visitor(), { email })).code).toBe('company_sign_in_required');
  const broken = app.visitor();
  responseOf(await signInByPasskey(broken, passkey));
  expect(await reach(broken, orgId)).toBe('reached');
  app.clock.forward(DAY_MS);
  const subjects = (await app.mails(email)).map(({ subject, text }) => `${subject} ${text}`).join('\n');
  expect(subjects).toContain('although members of');
  await close();
});
