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

/** The domain of everybody's address. */
export const DOMAIN = 'northwind.example';
export const RECORD = `_portico-challenge.${DOMAIN}`;

/** Proves the domain for the organization of the page's person, by calls. Returns the organization's id. */
export async function proveDomain({ request }: Page, names: Names) {
  type Init = { default_organizations: { Id: number } };
  const org_id = (await answerOf<Init>(request.get('/api/init'))).default_organizations.Id;
  const data = { org_id, domain: DOMAIN };
  const added = await answerOf<{ id: number; record_value: string }>(
    request.post('/api/orgs/domains', { data }),
  );
  names.text(RECORD, [added.record_value]);
  await answerOf(request.post('/api/orgs/domains/check', { data: { org_id, domain_id: added.id } }));
  return org_id;
}
