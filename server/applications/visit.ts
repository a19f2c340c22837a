import { AsyncLocalStorage } from 'node:async_hooks';
import type { Proven } from '#contract/organizations/second-step-rule.ts';
import type { SessionId, UserId } from '#contract/wire.ts';

/** The person of Portico's own session in the browser. */
export type Visitor = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly authenticatedAt: Date;
  readonly proven: Proven;
};

/** The state of a request, complete at its start. */
type Visit = {
  /** Finds the person of the browser once; null without a session. */
  readonly findVisitor: () => Promise<Visitor | null>;
  /** Whether its outgoing calls may go to private networks. */
  readonly mayReachPrivate?: boolean;
  /** The network of the request, by which limits count; none outside of requests. */
  readonly network?: string;
  /** Whether a page of the application loads the request in a frame. */
  readonly isFramed?: boolean;
};
const visits = new AsyncLocalStorage<Visit>();

export const visiting = <T>(visit: Visit, act: () => T): T => visits.run(visit, act);

/** Throws outside of a request. */
export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('the provider works only within a request');
  return visit;
}
