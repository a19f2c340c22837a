import { recordName, recordValue } from '#server/company-sign-in/domains/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { getRow, insertRow, updateRows } from './rows.ts';
import { startNameServer } from './name-server.ts';
import { confirmed } from './people.ts';
import { entry, type Recorded } from './recorded-rows.ts';
import { responseOf } from './visitor.ts';

/** The rows of the calls of company sign-in. */
export const companyRecorded = {
  companyDomains: {
    add: { rows: ['organization.companyDomain.create'] },
    check: entry(['organization.companyDomain.update'], async (_, world) => {
      const { id, domain, token } = await world.newDomain();
      const input = { org_id: world.orgId, domain_id: id };
      return async () => {
        const names = await startNameServer();
        names.text(recordName(domain), [recordValue(token)]);
        responseOf(await world.visitors.superAdmin.post('/api/orgs/domains/check', input));
        names.close();
      };
    }),
    change: { rows: ['organization.companyDomain.update'] },
    remove: { rows: ['organization.companyDomain.delete'] },
  },
  companyDirectory: {
    addToken: { rows: ['organization.directoryToken.create'] },
    removeToken: { rows: ['organization.directoryToken.delete'] },
    setRole: { rows: ['organization.directoryGroup.update'] },
  },
  companyConnections: {
    add: entry(['organization.companyConnection.create'], async (app, world) => {
      await world.newDomain({ isProven: true });
      await app.deps.sql.deleteFrom('company_connections').where('org_id', '=', world.orgId).execute();
      const { visitor } = await world.join('superAdmin');
      return async () => responseOf(await visitor.post('/api/orgs/connections', { org_id: world.orgId }));
    }),
    change: { rows: ['organization.companyConnection.update'] },
    test: entry('shows what a provider answers, and changes nothing', async (_, world) => {
      const { visitor } = await world.join('superAdmin');
      const input = { org_id: world.orgId, connection_id: await world.newConnection('tested') };
      return async () => responseOf(await visitor.post('/api/orgs/connections/test', input));
    }),
    switchOn: entry(['organization.companyConnection.update'], async (_, world) => {
      const { visitor } = await world.join('superAdmin');
      const input = { org_id: world.orgId, connection_id: await world.newConnection('tested'), is_on: 1 };
      return async () => responseOf(await visitor.put('/api/orgs/connections/state', input));
    }),
    remove: { rows: ['organization.companyConnection.delete'] },
  },
  companyVisits: {
    discover: { rows: 'only tells whether a company signs in' },
    start: entry('nothing has happened yet', async (app, world) => {
      const { domain } = await world.newDomain({ isProven: true });
      await world.newConnection('on');
      const input = { email_id: `ann@${domain}` };
      return async () => responseOf(await app.visitor().post('/api/company/start', input));
    }),
    prove: entry('nothing has happened yet', async (app, world) => {
      const { domain } = await world.newDomain({ isProven: true });
      const { id, visitor } = await world.join('sales');
      await updateRows(app, 'users', { id }, { email: `ann@${domain}` });
      await insertRow(app, 'company_entries', {
        session_id: (await getRow(app, 'sessions', ['id'], { user_id: id })).id,
        connection_id: await world.newConnection('on'),
        subject: domain,
        sid: null,
        created_at: app.clock.now(),
      });
      return async () => responseOf(await visitor.post('/api/company/proof', {}));
    }),
    link: entry(['signInDevice.signIn.update'], async (app, world) => {
      const { id, visitor } = await world.join('sales');
      const token = randomToken();
      visitor.cookies.set('portico-company', token);
      await insertRow(app, 'company_links', {
        visit_hash: sha256(token),
        browser_hash: sha256(token),
        connection_id: await world.newConnection('on'),
        subject: token,
        user_id: id,
        sid: null,
        has_step: false,
        email: null,
        failed: 'noAddress',
        next: null,
        expires_at: fromNow(app.clock, DAY_MS),
      });
      return async () => responseOf(await visitor.post('/api/company/link', { visit: token }));
    }),
  },
  companyRules: {
    set: entry(['organization.companyConnection.update'], async (app, world) => {
      const { id, visitor } = await world.join('superAdmin');
      await world.newConnection('on');
      const entered = { entered: [world.orgId], second_step: 'passkey' } as const;
      await updateRows(app, 'sessions', { user_id: id }, entered as never);
      const from = fromNow(app.clock, DAY_MS).toISOString();
      const rule = { org_id: world.orgId, rule: 'addresses', from };
      return async () => {
        responseOf(await visitor.put('/api/orgs/companyrule', rule));
        const none = { company_rule: 'nobody', company_rule_from: null } as const;
        await updateRows(app, 'organizations', { id: world.orgId }, none);
      };
    }),
  },
  joinRequests: {
    join: entry(['organization.joining.create'], async (app, world) => {
      const { domain } = await world.newDomain({ isProven: true });
      const { visitor } = await confirmed(app, `tom@${domain}`);
      return async () => responseOf(await visitor.post('/api/joinoffer', { offered_by: world.orgId }));
    }),
    withdraw: entry(['organization.joining.delete'], async (app, world) => {
      const { domain } = await world.newDomain({ isProven: true });
      const { visitor } = await confirmed(app, `tom@${domain}`);
      responseOf(await visitor.post('/api/joinoffer', { offered_by: world.orgId }));
      return async () => responseOf(await visitor.delete('/api/joinoffer', {}));
    }),
    accept: { rows: ['organization.joining.update'] },
    decline: { rows: ['organization.joining.delete'] },
  },
} as const satisfies Record<string, Record<string, Recorded>>;
