import { crashes } from './crashes.ts';
import { failovers } from './failover.ts';
import { outages } from './outages.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario, in the order they are run. */
export const scenarios: readonly Scenario[] = [...crashes, ...outages, ...failovers];
