import { founder, newEmail, PASSWORD, type Person } from './people.ts';
import { type Claims, SOCIAL_CLIENT, startGoogle, type TestProvider, throughProvider } from './providers.ts';
import { insertRow, updateRows } from './rows.ts';
import { newRole } from './staff.ts';
import type { TestApp } from './start-app.ts';
import { responseOf, type Visitor } from './visitor.ts';

type Started = { readonly auth_url: string };
type Options = { readonly isOn?: boolean; readonly hasRole?: boolean; readonly declaresStep?: boolean };

/** An organization with a proven domain and a real OpenID Provider, which `close` ends. */
export async function companyWithProvider(
  app: TestApp,
  { isOn = true, hasRole = true, declaresStep = false }: Options = {},
) {
  const boss = await founder(app);
  const { orgId, urlName } = boss;
  const domain = newEmail('x').replace(/@.*$/, '.example');
  const now = app.clock.now();
  const proven = { proven_at: now, checked_at: now, created_at: now };
  await insertRow(app, 'company_domains', { org_id: orgId, domain, token: 't', ...proven });
  const roleId = await newRole(boss.visitor, orgId, 'Sales');
  const draft = responseOf<{ id: number; redirect_url: string }>(
    await boss.visitor.post('/api/orgs/connections', { org_id: orgId }),
  );
  const provider = await startGoogle(draft.redirect_url);
  const key = { org_id: orgId, connection_id: draft.id };
  const save = (settings: object) => boss.visitor.put('/api/orgs/connections', { ...key, ...settings });
  responseOf(
    await save({
      issuer: provider.url,
      client_id: SOCIAL_CLIENT.id,
      secret: SOCIAL_CLIENT.secret,
      declares_step: declaresStep ? 1 : 0,
      ...(hasRole && { role_id: roleId }),
    }),
  );
  const company = {
    boss,
    orgId,
    urlName,
    domain,
    roleId,
    key,
    save,
    provider,
    close: () => provider.close(),
  };
  if (!isOn) return company;
  await testConnection(app, company, { sub: 'tester', email: `tester@${domain}` });
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 }));
  return company;
}
export type CompanyWithProvider = Awaited<ReturnType<typeof companyWithProvider>>;
type Company = Pick<CompanyWithProvider, 'boss' | 'key' | 'provider'>;

type Program = {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
};
type AtProgram = (authorize: URL) => Promise<URL>;
/**
 * An organization whose connection, not tested yet, leads to another program. `start` gets the addresses that are
 * registered there. `tryOut` and `visit` go there and back: `through` does what a person does there.
 */
export async function companyWithProgram<Known extends Program>(
  app: TestApp,
  start: (redirectUrl: string, logoutUrl: string) => Promise<Known>,
) {
  // Other programs have the real time, and tokens carry it.
  app.clock.forward(Date.now() - app.clock.now().getTime());
  const company = await companyWithProvider(app, { isOn: false });
  await company.close();
  const { boss, key, urlName } = company;
  const redirectUrl = `${app.url}/api/auth/company/${key.connection_id}`;
  const program = await start(redirectUrl, `${redirectUrl}/logout`);
  const { issuer, clientId, secret } = program;
  responseOf(await company.save({ issuer, client_id: clientId, secret }));
  const goThrough = async (visitor: Visitor, through: AtProgram, call: string, input: object) => {
    const { auth_url } = responseOf<Started>(await visitor.post(call, input));
    const { pathname, search } = await through(new URL(auth_url));
    const response = await visitor.request('GET', pathname + search);
    return response.headers.get('location') ?? response.status;
  };
  return {
    ...company,
    program,
    tryOut: (through: AtProgram) => goThrough(boss.visitor, through, '/api/orgs/connections/test', key),
    visit: (visitor: Visitor, through: AtProgram) =>
      goThrough(visitor, through, '/api/company/start', { company: urlName }),
    switchOn: async () =>
      responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 })),
  };
}

const linkVisits = new WeakMap<Visitor, string>();
/** Links what the newest visit of a browser brought, in this browser or another one. */
export const linkCompany = (visitor: Visitor, from = visitor) =>
  visitor.post('/api/company/link', { visit: linkVisits.get(from) ?? '' });
export const pendingLink = async (visitor: Visitor, from = visitor) =>
  responseOf<{ link: object | null }>(
    await visitor.get(`/api/company/link?visit=${linkVisits.get(from) ?? ''}`),
  ).link;

/** Goes to the provider and back; answers with the status, the target and the page. */
async function goThrough(
  app: TestApp,
  visitor: Visitor,
  provider: TestProvider,
  authUrl: string,
  person: Claims,
) {
  provider.person = person;
  const response = await visitor.request('GET', await throughProvider(authUrl, app.url));
  const html = await response.text();
  const [to, visit] = response.headers.get('location')?.split(/(?<=^\/account\/companylink)\?visit=/) ?? [];
  if (visit !== undefined) linkVisits.set(visitor, visit);
  return { status: response.status, to: to ?? null, html, visit };
}

export async function testConnection(app: TestApp, { boss, key, provider }: Company, person: Claims) {
  const answer = await boss.visitor.post('/api/orgs/connections/test', key);
  return goThrough(app, boss.visitor, provider, responseOf<Started>(answer).auth_url, person);
}

/** A visit to the company's provider by its URL name, as the person whom the provider names. */
export async function visitCompany(
  app: TestApp,
  { urlName, provider }: Pick<CompanyWithProvider, 'urlName' | 'provider'>,
  visitor: Visitor,
  person: Claims,
  input: object = {},
) {
  const answer = await visitor.post('/api/company/start', { company: urlName, ...input });
  return goThrough(app, visitor, provider, responseOf<Started>(answer).auth_url, person);
}

/** A visit that proves the person again; something may happen to the address of the provider. */
export async function proveByCompany(
  app: TestApp,
  { provider }: Pick<CompanyWithProvider, 'provider'>,
  visitor: Visitor,
  person: Claims,
  meanwhile: (url: URL) => unknown = () => {},
) {
  const answer = await visitor.post('/api/company/proof', { redirectpath: '/account/devices' });
  const url = new URL(responseOf<Started>(answer).auth_url);
  await meanwhile(url);
  return goThrough(app, visitor, provider, url.href, person);
}

/** A person of another organization, in a session that only the company has vouched for. */
export async function guestOfCompany(app: TestApp) {
  const company = await companyWithProvider(app);
  const ann = await founder(app);
  const email = `ann@${company.domain}`;
  await updateRows(app, 'users', { id: ann.id }, { email });
  const claims = { sub: 'ann', email };
  await visitCompany(app, company, ann.visitor, claims);
  responseOf(await linkCompany(ann.visitor));
  const visitor = app.visitor();
  await visitCompany(app, company, visitor, claims);
  return { company, ann, visitor, claims };
}

export const attemptsOf = async ({ boss, orgId }: Pick<CompanyWithProvider, 'boss' | 'orgId'>) =>
  responseOf<
    {
      outcome: string;
      reference: string;
      email: string | null;
      problem: string;
      said_in_address: 0 | 1;
      claims: object[] | null;
    }[]
  >(await boss.visitor.get(`/api/orgs/connections/attempts?org_id=${orgId}`));

/** Signs a person in by their own password, so that the session proves the account. */
export const signInOwnWay = (visitor: Visitor, { email }: Pick<Person, 'email'>) =>
  visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
