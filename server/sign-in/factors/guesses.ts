import type { UserId } from '#contract/wire.ts';

/** A proof that somebody could guess in a session. */
export type Guessed = 'password' | 'app' | 'recovery' | 'mail';

/**
 * The counters of wrong proofs in a row over all sessions of a person. Somebody for whom only a company vouched uses up no
 * tries of the account's owner.
 */
export function guessesOf(kind: Guessed, userId: UserId) {
  const by = kind === 'password' ? '' : `${kind} in `;
  return { own: `${by}sessions of ${userId}`, unproven: `${by}unproven sessions of ${userId}` };
}
