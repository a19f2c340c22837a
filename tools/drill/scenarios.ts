import { crashes } from './crashes.ts';
import { failovers } from './failover.ts';
import { outages } from './outages.ts';
import { restoring } from './restore.ts';
import type { Scenario } from './scenario.ts';
import { sessionScenarios } from './sessions.ts';
import { storms } from './storms.ts';
import { watchdogs } from './watchdog.ts';

/** Every scenario, in the order they are run. */
export const scenarios: readonly Scenario[] = [
  ...storms,
  ...sessionScenarios,
  ...crashes,
  ...watchdogs,
  ...outages,
  ...failovers,
  ...restoring,
];
