import { setTimeout as pause } from 'node:timers/promises';
import { isUnreachable, STALLED } from '#server/db/constraints.ts';

const AGAIN_MS = 250;

/**
 * Keeps the next ones from a wait that was in vain before: once a commit was not answered, as without the only synchronous
 * standby, whoever wants to change something is turned away at once, until `commit`, tried over and over, is answered.
 */
export function stall(commit: () => Promise<unknown>) {
  let isOn = false;
  /** Whoever refuses it does answer. */
  const isAnswered = () =>
    commit().then(
      () => true,
      (error: unknown) => !isUnreachable(error),
    );
  const untilAnswered = async () => {
    while (!(await isAnswered())) await pause(AGAIN_MS, undefined, { ref: false });
  };
  return {
    begin: () => {
      if (isOn) return;
      isOn = true;
      void untilAnswered().finally(() => (isOn = false));
    },
    /** Throws while it lasts. */
    check: () => {
      if (isOn) throw new Error(STALLED);
    },
  };
}
