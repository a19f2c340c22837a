import type { Scenario } from './scenario.ts';

/** Every scenario, in the order they are run. */
export const scenarios: readonly Scenario[] = [];
