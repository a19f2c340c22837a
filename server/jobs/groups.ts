import { SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { type ClaimedJob, claimDue, claimJobs, listTurnJobs } from './data-claims.ts';
import { type JobHandlers, type JobKind, jobKindOf, leaseMs, type Turns } from './kinds.ts';
import { chooseTurns, receiverOf } from './rules.ts';

export type JobGroup = {
  /** Undefined for the kinds without slots of their own. */
  readonly kind: string | undefined;
  readonly slots: number;
  readonly claim: (limit: number) => Promise<ClaimedJob[]>;
  /** Measures a run until the returned function is called; only of kinds that take turns. */
  readonly watch?: (job: ClaimedJob) => () => void;
};

/** They use database connections that requests need, so few run at once. */
const SHARED_SLOTS = 3;

/** Jobs of unknown kinds wait for a process that has a handler, such as one of a newer release. */
export function jobGroups(deps: Deps, handlers: JobHandlers): readonly JobGroup[] {
  const hasSlots = (name: string) => jobKindOf(handlers, name)?.slots !== undefined;
  const names = Object.keys(handlers);
  return [
    plainGroup(
      deps,
      undefined,
      names.filter((name) => !hasSlots(name)),
      { slots: SHARED_SLOTS },
    ),
    ...names.filter(hasSlots).map((name) => {
      const { turns, ...kind } = { slots: SHARED_SLOTS, ...jobKindOf(handlers, name) };
      return turns ? turnGroup(deps, name, turns, kind) : plainGroup(deps, name, [name], kind);
    }),
  ];
}

type Slots = Pick<JobKind, 'limitMs'> & { readonly slots: number };

const plainGroup = (
  deps: Deps,
  kind: string | undefined,
  kinds: readonly string[],
  { slots, ...each }: Slots,
): JobGroup => ({ kind, slots, claim: (limit) => claimDue(deps, { kinds, limit, leaseMs: leaseMs(each) }) });

/** Longer than this, and a receiver was slow. */
const SLOW_MS = SECOND_MS;

function turnGroup(deps: Deps, name: string, { isOrdered, limitsOf }: Turns, kind: Slots): JobGroup {
  const slow = new Set<string>();
  let lastTurns = new Map<string, number>();
  let turn = 0;

  const claim = async (limit: number) => {
    const jobs = await listTurnJobs(deps, name, isOrdered);
    if (jobs.every(({ isRunning }) => isRunning)) return [];
    const limits = await limitsOf(deps, [...new Set(jobs.map(({ lane }) => lane))]);
    const chosen = chooseTurns(jobs, {
      limitsOf: (lane) => ({
        ...limits.get(lane),
        ...(slow.has(receiverOf(lane)) && { slow: Math.ceil(kind.slots / 4) }),
      }),
      lastTurnOf: (receiver) => lastTurns.get(receiver) ?? 0,
      limit,
    });
    // Forget receivers without jobs.
    const receivers = new Set(jobs.map(({ lane }) => receiverOf(lane)));
    lastTurns = new Map([...lastTurns].filter(([receiver]) => receivers.has(receiver)));
    for (const { lane } of chosen) lastTurns.set(receiverOf(lane), (turn += 1));
    return claimJobs(
      deps,
      chosen.map(({ id }) => id),
      leaseMs(kind),
    );
  };

  const watch = ({ lane }: ClaimedJob) => {
    const receiver = receiverOf(lane ?? '');
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow.add(receiver);
    }, SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (!isSlow) slow.delete(receiver);
    };
  };
  return { kind: name, slots: kind.slots, claim, watch };
}
