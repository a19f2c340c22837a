import { driveFaults } from './drive-faults.ts';
import { embeddedKill } from './embedded-kill.ts';
import { giantRequests } from './giant-requests.ts';
import { hashFlood } from './hash-flood.ts';
import { hostileInputs } from './hostile-inputs.ts';
import { hostileProvider } from './hostile-provider.ts';
import { mailOutage } from './mail-outage.ts';
import type { Scenario } from './scenario.ts';
import { slowSockets } from './slow-sockets.ts';
import { spoofedAddresses } from './spoofed-addresses.ts';
import { strangeRequests } from './strange-requests.ts';

/** Every scenario, in the order they are run. */
export const scenarios: readonly Scenario[] = [
  spoofedAddresses,
  slowSockets,
  giantRequests,
  hashFlood,
  strangeRequests,
  embeddedKill,
  mailOutage,
  driveFaults,
  hostileProvider,
  hostileInputs,
];
