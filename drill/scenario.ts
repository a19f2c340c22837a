import type { Row } from './goals.ts';
import type { Stage, Workplace } from './stage.ts';

/** The measurement of a row, and the command that repeats it. */
export interface Figure {
  readonly id: Row;
  readonly summary: string;
  readonly passes: boolean;
  /** Whether the same measurement reached the stretch goal; undefined if it cannot tell. */
  readonly reachesStretch?: boolean | undefined;
  /** Whether it was measured as often and as long as the goal says. */
  readonly isWhole: boolean;
  readonly command: string;
}

export interface Scenario {
  /** The rows it measures; naming one of them runs it. */
  readonly ids: readonly Row[];
  readonly name: string;
  /** `cluster` uses the shared stage. `alone` starts one process. */
  readonly needs: 'cluster' | 'alone';
  run(drill: Drill): Promise<Figure[]>;
}

/** The tools of a scenario. */
export interface Drill extends Workplace {
  /** The shared stage; throws if it could not be started or was not requested. */
  readonly stage: Stage;
  /** Reports a part that cannot be tried here, so that the row does not count as whole. */
  readonly leftOut: (what: string) => void;
  /** The number of rounds: `--rounds` if given, else `full` with `--full`, else `usual`. */
  readonly rounds: (usual: number, full: number) => number;
  /** The duration: `--minutes` if given, else `full` with `--full`, else `usual`. */
  readonly seconds: (usual: number, full: number) => number;
  /** The requests per second: `--rate`, else the goal's rate. */
  readonly rate: (goal: number) => number;
  /** A row of the report, with the command that measures it again. */
  readonly figure: (row: Omit<Figure, 'command' | 'isWhole'>) => Figure;
}

/** A figure that passes unless something is broken; the breaches come first. */
export const unless = (breaches: readonly string[], summary: string) => ({
  passes: breaches.length === 0,
  summary: breaches.length === 0 ? summary : `broken: ${shortened(breaches)}; but for that ${summary}`,
});

/** True if the measurement was as large as the stretch goal; undefined if it was smaller. */
export const atLeast = (amount: number, stretch: number) => amount >= stretch || undefined;

const SHOWN_MAX = 5;
const shortened = (breaches: readonly string[]) =>
  breaches.length <= SHOWN_MAX
    ? breaches.join('; ')
    : `${breaches.slice(0, SHOWN_MAX).join('; ')} and ${breaches.length - SHOWN_MAX} more`;
