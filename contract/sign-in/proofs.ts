/** The proofs of identity inside a session, the quickest first. */
export const PROOFS = ['passkey', 'password', 'app', 'mail'] as const;
