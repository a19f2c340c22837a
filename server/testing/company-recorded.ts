import { recordName, recordValue } from '#server/company-sign-in/domains/rules.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { confirmed } from '#server/testing/people.ts';
import type { Recorded } from '#server/testing/recorded-rows.ts';
import { responseOf } from '#server/testing/visitor.ts';

/** The rows of the calls of company sign-in. */
export const companyRecorded = {
  companyDomains: {
    add: { rows: ['organization.companyDomain.create'] },
    check: {
      rows: ['organization.companyDomain.update'],
      ready: async (_, world) => {
        const { id, domain, token } = await world.newDomain();
        const input = { org_id: world.orgId, domain_id: id };
        return async () => {
          const names = await startNameServer();
          names.text(recordName(domain), [recordValue(token)]);
          responseOf(await world.visitors.superAdmin.post('/api/orgs/domains/check', input));
          names.close();
        };
      },
    },
    change: { rows: ['organization.companyDomain.update'] },
    remove: { rows: ['organization.companyDomain.delete'] },
  },
  companyDirectory: {
    addToken: { rows: ['organization.directoryToken.create'] },
    removeToken: { rows: ['organization.directoryToken.delete'] },
    setRole: { rows: ['organization.directoryGroup.update'] },
  },
  companyConnections: {
    add: { rows: 'needs a proven domain; see connections/routes.test.ts' },
    change: { rows: ['organization.companyConnection.update'] },
    test: { rows: 'shows what a provider answers and changes nothing' },
    switchOn: { rows: 'needs a passed test; see connections/routes.test.ts' },
    remove: { rows: ['organization.companyConnection.delete'] },
  },
  companyVisits: {
    discover: { rows: 'only tells whether a company signs in' },
    start: { rows: 'nothing has happened yet' },
    link: { rows: 'needs a visit; see visits/routes-linking.test.ts' },
  },
  companyRules: { set: { rows: 'needs a connection; see rule/routes.test.ts' } },
  joinRequests: {
    join: {
      rows: ['organization.joining.create'],
      ready: async (app, world) => {
        const { domain } = await world.newDomain({ isProven: true });
        const { visitor } = await confirmed(app, `tom@${domain}`);
        return async () => responseOf(await visitor.post('/api/joinoffer', { offered_by: world.orgId }));
      },
    },
    withdraw: {
      rows: ['organization.joining.delete'],
      ready: async (app, world) => {
        const { domain } = await world.newDomain({ isProven: true });
        const { visitor } = await confirmed(app, `tom@${domain}`);
        responseOf(await visitor.post('/api/joinoffer', { offered_by: world.orgId }));
        return async () => responseOf(await visitor.delete('/api/joinoffer', {}));
      },
    },
    accept: { rows: ['organization.joining.update'] },
    decline: { rows: ['organization.joining.delete'] },
  },
} as const satisfies Record<string, Record<string, Recorded>>;
