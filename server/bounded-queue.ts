import { refuse, type Refusal } from '#contract/errors.ts';

/** The caller: a network, and the person if known. */
export type Asker = string | readonly [network: string, person: string];
type Waiting = (mayRun: boolean) => void;
type Line<T> = Map<string, T>;

/**
 * Runs at most `atOnce` tasks, at most `each` of them per network; up to `waitingMax` wait, and the rest is
 * refused. Networks take turns, and so do the people of each. When the queue is full, a newcomer with few
 * waiting tasks takes the last place of the network and person with most.
 *
 * With `patienceMs`, a task that has waited for so long is refused too; `waitedMs` is the time it waited
 * elsewhere before. While overloaded (from a refusal until an arrival finds a free slot), tasks wait
 * `pressedMs` at most: a short jam is waited out, and in a long one nobody waits for long.
 */
export function boundedQueue(
  atOnce: number,
  waitingMax: number,
  patienceMs = Infinity,
  pressedMs = patienceMs,
  each = atOnce,
) {
  /** The waiting tasks by network and person, in the order of their turns. */
  const lines: Line<Line<Waiting[]>> = new Map();
  const refusal = refuse('unavailable', { retryAfterSeconds: 2 });
  let running = 0;
  const runningBy = new Map<string, number>();
  let isPressed = false;
  const patience = () => (isPressed ? pressedMs : patienceMs);
  const turnAway = () => {
    isPressed = true;
    return refusal;
  };
  const peopleOf = (network: string): Line<Waiting[]> => lines.get(network) ?? new Map();
  const lengthOf = (network: string) =>
    [...peopleOf(network).values()].reduce((sum, line) => sum + line.length, 0);
  const waitingNow = () => [...lines.keys()].reduce((sum, network) => sum + lengthOf(network), 0);
  const mayStart = (network: string) => running < atOnce && (runningBy.get(network) ?? 0) < each;

  /** The network and person who lose their last place in a full queue to a newcomer. */
  const whoMakesRoom = (network: string, person: string): readonly [string, string] | undefined => {
    const busiest = longest([...lines.keys()], lengthOf, network);
    const people = peopleOf(busiest ?? network);
    const waitingOf = (one: string) => people.get(one)?.length ?? 0;
    const most = longest([...people.keys()], waitingOf, busiest === undefined ? person : undefined);
    return most === undefined ? undefined : [busiest ?? network, most];
  };
  /** The refusal for an arrival; undefined if it may run or wait. */
  const refusalFor = (by: Asker, waitedMs = 0) => {
    const [network, person] = askerParts(by);
    if (mayStart(network)) return undefined;
    if (waitingNow() >= waitingMax && !whoMakesRoom(network, person)) return turnAway();
    // Time that one caller waited elsewhere does not shorten the patience of others.
    return waitedMs < patience() ? undefined : refusal;
  };
  const stay = (network: string, person: string, line: Waiting[]) => {
    const people = peopleOf(network);
    if (line.length > 0) people.set(person, line);
    else people.delete(person);
    if (people.size > 0) lines.set(network, people);
    else lines.delete(network);
  };
  const itsTurn = async ([network, person]: readonly [string, string], waitedMs: number) => {
    const from = waitingNow() >= waitingMax ? whoMakesRoom(network, person) : undefined;
    if (from) {
      const line = peopleOf(from[0]).get(from[1]) ?? [];
      line.pop()?.(false);
      stay(...from, line);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const mine = () => peopleOf(network).get(person) ?? [];
    stay(network, person, [...mine(), resolve]);
    const giveUp = () => {
      stay(
        network,
        person,
        mine().filter((waiting) => waiting !== resolve),
      );
      resolve(false);
    };
    const timer = patienceMs === Infinity ? undefined : setTimeout(giveUp, patience() - waitedMs);
    const mayRun = await promise;
    clearTimeout(timer);
    return mayRun;
  };
  const start = (network: string) => {
    running += 1;
    runningBy.set(network, (runningBy.get(network) ?? 0) + 1);
  };
  const end = (network: string) => {
    running -= 1;
    const left = (runningBy.get(network) ?? 1) - 1;
    if (left > 0) runningBy.set(network, left);
    else runningBy.delete(network);
  };
  /**
   * Gives a free slot to the first network in turn that may have it, and queues that network's others again.
   */
  const callNext = () => {
    const network = [...lines.keys()].find(mayStart);
    if (network === undefined) return;
    const people = peopleOf(network);
    const [[person, [next, ...others]] = ['', []]] = people;
    lines.delete(network);
    people.delete(person);
    if (people.size > 0) lines.set(network, people);
    stay(network, person, others);
    start(network);
    next?.(true);
  };

  const run = async <T>(
    task: () => Promise<T>,
    by: Asker = '',
    waitedMs = 0,
  ): Promise<T | Refusal<'unavailable'>> => {
    const [network, person] = askerParts(by);
    if (mayStart(network)) {
      start(network);
      isPressed = false;
    } else if (refusalFor(by, waitedMs)) return refusal;
    else if (!(await itsTurn([network, person], waitedMs))) return turnAway();
    try {
      return await task();
    } finally {
      end(network);
      callNext();
    }
  };
  return Object.assign(run, { waiting: waitingNow, refusalFor });
}

/** The name with the longest queue; with `own`, only if that queue would stay shorter with one more. */
function longest(names: readonly string[], lengthOf: (name: string) => number, own?: string) {
  const [first] = names.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  if (first === undefined) return undefined;
  return own === undefined || lengthOf(first) > lengthOf(own) + 1 ? first : undefined;
}

const askerParts = (by: Asker) => (typeof by === 'string' ? ([by, ''] as const) : by);
