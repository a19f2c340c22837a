import { crashes } from './crashes.ts';
import { driveFaults } from './drive-faults.ts';
import { embeddedKill } from './embedded-kill.ts';
import { embeddedLoad } from './embedded-load.ts';
import { failovers } from './failover.ts';
import { giantRequests } from './giant-requests.ts';
import { hashFlood } from './hash-flood.ts';
import { hostileInputs } from './hostile-inputs.ts';
import { hostileProvider } from './hostile-provider.ts';
import { mailOutage } from './mail-outage.ts';
import { outages } from './outages.ts';
import { races } from './races.ts';
import { restoring } from './restore.ts';
import type { Scenario } from './scenario.ts';
import { sessionScenarios } from './sessions.ts';
import { signingKeyScenarios } from './signing-keys.ts';
import { signOutScenarios } from './sign-outs.ts';
import { slowSockets } from './slow-sockets.ts';
import { spoofedAddresses } from './spoofed-addresses.ts';
import { storms } from './storms.ts';
import { strangeRequests } from './strange-requests.ts';
import { watchdogs } from './watchdog.ts';
import { webhookScenarios } from './webhooks.ts';

/** Every scenario, in running order. */
export const scenarios: readonly Scenario[] = [
  ...storms,
  ...sessionScenarios,
  ...signOutScenarios,
  ...webhookScenarios,
  ...signingKeyScenarios,
  ...crashes,
  ...watchdogs,
  ...outages,
  ...failovers,
  spoofedAddresses,
  slowSockets,
  giantRequests,
  hashFlood,
  strangeRequests,
  embeddedKill,
  embeddedLoad,
  mailOutage,
  driveFaults,
  hostileProvider,
  hostileInputs,
  races,
  ...restoring,
];
