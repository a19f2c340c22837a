import { MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import type { Limits } from './rules.ts';

/** Must be idempotent, because it may run again. `progress` renews lease and limit; throws if another run has the job. */
type JobHandler = (deps: Deps, payload: never, jobId: number, progress: () => Promise<void>) => Promise<void>;

export type JobKind = {
  readonly run: JobHandler;
  /** So many run at once in each process. Kinds without this share a few slots. */
  readonly slots?: number;
  /** A run fails after this time without progress. Its lease is twice as long. */
  readonly limitMs?: number;
  /** A job that is lost with its process is not its cause, so it need not run alone. */
  readonly isHarmless?: boolean;
  readonly turns?: Turns;
};

/** For jobs that wait for foreign servers; each needs a lane, whose name begins with its receiver and a dot. */
export type Turns = {
  /** Whether the jobs of a lane run in order, one at a time. */
  readonly isOrdered: boolean;
  /** The limits that apply to each of these lanes; a lane may be missing. */
  readonly limitsOf: (deps: Deps, lanes: readonly string[]) => Promise<ReadonlyMap<string, Limits>>;
};

export type JobHandlers = Readonly<Record<string, JobHandler | JobKind>>;

export const jobKindOf = (handlers: JobHandlers, name: string): JobKind | undefined => {
  const kind = handlers[name];
  return typeof kind === 'function' ? { run: kind } : kind;
};

/** Before the lease ends, so that a hanging job does not block others for long. */
export const LIMIT_MS = MINUTE_MS;
export const leaseMs = ({ limitMs = LIMIT_MS }: Pick<JobKind, 'limitMs'>) => 2 * limitMs;
