import {
  all,
  inOrg,
  inside,
  noAdmins,
  nobody,
  ofProven,
  ofSuperAdmins,
  reading,
  row,
  signedOut,
  unconfirmed,
} from './matrix-world.ts';
import { newEmail } from './people.ts';

/** The calls of company sign-in. */
export const companyMatrix = {
  companyDomains: {
    list: row(ofSuperAdmins, inside),
    add: ofProven(() => ({ domain: newEmail('x').replace(/@.*$/, '.example') })),
    // A domain that is there would be looked for in the DNS.
    check: reading({ ...all('domain_not_found'), ...ofSuperAdmins, ...unconfirmed }, (world) => ({
      ...inside(world),
      domain_id: 1,
    })),
    change: ofProven(async (world) => ({ domain_id: (await world.newDomain()).id, joining: 'invitation' })),
    remove: row({ ...ofSuperAdmins, ...unconfirmed }, async (world) => {
      const { id, domain } = await world.newDomain();
      return { ...inside(world), domain_id: id, domain };
    }),
  },
  companyDirectory: {
    read: row(ofSuperAdmins, inside),
    addToken: row({ ...ofSuperAdmins, ...unconfirmed }, async (world) => {
      await world.dropDirectoryTokens();
      return { ...inside(world), role_id: world.roles.sales };
    }),
    removeToken: ofProven(async (world) => ({ token_id: await world.newDirectoryToken() })),
    setRole: ofProven(async (world) => ({
      group_id: await world.newDirectoryGroup(),
      role_id: world.roles.sales,
    })),
  },
  companyConnections: {
    list: row(ofSuperAdmins, inside),
    add: row({ ...all('domain_not_found'), ...ofSuperAdmins, ...unconfirmed }, inside),
    change: ofProven(async (world) => ({ connection_id: await world.newConnection(), client_id: 'portico' })),
    test: reading({ ...all('connection_not_found'), ...ofSuperAdmins, ...unconfirmed }, (world) => ({
      ...inside(world),
      connection_id: 1,
    })),
    switchOn: reading({ ...all('not_allowed'), ...ofSuperAdmins, ...unconfirmed }, async (world) => ({
      ...inside(world),
      connection_id: await world.newConnection(),
      is_on: 1,
    })),
    remove: ofProven(async (world) => ({ connection_id: await world.newConnection(), issuer: '' })),
    attempts: row(ofSuperAdmins, inside),
  },
  companyVisits: {
    discover: reading(nobody, () => ({ email_id: newEmail('matrix') })),
    start: reading(all('connection_not_found'), () => ({ company: 'unknown' })),
    signOut: row(nobody),
    // No company vouches for them.
    prove: reading({ ...all('connection_not_found'), ...signedOut }),
    pendingLink: row(signedOut, () => ({ visit: 'any' })),
    link: reading({ ...all('not_found'), ...signedOut }, () => ({ visit: 'any' })),
  },
  companyRules: {
    read: row(ofSuperAdmins, inside),
    // No connection is on.
    set: reading({ ...all('connection_not_found'), ...ofSuperAdmins, ...unconfirmed }, (world) => ({
      ...inside(world),
      rule: 'everybody',
    })),
  },
  joinRequests: {
    offer: row(signedOut),
    // No domain of theirs is proven.
    join: reading({ ...all('not_found'), ...signedOut }, ({ orgId }) => ({ offered_by: orgId })),
    withdraw: reading(signedOut),
    list: row(noAdmins, inside),
    accept: inOrg({ ...noAdmins, ...unconfirmed }, async (world) => ({
      user_id: await world.newJoinRequest(),
      role_id: world.roles.sales,
    })),
    decline: inOrg(noAdmins, async (world) => ({ user_id: await world.newJoinRequest() })),
  },
} as const;
