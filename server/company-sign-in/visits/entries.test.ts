import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { findConnection } from '#server/company-sign-in/connections/data.ts';
import { addTo, enter } from './entries.ts';
import { VisitRefused } from './people.ts';
import { company, somebody } from '#server/testing/company.ts';
import { newEmail } from '#server/testing/people.ts';
import { insertRow, listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });

const SIDES = {
  /** A browser without a session, or the session of the account. */
  from: ['outside', 'own session'],
  /** Whether the subject has come before. */
  subject: ['new', 'linked'],
  /** The account that has the address of the claims, or the one that the subject names. */
  account: ['none', 'unconfirmed', 'confirmed', 'restricted', 'closed', 'of another address'],
  membership: ['none', 'invited', 'active', 'inactive', 'disabled'],
  claims: ['vouched', 'not vouched'],
  /** How the organization lets new people in. */
  lets: ['by role', 'nobody', 'no seat', 'by directory', 'deactivated'],
} as const;
type Cell = { readonly [Side in keyof typeof SIDES]: (typeof SIDES)[Side][number] };

const cells = Object.entries(SIDES).reduce<object[]>(
  (some, [side, values]) => some.flatMap((cell) => values.map((value) => ({ ...cell, [side]: value }))),
  [{}],
) as Cell[];

/** Whether the portal can be in this state. */
function exists({ from, subject, account, membership, lets }: Cell): boolean {
  if (account === 'none' || account === 'unconfirmed')
    return from === 'outside' && subject === 'new' && membership === 'none';
  // Another address says nothing about an account that the subject does not name.
  if (account === 'of another address' && subject === 'new' && from === 'outside') return false;
  if (lets === 'deactivated') return membership === 'none' || membership === 'inactive';
  return membership === 'none' || lets === 'by role';
}

type Row = { readonly [Side in keyof Cell]?: Cell[Side] | readonly Cell[Side][] };
/** The first row that fits a cell decides. */
const rows: readonly [when: Row, outcome: string][] = [
  [{ from: 'own session', subject: 'new', account: 'of another address' }, 'linkPending'],
  [{ subject: 'new', claims: 'not vouched' }, 'otherDomain'],
  [{ subject: 'new', account: ['confirmed', 'restricted', 'closed'] }, 'linkPending'],
  [{ from: 'outside', claims: 'vouched', lets: 'deactivated' }, 'inactiveInDirectory'],
  [{ membership: 'inactive', lets: 'deactivated' }, 'inactiveInDirectory'],
  [{ membership: ['inactive', 'disabled'] }, 'inactive'],
  [{ lets: ['by directory', 'deactivated'], membership: 'none' }, 'notInDirectory'],
  [{ from: 'own session', membership: 'none' }, 'noMember'],
  [{ claims: 'not vouched', membership: 'none' }, 'noMember'],
  [{ lets: 'no seat', membership: 'none' }, 'noSeat'],
  [{ lets: 'nobody', membership: 'none' }, 'noMember'],
  [{ account: ['restricted', 'closed'] }, 'blocked'],
  [{ from: 'own session', account: 'of another address' }, 'linked'],
  [{ account: 'of another address' }, 'guest'],
  [{ claims: 'not vouched' }, 'otherDomain'],
  [{ from: 'own session' }, 'linked'],
  [{ account: ['none', 'unconfirmed', 'confirmed'] }, 'signedIn'],
];
const expected = (cell: Cell) =>
  rows.find(([when]) =>
    Object.entries(when).every(([side, values]) => [values].flat().includes(cell[side as keyof Cell])),
  )?.[1];

const browser = { client: { ipAddress: '127.0.0.1', userAgent: 'test' }, device: undefined };

/** An organization that lets new people in so, with a connection that is on. */
async function organization(lets: Cell['lets']) {
  const org = await company(app);
  const boss = await org.join('superAdmin');
  const { domain } = await org.newDomain({ isProven: true });
  const id = await org.newConnection('on');
  const roleId = lets === 'nobody' ? null : org.roles.sales;
  await updateRows(app, 'company_connections', { id }, { role_id: roleId });
  if (lets === 'by directory' || lets === 'deactivated') {
    await org.newDirectoryToken();
    await updateRows(app, 'scim_tokens', { org_id: org.orgId }, { last_used_at: app.clock.now() });
  }
  const connection = await findConnection(app.deps.sql, id);
  if (!connection) throw new Error('no connection');
  return { org, boss, connection, domain };
}

async function visit(
  cell: Cell,
  { org, boss, connection, domain }: Awaited<ReturnType<typeof organization>>,
) {
  const { deps } = app;
  const now = deps.clock.now();
  const name = newEmail('ann').replace(/@.*$/, '');
  const email = `${name}@${domain}`;
  const account = cell.account === 'of another address' ? `${name}@private.example` : email;
  const person =
    cell.account !== 'none' &&
    (await somebody(app, { email: account, confirmed: cell.account !== 'unconfirmed' }));
  const userId = person ? person.id : (0 as UserId);
  const [session] = await listRows(app, 'sessions', ['id'], { user_id: userId });
  const mine = { user_id: userId, created_at: now };
  if (cell.account === 'restricted')
    await insertRow(app, 'restrictions', {
      ...mine,
      cause: 'operator',
      ends_at: fromNow(deps.clock, DAY_MS),
    });
  if (cell.account === 'closed')
    await insertRow(app, 'account_deletions', {
      user_id: userId,
      reason: '',
      requested_at: now,
      due_at: fromNow(deps.clock, DAY_MS),
    });
  if (cell.membership === 'invited' && person) await org.invite(boss, 'sales', person);
  else if (cell.membership !== 'none')
    await insertRow(app, 'memberships', {
      ...mine,
      org_id: org.orgId,
      role_id: org.roles.sales,
      status: MEMBER_STATUS[cell.membership],
      first_name: 'Ann',
    });
  if (cell.subject === 'linked')
    await insertRow(app, 'company_identities', {
      ...mine,
      connection_id: connection.id,
      issuer: connection.issuer,
      subject: name,
    });
  const [member] = await listRows(app, 'memberships', ['id'], { org_id: org.orgId, user_id: userId });
  if (cell.lets === 'deactivated')
    await insertRow(app, 'scim_users', {
      org_id: org.orgId,
      member_id: member?.id ?? null,
      user_name: email,
      email,
      email_key: email,
      external_id: '',
      given_name: '',
      family_name: '',
      display_name: '',
      title: '',
      is_active: false,
      created_at: now,
      changed_at: now,
    });
  const arrival = {
    connection,
    subject: name,
    address: cell.claims === 'vouched' ? { email } : ({ email, failed: 'otherDomain' } as const),
    names: { firstName: 'Ann', lastName: '' },
    sid: null,
    idToken: null,
    saidStep: false,
    hasStep: false,
    next: null,
    state: name,
    cookie: name,
  };
  const config = { ...deps.config, ...(cell.lets === 'no seat' && { maxMembersPerOrg: 1 }) };
  const before = await written();
  const outcome = await (
    cell.from === 'outside'
      ? enter({ ...deps, config }, arrival, browser)
      : addTo({ ...deps, config }, arrival, { userId, sessionId: session!.id })
  ).catch((error: unknown) => {
    if (error instanceof VisitRefused) return error;
    throw error;
  });
  return { outcome: outcome.outcome, writes: (await written()) > before };
}
/** How many rows there are that a visit may write, its waiting link aside. */
async function written() {
  const {
    rows: [row],
  } = await sql<{ count: string }>`select (select count(*) from users)
    + (select count(*) from memberships where status = 2) + (select count(*) from sessions)
    + (select count(*) from company_identities) + (select count(*) from company_entries) as count`.execute(
    app.deps.sql,
  );
  return Number(row?.count);
}

test.for(SIDES.lets)(
  'each account and membership has one outcome of a visit where new people come in: %s',
  async (lets) => {
    const where = await organization(lets);
    const mine = cells.filter((cell) => cell.lets === lets && exists(cell));
    const found = [];
    for (const cell of mine) found.push({ ...cell, ...(await visit(cell, where)) });
    const wanted = mine.map((cell) => {
      const outcome = expected(cell);
      return { ...cell, outcome, writes: outcome === 'signedIn' || outcome === 'linked' };
    });
    expect(found).toEqual(wanted);
  },
);
