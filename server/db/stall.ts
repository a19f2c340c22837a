import { setTimeout as pause } from 'node:timers/promises';
import { STALLED } from '#server/db/constraints.ts';

const AGAIN_MS = 250;

/**
 * Keeps the next ones from a wait that was in vain before: once a commit was not answered, as without the only synchronous
 * standby, whoever wants to change something is turned away at once, until `isAnswered`, which must not throw, says that one is.
 */
export function stall(isAnswered: () => Promise<boolean>, againMs = AGAIN_MS) {
  let isOn = false;
  const untilAnswered = async () => {
    while (!(await isAnswered())) await pause(againMs, undefined, { ref: false });
    isOn = false;
  };
  return {
    isOn: () => isOn,
    begin: () => {
      if (isOn) return;
      isOn = true;
      void untilAnswered();
    },
    /** Throws while it lasts. */
    check: () => {
      if (isOn) throw new Error(STALLED);
    },
  };
}
