import { setTimeout as pause } from 'node:timers/promises';
import { isUnreachable, STALLED } from '#server/db/constraints.ts';

const AGAIN_MS = 250;

type Signs = {
  /** Whether the commit of anybody here still waits for a standby. */
  readonly isWaiting: () => Promise<boolean>;
  /** Changes nothing, and is committed as what does. */
  readonly commit: () => Promise<unknown>;
};

/**
 * Keeps the next ones from a wait that was in vain before: once a commit was not answered, as without the only synchronous
 * standby, whoever wants to change something is turned away at once, until one is. Those that hang are waited for before
 * another is tried: each keeps a connection of the database for as long as it hangs.
 */
export function stall({ isWaiting, commit }: Signs) {
  let isOn = false;
  /** Whoever refuses it does answer. */
  const isAnswered = () =>
    commit().then(
      () => true,
      (error: unknown) => !isUnreachable(error),
    );
  const untilAnswered = async () => {
    while ((await isWaiting().catch(() => false)) || !(await isAnswered()))
      await pause(AGAIN_MS, undefined, { ref: false });
  };
  return {
    isOn: () => isOn,
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
