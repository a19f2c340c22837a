import { giantRequests } from './giant-requests.ts';
import { hashFlood } from './hash-flood.ts';
import type { Scenario } from './scenario.ts';
import { slowSockets } from './slow-sockets.ts';
import { spoofedAddresses } from './spoofed-addresses.ts';

/** Every scenario, in the order they are run. */
export const scenarios: readonly Scenario[] = [spoofedAddresses, slowSockets, giantRequests, hashFlood];
