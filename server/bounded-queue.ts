import { refuse, type Refusal } from '#contract/errors.ts';

/**
 * Runs at most `atOnce` tasks and lets `waitingMax` wait, one of each asker in turn; the rest is refused. When it is
 * full, the last of whoever has most waiting makes room for somebody with fewer. Whoever has waited for `patienceMs`,
 * where that is given, is refused too; `waitedMs` is what they had waited elsewhere before they came. From the first that
 * waits in vain or finds it full until one finds a free place, who comes has `pressedMs` in place of `patienceMs`: what
 * passes is waited out, what stays makes nobody wait for long.
 */
export function boundedQueue(
  atOnce: number,
  waitingMax: number,
  patienceMs = Infinity,
  pressedMs = patienceMs,
) {
  type Waiting = (mayRun: boolean) => void;
  /** By who asks, in the order of their turns. */
  const lines = new Map<string, Waiting[]>();
  const refusal = refuse('unavailable', { retryAfterSeconds: 2 });
  let running = 0;
  let isPressed = false;
  const patience = () => (isPressed ? pressedMs : patienceMs);
  const turnAway = () => {
    isPressed = true;
    return refusal;
  };
  const lengthOf = (by: string) => lines.get(by)?.length ?? 0;
  const waitingNow = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0);

  const isFull = () => running >= atOnce && waitingNow() >= waitingMax;
  const whoMakesRoom = (by: string) => {
    const longest = [...lines.keys()].reduce(
      (one, other) => (lengthOf(other) > lengthOf(one) ? other : one),
      by,
    );
    // One fewer would only trade places.
    return lengthOf(longest) > lengthOf(by) + 1 ? longest : undefined;
  };
  /** What somebody is told who came now; nothing when there is a place for them. */
  const refusalFor = (by: string, waitedMs = 0) => {
    if (running < atOnce) return undefined;
    if (isFull() && whoMakesRoom(by) === undefined) return turnAway();
    // What one of them has waited elsewhere shortens nobody else's patience.
    return waitedMs < patience() ? undefined : refusal;
  };
  const stay = (by: string, line: Waiting[]) => {
    if (line.length > 0) lines.set(by, line);
    else lines.delete(by);
  };
  const itsTurn = async (by: string, waitedMs: number) => {
    const from = isFull() ? whoMakesRoom(by) : undefined;
    if (from !== undefined) lines.get(from)?.pop()?.(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    lines.set(by, [...(lines.get(by) ?? []), resolve]);
    const giveUp = () => {
      stay(by, lines.get(by)?.filter((waiting) => waiting !== resolve) ?? []);
      resolve(false);
    };
    const timer = patienceMs === Infinity ? undefined : setTimeout(giveUp, patience() - waitedMs);
    const mayRun = await promise;
    clearTimeout(timer);
    return mayRun;
  };
  const callNext = () => {
    const [[by, [next, ...others]] = ['', []]] = lines;
    if (next) next(true);
    else running -= 1;
    lines.delete(by);
    stay(by, others);
  };

  const run = async <T>(
    task: () => Promise<T>,
    by = '',
    waitedMs = 0,
  ): Promise<T | Refusal<'unavailable'>> => {
    if (running < atOnce) {
      running += 1;
      isPressed = false;
    } else if (refusalFor(by, waitedMs)) return refusal;
    else if (!(await itsTurn(by, waitedMs))) return turnAway();
    try {
      return await task();
    } finally {
      callNext();
    }
  };
  return Object.assign(run, { waiting: waitingNow, refusalFor });
}
