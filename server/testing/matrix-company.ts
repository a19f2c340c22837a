import { recordName, recordValue } from '#server/company-sign-in/domains/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import {
  all,
  change,
  everybody,
  idle,
  look,
  noAdmins,
  nobody,
  ofProven,
  ofSuperAdmins,
  signedOut,
  unconfirmed,
} from './matrix-world.ts';
import { startNameServer } from './name-server.ts';
import { confirmed, newEmail } from './people.ts';
import { getRow, insertRow, updateRows } from './rows.ts';
import { responseOf } from './visitor.ts';

const provenAnd = (refusal: Parameters<typeof all>[0]) => ({ ...all(refusal), ...ofProven });

/** The calls of company sign-in. */
export const companyCalls = {
  companyDomains: {
    list: look(ofSuperAdmins),
    add: change(ofProven, ['organization.companyDomain.create'], () => ({
      domain: newEmail('x').replace(/@.*$/, '.example'),
    })),
    // A domain that is there would be looked for in the DNS.
    check: change(
      provenAnd('domain_not_found'),
      ['organization.companyDomain.update'],
      { domain_id: 1 },
      async (_, { orgId, visitors, ...world }) => {
        const { id, domain, token } = await world.newDomain();
        return async () => {
          const names = await startNameServer();
          names.text(recordName(domain), [recordValue(token)]);
          const input = { org_id: orgId, domain_id: id };
          const answer = await visitors.superAdmin.post('/api/orgs/domains/check', input);
          names.close();
          return answer;
        };
      },
    ),
    change: change(ofProven, ['organization.companyDomain.update'], async (world) => ({
      domain_id: (await world.newDomain()).id,
      joining: 'invitation',
    })),
    remove: change(ofProven, ['organization.companyDomain.delete'], async (world) => {
      const { id, domain } = await world.newDomain();
      return { domain_id: id, domain };
    }),
  },
  companyDirectory: {
    read: look(ofSuperAdmins),
    addToken: change(ofProven, ['organization.directoryToken.create'], async (world) => {
      await world.dropDirectoryTokens();
      return { role_id: world.roles.sales };
    }),
    removeToken: change(ofProven, ['organization.directoryToken.delete'], async (world) => ({
      token_id: await world.newDirectoryToken(),
    })),
    setRole: change(ofProven, ['organization.directoryGroup.update'], async (world) => ({
      group_id: await world.newDirectoryGroup(),
      role_id: world.roles.sales,
    })),
  },
  companyConnections: {
    list: look(ofSuperAdmins),
    add: change(
      provenAnd('domain_not_found'),
      ['organization.companyConnection.create'],
      {},
      async (_, { orgId, visitors, ...world }) => {
        await world.newDomain({ isProven: true });
        return () => visitors.superAdmin.post('/api/orgs/connections', { org_id: orgId });
      },
    ),
    change: change(ofProven, ['organization.companyConnection.update'], async (world) => ({
      connection_id: await world.newConnection(),
      client_id: 'portico',
    })),
    test: change(
      provenAnd('connection_not_found'),
      'shows what a provider answers, and changes nothing',
      { connection_id: 1 },
      async (_, { orgId, visitors, ...world }) => {
        const input = { org_id: orgId, connection_id: await world.newConnection('tested') };
        return () => visitors.superAdmin.post('/api/orgs/connections/test', input);
      },
    ),
    switchOn: change(
      provenAnd('not_allowed'),
      ['organization.companyConnection.update'],
      async (world) => ({ connection_id: await world.newConnection(), is_on: 1 }),
      async (_, { orgId, visitors, ...world }) => {
        const input = { org_id: orgId, connection_id: await world.newConnection('tested'), is_on: 1 };
        return () => visitors.superAdmin.put('/api/orgs/connections/state', input);
      },
    ),
    remove: change(ofProven, ['organization.companyConnection.delete'], async (world) => ({
      connection_id: await world.newConnection(),
      issuer: '',
    })),
    attempts: look(ofSuperAdmins),
  },
  companyVisits: {
    discover: idle(nobody, 'only tells whether a company signs in', () => ({ email_id: newEmail('matrix') })),
    start: change(
      all('connection_not_found'),
      'nothing has happened yet',
      { company: 'unknown' },
      async (app, world) => {
        const { domain } = await world.newDomain({ isProven: true });
        await world.newConnection('on');
        return () => app.visitor().post('/api/company/start', { email_id: `ann@${domain}` });
      },
    ),
    signOut: look(nobody),
    // No company vouches for them.
    prove: change(everybody('connection_not_found'), 'nothing has happened yet', {}, async (app, world) => {
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
      return () => visitor.post('/api/company/proof', {});
    }),
    pendingLink: look(signedOut, { visit: 'any' }),
    link: change(
      everybody('not_found'),
      ['signInDevice.signIn.update'],
      { visit: 'any' },
      async (app, world) => {
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
        return () => visitor.post('/api/company/link', { visit: token });
      },
    ),
  },
  companyRules: {
    read: look(ofSuperAdmins),
    // No connection is on.
    set: change(
      provenAnd('connection_not_found'),
      ['organization.companyConnection.update'],
      { rule: 'everybody' },
      async (app, world) => {
        const { id, visitor } = await world.join('superAdmin');
        await world.newConnection('on');
        const entered = { entered: [world.orgId], second_step: 'passkey' } as const;
        await updateRows(app, 'sessions', { user_id: id }, entered as never);
        const from = fromNow(app.clock, DAY_MS).toISOString();
        return () => visitor.put('/api/orgs/companyrule', { org_id: world.orgId, rule: 'addresses', from });
      },
    ),
  },
  joinRequests: {
    offer: look(signedOut),
    // No domain of theirs is proven.
    join: change(
      everybody('not_found'),
      ['organization.joining.create'],
      ({ orgId }) => ({ offered_by: orgId }),
      async (app, world) => {
        const { domain } = await world.newDomain({ isProven: true });
        const { visitor } = await confirmed(app, `tom@${domain}`);
        return () => visitor.post('/api/joinoffer', { offered_by: world.orgId });
      },
    ),
    withdraw: idle(signedOut, ['organization.joining.delete'], {}, async (app, world) => {
      const { domain } = await world.newDomain({ isProven: true });
      const { visitor } = await confirmed(app, `tom@${domain}`);
      responseOf(await visitor.post('/api/joinoffer', { offered_by: world.orgId }));
      return () => visitor.delete('/api/joinoffer', {});
    }),
    list: look(noAdmins),
    accept: change({ ...noAdmins, ...unconfirmed }, ['organization.joining.update'], async (world) => ({
      user_id: await world.newJoinRequest(),
      role_id: world.roles.sales,
    })),
    decline: change(noAdmins, ['organization.joining.delete'], async (world) => ({
      user_id: await world.newJoinRequest(),
    })),
  },
};
