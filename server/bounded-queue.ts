import { refuse, type Refusal } from '#contract/errors.ts';

/** Names the sender of a task: a network, and the person if known. */
export type QueueKey = string | readonly [network: string, person: string];
type Waiter = (hasSlot: boolean) => void;

type Limits = {
  /** A task that has waited for this long is refused. */
  readonly patienceMs?: number;
  /** The same during an overload: from a refusal until an arrival finds a free slot. */
  readonly overloadPatienceMs?: number;
  /** Slots that one network may take. */
  readonly slotsEach?: number | undefined;
};

/** Networks take turns, and the people of each. In a full queue a newcomer takes the last place of the one with most. */
export function boundedQueue(
  slots: number,
  waitingMax: number,
  { patienceMs = Infinity, overloadPatienceMs = patienceMs, slotsEach = slots }: Limits = {},
) {
  /** The waiting tasks by network and person, in the order of their turns. */
  const queues = new Map<string, Map<string, Waiter[]>>();
  const refusal = refuse('unavailable', { retryAfterSeconds: 2 });
  let running = 0;
  const runningByNetwork = new Map<string, number>();
  let isOverloaded = false;
  const patience = () => (isOverloaded ? overloadPatienceMs : patienceMs);
  const refuseOverloaded = () => {
    isOverloaded = true;
    return refusal;
  };
  const peopleOf = (network: string) => queues.get(network) ?? new Map<string, Waiter[]>();
  const queueOf = (network: string, person: string) => queues.get(network)?.get(person) ?? [];
  const setQueue = (network: string, person: string, queue: Waiter[]) => {
    const people = peopleOf(network);
    if (queue.length > 0) people.set(person, queue);
    else people.delete(person);
    if (people.size > 0) queues.set(network, people);
    else queues.delete(network);
  };
  const lengthOf = (network: string) =>
    [...peopleOf(network).values()].reduce((sum, queue) => sum + queue.length, 0);
  const waiting = () => [...queues.keys()].reduce((sum, network) => sum + lengthOf(network), 0);
  const hasFreeSlot = (network: string) =>
    running < slots && (runningByNetwork.get(network) ?? 0) < slotsEach;
  const countRunning = (network: string, change: 1 | -1) => {
    running += change;
    const count = (runningByNetwork.get(network) ?? 0) + change;
    if (count > 0) runningByNetwork.set(network, count);
    else runningByNetwork.delete(network);
  };

  /** The network and person who lose their last place in a full queue to a newcomer. */
  const placeFor = (newcomer: string, person: string): readonly [string, string] | undefined => {
    const busiest = longest([...queues.keys()], lengthOf, newcomer);
    const network = busiest ?? newcomer;
    const most = longest(
      [...peopleOf(network).keys()],
      (name) => queueOf(network, name).length,
      busiest === undefined ? person : undefined,
    );
    return most === undefined ? undefined : [network, most];
  };
  /** The refusal for an arrival that waited `waitedMs` elsewhere; undefined if it may run or wait. */
  const refusalFor = (key: QueueKey, waitedMs = 0) => {
    const [network, person] = partsOf(key);
    if (hasFreeSlot(network)) return undefined;
    if (waiting() >= waitingMax && !placeFor(network, person)) return refuseOverloaded();
    // No overload: the time that one caller waited elsewhere does not shorten the patience of others.
    return waitedMs < patience() ? undefined : refusal;
  };
  /** Waits in the queue; false if the task loses its place or its patience. */
  const waitForSlot = async (network: string, person: string, waitedMs: number) => {
    const place = waiting() >= waitingMax ? placeFor(network, person) : undefined;
    if (place) {
      const queue = queueOf(...place);
      queue.pop()?.(false);
      setQueue(...place, queue);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    setQueue(network, person, [...queueOf(network, person), resolve]);
    const giveUp = () => {
      const others = queueOf(network, person).filter((waiter) => waiter !== resolve);
      setQueue(network, person, others);
      resolve(false);
    };
    const timer = patienceMs === Infinity ? undefined : setTimeout(giveUp, patience() - waitedMs);
    const hasSlot = await promise;
    clearTimeout(timer);
    return hasSlot;
  };
  /** Gives a free slot to the first network in turn that may take it; its other tasks go to the end. */
  const admitNext = () => {
    const network = [...queues.keys()].find(hasFreeSlot);
    if (network === undefined) return;
    const people = peopleOf(network);
    const [[person, [next, ...others]] = ['', []]] = people;
    queues.delete(network);
    people.delete(person);
    if (people.size > 0) queues.set(network, people);
    setQueue(network, person, others);
    countRunning(network, 1);
    next?.(true);
  };

  const run = async <T>(
    task: () => Promise<T>,
    key: QueueKey = '',
    waitedMs = 0,
  ): Promise<T | Refusal<'unavailable'>> => {
    const [network, person] = partsOf(key);
    if (hasFreeSlot(network)) {
      countRunning(network, 1);
      isOverloaded = false;
    } else if (refusalFor(key, waitedMs)) return refusal;
    else if (!(await waitForSlot(network, person, waitedMs))) return refuseOverloaded();
    try {
      return await task();
    } finally {
      countRunning(network, -1);
      admitNext();
    }
  };
  return Object.assign(run, { waiting, refusalFor });
}

/** The name with the longest queue; undefined if the newcomer's would be as long with one more. */
function longest(names: readonly string[], lengthOf: (name: string) => number, newcomer?: string) {
  const [first] = names.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  if (first === undefined) return undefined;
  return newcomer === undefined || lengthOf(first) > lengthOf(newcomer) + 1 ? first : undefined;
}

const partsOf = (key: QueueKey) => (typeof key === 'string' ? ([key, ''] as const) : key);
