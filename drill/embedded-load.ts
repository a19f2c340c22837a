import { setTimeout as pause } from 'node:timers/promises';
import { ledgerSummary } from './crashes.ts';
import { Ledger } from './ledger.ts';
import { startLoad, statuses } from './load.ts';
import type { Scenario } from './scenario.ts';
import { startSingle } from './single.ts';
import { MIXED_GOAL_MS, none5xx, slower, timesOf } from './storms.ts';

const RATE = 100;
const WHOLE_SECONDS = 600;
/** As many people as use the two processes. */
const EVERYBODY = { organizations: 100, peopleEach: 10 };

/** The mix of R1 on the embedded database. */
export const embeddedLoad: Scenario = {
  ids: ['R19'],
  name: 'Mixed load on the embedded database',
  needs: 'alone',
  async run(drill) {
    const lasts = drill.seconds(30, WHOLE_SECONDS);
    const single = await startSingle(drill, 'embedded-load', EVERYBODY);
    const ledger = new Ledger();
    await using load = startLoad({ wire: single.wire, people: single.people, rate: RATE, ledger });
    await pause(1000 * lasts);
    const samples = await load.stop();
    const breaches = [
      ...none5xx(samples),
      ...slower(samples, MIXED_GOAL_MS),
      ...(await single.breaches({ ledgers: [ledger] })),
    ];
    const summary = `${RATE}/s for ${lasts} s: ${statuses(samples)}; ${timesOf(samples)}; ${ledgerSummary(ledger)}`;
    return { breaches, summary };
  },
};
