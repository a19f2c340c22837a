import { expect, test } from 'vitest';
import {
  attemptsOf,
  companyWithProvider,
  type CompanyWithProvider,
  linkCompany,
  pendingLink,
  proveByCompany,
  signInOwnWay,
  visitCompany,
} from '#server/testing/company-provider.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import type { Claims } from '#server/testing/providers.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { join } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const addressOf = async (visitor: Visitor) =>
  responseOf<{ email: string } | null>(await visitor.get('/api/ustat'))?.email;

/** Where a visit led, or why it failed. */
async function outcomeOf(company: CompanyWithProvider, visitor: Visitor, claims: Claims) {
  const { to } = await visitCompany(app, company, visitor, claims);
  return to ?? (await attemptsOf(company))[0]?.outcome;
}
const linksOf = (company: CompanyWithProvider) =>
  listRows(app, 'company_identities', ['subject'], { connection_id: company.key.connection_id });
const LINK = '/account/companylink';

/** A member with an address of the company, or a guest with a private one, and their own session. */
async function member(company: CompanyWithProvider, email?: string) {
  const person = await confirmed(app, email);
  await join(app, person, company.orgId, company.roleId);
  return person;
}

test('an account of the company links its very address only, whoever is signed in at the provider', async () => {
  const company = await companyWithProvider(app);
  const { domain } = company;
  const boss = await member(company, `boss@${domain}`);
  const carl = await member(company, `carl@${domain}`);
  const identities: [Claims, string][] = [
    [{ sub: 'carl', email: carl.email }, 'otherPerson'],
    [{ sub: 'free', email: `free@${domain}` }, 'otherPerson'],
    [{ sub: 'private', email: 'boss@gmail.example' }, 'otherDomain'],
    [{ sub: 'unverified', email: boss.email, email_verified: false }, 'unverified'],
    [{ sub: 'tenant-guest', email: boss.email, acct: 1 }, 'guest'],
    [{ sub: 'nameless' }, 'noAddress'],
  ];
  for (const [claims, failure] of identities)
    expect(await outcomeOf(company, boss.visitor, claims)).toBe(failure);
  expect((await linkCompany(boss.visitor)).code).toBe('not_found');
  expect(await linksOf(company)).toEqual([]);
  await company.close();
});

test('a guest links no identity with somebody else’s address, and a link asks again at its end', async () => {
  const company = await companyWithProvider(app);
  const { domain } = company;
  const guest = await member(company);
  const carl = await member(company, `carl@${domain}`);
  expect(await outcomeOf(company, guest.visitor, { sub: 'carl', email: carl.email })).toBe('linkedElsewhere');
  expect(await outcomeOf(company, guest.visitor, { sub: 'lee', email: `lee@${domain}` })).toBe(LINK);
  expect(await pendingLink(guest.visitor)).toMatchObject({
    email: guest.email,
    company_email: `lee@${domain}`,
  });
  // Lee confirms an account of their own meanwhile.
  await confirmed(app, `lee@${domain}`);
  expect((await linkCompany(guest.visitor)).code).toBe('not_allowed');
  expect(await linksOf(company)).toEqual([]);
  await company.close();
});

test('of two tabs that come back, each links the identity that it shows, and ends the other one', async () => {
  const company = await companyWithProvider(app);
  const { visitor } = await member(company);
  const tabs: (string | undefined)[] = [];
  for (const sub of ['lee', 'lou'])
    tabs.push((await visitCompany(app, company, visitor, { sub, email: `${sub}@${company.domain}` })).visit);
  const [first = '', second = ''] = tabs;
  const shown = await visitor.get(`/api/company/link?visit=${first}`);
  expect(responseOf(shown)).toMatchObject({ link: { company_email: `lee@${company.domain}` } });
  responseOf(await visitor.post('/api/company/link', { visit: first }));
  expect(await linksOf(company)).toEqual([{ subject: 'lee' }]);
  expect((await visitor.post('/api/company/link', { visit: second })).code).toBe('not_found');
  await company.close();
});

test('the mail about a link names the identity', async () => {
  const company = await companyWithProvider(app);
  const guest = await member(company);
  const said = `lee@${company.domain}`;
  expect(await outcomeOf(company, guest.visitor, { sub: 'lee', email: said })).toBe(LINK);
  responseOf(await linkCompany(guest.visitor));
  const text = (await app.mails(guest.email)).at(-1)?.text.replaceAll('\u200B', '');
  expect(text).toMatch(new RegExp(`^The account at .*: ${said}$`, 'm'));
  await company.close();
});

test('a private identity that a guest linked opens nothing once the account has an address of the company', async () => {
  const company = await companyWithProvider(app);
  const { domain } = company;
  const mia = await member(company);
  const claims = { sub: 'private-9', email: mia.email, email_verified: false };
  expect(await outcomeOf(company, mia.visitor, claims)).toBe(LINK);
  responseOf(await linkCompany(mia.visitor));
  expect(await outcomeOf(company, mia.visitor, claims)).toBe(`/${company.urlName}`);
  await updateRows(app, 'users', { id: mia.id }, { email: `mia@${domain}` });
  expect(await outcomeOf(company, app.visitor(), claims)).toBe('unverified');
  expect(await outcomeOf(company, mia.visitor, claims)).toBe('unverified');
  await company.close();
});

test('a known subject answers at each visit and proof what the first visit asked', async () => {
  const company = await companyWithProvider(app);
  const { domain } = company;
  const ann = { sub: 'ann', email: `ann@${domain}` };
  const visitor = app.visitor();
  expect(await outcomeOf(company, visitor, ann)).toBe(`/${company.urlName}`);
  for (const [claims, failure] of [
    [{ email: 'ann@gmail.example' }, 'otherDomain'],
    [{ email_verified: false }, 'unverified'],
    [{ acct: 1 }, 'guest'],
    [{ email: '' }, 'noAddress'],
  ] as const) {
    const changed = { ...ann, ...claims } as Claims;
    expect(await outcomeOf(company, app.visitor(), changed)).toBe(failure);
    expect((await proveByCompany(app, company, visitor, changed)).status).toBe(403);
    expect((await attemptsOf(company))[0]?.outcome).toBe(failure);
  }
  await company.close();
});

test('a visit moves the account to a free address of the company, and both mailboxes hear of it', async () => {
  const company = await companyWithProvider(app);
  const { domain } = company;
  const former = `ann@${domain}`;
  const visitor = app.visitor();
  const visit = (name: string, by = visitor) =>
    outcomeOf(company, by, { sub: 'ann', email: `${name}@${domain}` });
  await visit('ann');
  await confirmed(app, `taken@${domain}`);
  expect(await visit('taken', app.visitor())).toBe(`/${company.urlName}`);
  expect(await addressOf(visitor)).toBe(former);
  await visit('married', app.visitor());
  expect(await addressOf(visitor)).toBe(`married@${domain}`);
  for (const mailbox of [former, `married@${domain}`]) {
    const texts = (await app.mails(mailbox)).map(({ subject }) => subject);
    expect(texts).toContain('Your address has changed');
  }
  // From the person's own session, too; and where a directory decides, not at all.
  await visit('own');
  expect(await addressOf(visitor)).toBe(`own@${domain}`);
  responseOf(
    await company.boss.visitor.post('/api/orgs/directory', {
      org_id: company.orgId,
      role_id: company.roleId,
    }),
  );
  await updateRows(app, 'scim_tokens', { org_id: company.orgId }, { last_used_at: app.clock.now() });
  await visit('other');
  expect(await addressOf(visitor)).toBe(`own@${domain}`);
  await company.close();
});

test('a link that waits lets its person use their own way in from the browser of the visit alone', async () => {
  const company = await companyWithProvider(app);
  const ann: Person = await member(company, `ann@${company.domain}`);
  const rule = { company_rule: 'everybody', company_rule_from: app.clock.now() } as const;
  await updateRows(app, 'organizations', { id: company.orgId }, rule);
  const visitor = app.visitor();
  expect(await outcomeOf(company, visitor, { sub: 'ann', email: ann.email })).toBe(LINK);
  expect((await signInOwnWay(app.visitor(), ann)).code).toBe('company_sign_in_required');
  responseOf(await signInOwnWay(visitor, ann));
  responseOf(await linkCompany(visitor));
  await company.close();
});
