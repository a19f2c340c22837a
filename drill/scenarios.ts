import { crashes } from './crashes.ts';
import { embeddedKill } from './embedded-kill.ts';
import { embeddedLoad } from './embedded-load.ts';
import { failovers } from './failover.ts';
import { outages } from './outages.ts';
import { restores } from './restore.ts';
import type { Scenario } from './scenario.ts';
import { storms } from './storms.ts';

export const scenarios: readonly Scenario[] = [
  ...storms,
  ...crashes,
  ...outages,
  ...failovers,
  embeddedKill,
  embeddedLoad,
  restores,
];
