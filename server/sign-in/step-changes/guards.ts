import { DEMANDS } from '#contract/access/demands.ts';
import { refuse } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { findFacts } from '#server/access/data.ts';
import { demands, hasStrong } from '#server/access/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { deleteRecoveryCodes, findFactors } from '#server/sign-in/factors/data.ts';

/**
 * Refuses to change second steps if an organization asks for one, now or later, and the session has not given it. A
 * person with a strong step gives what the organization asks for, any other person at least a mailed code.
 * Otherwise a thief of the password, or of the mailbox too, would add a step of their own and enter with it.
 */
export async function refuseWeakSession(sql: Db, { clock }: Deps, { userId, sessionId }: SessionOwner) {
  const facts = await findFacts(sql, sessionId);
  const act = { changesWays: await findFactors(sql, userId) };
  const missing = demands(facts, { at: 'account' }, clock.now(), act);
  if (missing.includes('strongStep')) return refuse(DEMANDS.strongStep);
  return missing.includes('mailedCode') ? refuse(DEMANDS.mailedCode) : undefined;
}

/** They stood in for a mailed code, and would else stand in for the first strong step. Returns whether there were any. */
export async function endWeakRecoveryCodes(tx: Tx, userId: UserId) {
  const factors = await findFactors(tx, userId);
  if (hasStrong(factors)) return false;
  await deleteRecoveryCodes(tx, userId);
  return factors.recoveryCodesLeft > 0;
}
