import dns from 'node:dns';
import type { Page } from '@playwright/test';
import { startNameServer } from '#server/testing/name-server.ts';
import { answerOf } from './authenticators.ts';
import { test as base } from './fixtures.ts';
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
}
