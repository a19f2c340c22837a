/** How many jobs may run at once under each of these names. Lanes share a name, and 0 holds a lane back. */
export type Limits = Readonly<Record<string, number>>;

export const TURNS_EACH = 4;
type Maker = { readonly orgId: number | null; readonly createdBy: number | null };
export const turnsOf = ({ orgId, createdBy }: Maker): Limits => ({
  ...(orgId !== null && { [`organization ${orgId}`]: TURNS_EACH }),
  ...(createdBy !== null && { [`person ${createdBy}`]: TURNS_EACH }),
});

export const receiverOf = (lane: string) => lane.split('.', 1)[0] ?? lane;

export type TurnJob = { readonly id: number; readonly lane: string; readonly isRunning: boolean };
type Choice = {
  readonly limitsOf: (lane: string) => Limits;
  /** Counts up with each turn; 0 for a receiver without one. */
  readonly lastTurnOf: (receiver: string) => number;
  readonly limit: number;
};

/** `jobs` run or are due, oldest first. A receiver with fewer under way comes first, then the longest without a turn. */
export function chooseTurns(jobs: readonly TurnJob[], { limitsOf, lastTurnOf, limit }: Choice): TurnJob[] {
  const counts = new Map<string, number>();
  const countOf = (name: string) => counts.get(name) ?? 0;
  const count = (names: readonly string[]) => names.forEach((name) => counts.set(name, countOf(name) + 1));
  for (const { lane, isRunning } of jobs) if (isRunning) count(Object.keys(limitsOf(lane)));

  const places = new Map<string, number>();
  const placed = jobs.map((job) => {
    const receiver = receiverOf(job.lane);
    const place = (places.get(receiver) ?? 0) + 1;
    places.set(receiver, place);
    return { job, place, lastTurn: lastTurnOf(receiver) };
  });
  const chosen: TurnJob[] = [];
  for (const { job } of placed.toSorted((a, b) => a.place - b.place || a.lastTurn - b.lastTurn)) {
    const limits = Object.entries(limitsOf(job.lane));
    if (job.isRunning || limits.some(([name, atOnce]) => countOf(name) >= atOnce)) continue;
    if (chosen.length === limit) break;
    count(limits.map(([name]) => name));
    chosen.push(job);
  }
  return chosen;
}
