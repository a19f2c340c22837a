import { SECOND_MS } from './clock.ts';
import type { Log } from './log.ts';

/** An outage is over after this time without a failure. */
const QUIET_MS = 10 * SECOND_MS;

type Outage = { readonly since: number; last: number; failures: number; readonly timer: NodeJS.Timeout };
const outages = new WeakMap<Log, Map<string, Outage>>();

/** Writes a line when an outage begins and one when it is over, instead of one for each failure. */
export function noteOutage(log: Log, what: string, fields: object): void {
  const ofLog = outages.get(log) ?? new Map<string, Outage>();
  outages.set(log, ofLog);
  const now = performance.now();
  const outage = ofLog.get(what);
  if (outage) {
    outage.failures += 1;
    outage.last = now;
    outage.timer.refresh();
    return;
  }
  log.warn(fields, what);
  const end = () => {
    const { since, last, failures } = ofLog.get(what) as Outage;
    ofLog.delete(what);
    if (failures > 1)
      log.info({ failures, seconds: Math.ceil((last - since) / SECOND_MS) }, `no longer: ${what}`);
  };
  ofLog.set(what, { since: now, last: now, failures: 1, timer: setTimeout(end, QUIET_MS).unref() });
}
