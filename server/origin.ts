import { AsyncLocalStorage } from 'node:async_hooks';
import type { SessionId } from '#contract/wire.ts';
import type { Tx } from '#server/db/tables.ts';

/** The client of a request, as reported by a trusted proxy or the socket. */
export type ClientOrigin = { readonly ipAddress: string; readonly userAgent: string };

/** The client of a sign-in, and the session that its browser had until now. */
export type Client = ClientOrigin & { readonly replacedSession?: SessionId | undefined };

/** The request behind some work; empty for jobs and the operator's commands. */
type Work = {
  readonly origin?: ClientOrigin;
  /** The caller's session; each transaction of this work locks it before the commit. */
  readonly session?: { readonly id: SessionId; readonly stands: (tx: Tx) => Promise<boolean> };
};

const current = new AsyncLocalStorage<Work>();

/** Runs `act` for a request. Its activity rows name the client, and nothing is committed after the session has ended. */
export const workFor = <T>(work: Work, act: () => T): T => current.run(work, act);

/** The client of the current request; undefined in jobs and the operator's commands. */
export const currentOrigin = (): ClientOrigin | undefined => current.getStore()?.origin;

/** The sessions that a transaction has locked or has ended itself. */
const lockedIn = new WeakMap<Tx, Set<SessionId>>();

export function noteLocked(tx: Tx, sessions: readonly { readonly id: SessionId }[]): void {
  const ids = lockedIn.get(tx) ?? new Set();
  for (const { id } of sessions) ids.add(id);
  lockedIn.set(tx, ids);
}

/** The session that the transaction must still lock; undefined if it has, or if there is none. */
export function sessionToLock(tx: Tx) {
  const session = current.getStore()?.session;
  return session && lockedIn.get(tx)?.has(session.id) !== true ? session : undefined;
}
