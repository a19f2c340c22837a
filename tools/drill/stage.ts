import type { Ledger } from './ledger.ts';
import type { Person } from './people.ts';
import type { Portico } from './processes.ts';
import type { Wire } from './wire.ts';

/** Two processes of the portal behind a balancer, with everything they need, all of it real. */
export interface Stage {
  /** Where browsers come in: the balancer. */
  readonly url: string;
  readonly portals: readonly [Portico, Portico];
  readonly people: readonly Person[];
  /** A wire to the balancer. */
  readonly wire: Wire;
  /** Checks all invariants, with what a ledger was told; what is broken, in words. */
  broken(ledger?: Ledger): Promise<string[]>;
  stop(): Promise<void>;
}
