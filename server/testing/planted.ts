import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { insertUser } from '#server/accounts/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { TokenPurpose } from '#server/db/tables.ts';
import { codeHash, randomToken } from '#server/keys.ts';
import { openSession } from '#server/sessions/actions.ts';
import { challengeKeyName } from '#server/sign-in/challenge/actions.ts';
import { insertChallenge } from '#server/sign-in/challenge/data.ts';
import { newEmail, type Person, TYPED_CODE } from './people.ts';
import { insertRow } from './rows.ts';
import type { TestApp } from './start-app.ts';

// States that are inserted into the database, because tests need hundreds of them or no call creates them.

/** A person with a session and without a password; the address is confirmed unless said otherwise. */
export async function plantedPerson(app: TestApp, { confirmed = true } = {}): Promise<Person> {
  const { sql, clock, keys } = app.deps;
  const email = newEmail('planted');
  const visitor = app.visitor();
  const now = clock.now();
  const id = await transaction(sql, async (tx) => {
    const person = { email, country: 'Sweden', created_at: now };
    const user = await insertUser(tx, { ...person, confirmed_at: confirmed ? now : null });
    if (!('id' in user)) throw new Error(user.name);
    const place = { ipAddress: '127.0.0.1', userAgent: '', location: 'Unknown' };
    const { token } = await openSession(tx, { clock, keys }, user.id, place);
    visitor.cookies.set('portico', token);
    return user.id;
  });
  return { visitor, email, id };
}

export const plantedDigest = (app: TestApp, { id, email }: Person, purpose: TokenPurpose): Promise<string> =>
  transaction(app.deps.sql, async (tx) => {
    const token = { purpose, userId: id as UserId, subject: email, lifeMs: HOUR_MS };
    return (await issueToken(tx, app.deps, token)).digest;
  });

export async function plantedChallenge(app: TestApp, { id }: Pick<Person, 'id'>, code = TYPED_CODE) {
  const { sql, clock, keys } = app.deps;
  const key = { token: randomToken() };
  const now = clock.now();
  const hash = codeHash(keys[0], challengeKeyName(key), code);
  const times = { created_at: now, mailed_at: now, expires_at: fromNow(clock, 10 * MINUTE_MS) };
  await transaction(sql, (tx) =>
    insertChallenge(tx, key, { user_id: id as UserId, code_hash: hash, ...times }),
  );
  const visitor = app.visitor();
  visitor.cookies.set('portico-challenge', key.token);
  return { visitor, code };
}

export async function plantedInvitation(app: TestApp, orgId: number) {
  const { sql, clock } = app.deps;
  const email = newEmail('invited');
  const now = clock.now();
  const user = { email, confirmed_at: null, country: null, time_zone: null, created_at: now };
  const { id } = await sql.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow();
  const roles = sql
    .selectFrom('roles')
    .select('id')
    .where('org_id', '=', orgId as OrgId);
  const membership = {
    org_id: orgId as OrgId,
    user_id: id,
    role_id: (await roles.executeTakeFirstOrThrow()).id,
    status: MEMBER_STATUS.invited,
    first_name: 'Ivo',
    invited_by: null,
    invitation_expires_at: fromNow(clock, HOUR_MS),
    created_at: now,
  };
  const invitation = sql.insertInto('memberships').values(membership).returning('id');
  const { id: memberId } = await invitation.executeTakeFirstOrThrow();
  return { email, id, memberId };
}

/** Restricts a person for a day. */
export const restrict = (
  app: TestApp,
  { id }: Pick<Person, 'id'>,
  cause: 'operator' | 'wrong-codes' = 'operator',
): Promise<void> => {
  const times = { created_at: app.clock.now(), ends_at: fromNow(app.clock, DAY_MS), lifted_at: null };
  return insertRow(app, 'restrictions', { user_id: id, cause, ...times });
};
