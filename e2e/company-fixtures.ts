import dns from 'node:dns';
import type { Page } from '@playwright/test';
import { SOCIAL_CLIENT, startGoogle } from '#server/testing/providers.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { answerOf } from './authenticators.ts';
import { confirmedAt, expect, foundAt, test as base } from './fixtures.ts';
import { Portal } from './portal.ts';

type Names = Awaited<ReturnType<typeof startNameServer>>;
/** The portal asks the name server of the tests. */
export const test = base.extend<object, { names: Names }>({
  names: [
    async ({ playwright: _ }, use) => {
      const names = await startNameServer();
      await use(names);
      names.close();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ names: _ }, use) => {
      const code = `import { setServers } from 'node:dns'; setServers(${JSON.stringify(dns.getServers())})`;
      const portal = await Portal.start({
        RATE_LIMIT_FACTOR: '1000',
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

let counter = 0;
/** One for each test, because a domain has one organization. */
export const newDomain = () => `northwind${(counter += 1)}-${Date.now()}.example`;
export const recordOf = (domain: string) => `_portico-challenge.${domain}`;

/** Proves the domain for the organization of the page's person, by calls. */
export async function proveDomain({ request }: Page, names: Names, domain: string) {
  type Init = { default_organizations: { Id: number } };
  const org_id = (await answerOf<Init>(request.get('/api/init'))).default_organizations.Id;
  const data = { org_id, domain };
  const added = await answerOf<{ id: number; record_value: string }>(
    request.post('/api/orgs/domains', { data }),
  );
  names.text(recordOf(domain), [added.record_value]);
  await answerOf(request.post('/api/orgs/domains/check', { data: { org_id, domain_id: added.id } }));
  return org_id;
}

/** An organization of the page's person, whose address is of its proven domain. */
export async function foundCompany(page: Page, portal: Portal, names: Names) {
  const domain = newDomain();
  const boss = await confirmedAt(portal, page.request, `maya@${domain}`);
  const { OrgUrlName: urlName } = await foundAt(page.request, 'Northwind Traders');
  return { domain, boss, urlName, orgId: await proveDomain(page, names, domain) };
}

/** A provider that is on for the organization of the page's person, and the secret that it takes from us. */
export async function connectProvider(page: Page, orgId: number, email: string) {
  const { request } = page;
  const send = async <T>(method: 'post' | 'put', path: string, more: object = {}) => {
    const answer = await request[method](path, { data: { org_id: orgId, ...more } });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answerOf<T>(Promise.resolve(answer));
  };
  type Draft = { id: number; redirect_url: string };
  const { id, redirect_url } = await send<Draft>('post', '/api/orgs/connections');
  const provider = await startGoogle(redirect_url);
  provider.person = { sub: 'boss', email, email_verified: true };
  const change = (settings: object) =>
    send('put', '/api/orgs/connections', { connection_id: id, ...settings });
  await change({ issuer: provider.url, client_id: SOCIAL_CLIENT.id, secret: SOCIAL_CLIENT.secret });
  const test = await send<{ auth_url: string }>('post', '/api/orgs/connections/test', { connection_id: id });
  await page.goto(test.auth_url);
  await expect(page).toHaveURL(/organization\/signin/);
  await send('put', '/api/orgs/connections/state', { connection_id: id, is_on: 1 });
  return { provider, change, send };
}
