import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { zoneNamed } from '#contract/countries.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { signIn as calls } from '#contract/sign-in.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { refuseWeakPassword } from '#server/accounts/actions.ts';
import {
  confirmUser,
  findAccount,
  findToken,
  findUser,
  rehashPassword,
  storePassword,
  updateUser,
  useToken,
  voidTokens,
} from '#server/accounts/data.ts';
import { blockOf, canonicalEmail } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteSession, deleteSessionsOf, openSession, type Place } from '#server/sessions/data.ts';
import { nextPath } from '#server/sign-in/rules.ts';

/**
 * Signs in with address and password. Unknown address, wrong password and an account without one take the same
 * time and answer alike; what keeps an account closed is told only after the right password.
 */
export async function signIn(
  deps: Deps,
  input: Input<typeof calls.signIn>,
  place: Place,
  replacedSession: SessionId | undefined,
) {
  const email = canonicalEmail(input.email);
  const account = email === undefined ? undefined : await findAccount(deps.sql, email, deps.clock.now());
  const record = account?.phc && account.key_id ? { phc: account.phc, keyId: account.key_id } : undefined;
  const matches = await deps.passwords.matches(input.password, record);
  if (matches instanceof Refusal) return matches;
  if (!matches || !account || !record) {
    deps.log.warn(
      { event: 'sign-in refused', userId: account?.id ?? null, ...place },
      'wrong address or password',
    );
    return refuse('invalid_credentials');
  }
  const block = blockOf(account);
  if (block) return block;
  if (!account.confirmed_at) return refuse('account_not_confirmed');

  const fresh = deps.passwords.isOutdated(record) ? await deps.passwords.hash(input.password) : record;
  const token = await transaction(deps.sql, async (tx) => {
    // A full queue is no reason to turn away a person whose password was right; the next sign-in replaces the hash.
    if (!(fresh instanceof Refusal) && fresh !== record) await rehashPassword(tx, account.id, record, fresh);
    const zone = zoneNamed(input.timeZone);
    if (account.time_zone === null && zone !== undefined)
      await updateUser(tx, account.id, { time_zone: zone });
    if (replacedSession !== undefined) await deleteSession(tx, replacedSession);
    await recordSignIn(tx, deps, account.id, ACTION.create);
    return openSession(tx, deps, account.id, place);
  });
  const next = nextPath(input.redirectPath);
  return { token, answer: { mfaEnabled: false, ...(next !== undefined && { next }) } };
}

const recordSignIn = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: typeof ACTION.create | typeof ACTION.delete,
) =>
  recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.signInDevice,
    type: ACTIVITY_TYPE.signIn,
    action,
  });

/** Ends one session and notes it. */
export const signOut = (deps: Deps, userId: UserId, sessionId: SessionId) =>
  transaction(deps.sql, async (tx) => {
    await deleteSession(tx, sessionId);
    await recordSignIn(tx, deps, userId, ACTION.delete);
    return {};
  });

/** Chooses a first password with a digest; whatever was open before ends, and this browser is signed in. */
export async function createPassword(deps: Deps, input: Input<typeof calls.createPassword>, place: Place) {
  const token = await findToken(deps.sql, 'set-password', input.digest);
  if (!token || token.used_at) return refuse('digest_invalid');
  if (token.expires_at <= deps.clock.now()) return refuse('digest_expired');
  const user = await findUser(deps.sql, token.user_id);
  if (user?.email !== token.subject) return refuse('digest_invalid');
  const weak = refuseWeakPassword(input.password, {
    email: user.email,
    names: [user.first_name, user.last_name],
  });
  if (weak) return weak;
  const record = await deps.passwords.hash(input.password);
  if (record instanceof Refusal) return record;

  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    if (!(await useToken(tx, token.id, now))) return refuse('digest_invalid');
    await storePassword(tx, user.id, record, now);
    await confirmUser(tx, user.id, now);
    await voidTokens(tx, user.id, now);
    await deleteSessionsOf(tx, user.id);
    await recordActivity(tx, deps, {
      orgId: null,
      userId: user.id,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.password,
      action: ACTION.create,
    });
    return openSession(tx, deps, user.id, place);
  });
}
