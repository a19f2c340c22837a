import type { Row } from './goals.ts';
import type { Stage, Workplace } from './stage.ts';

/** The result of a scenario in words; without a breach it passes. */
export interface Part {
  readonly breaches: readonly string[];
  readonly summary: string;
}

export interface Figure {
  readonly ids: readonly Row[];
  readonly summary: string;
  readonly passes: boolean;
  /** Whether it was measured as often and as long as the goals say. */
  readonly isWhole: boolean;
  /** The options of the run, besides `--full`. */
  readonly options: string;
}

export interface Scenario {
  readonly ids: readonly Row[];
  readonly name: string;
  /** `cluster` uses the shared stage. `alone` starts one process. */
  readonly needs: 'cluster' | 'alone';
  run(drill: Drill): Promise<Part>;
}

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
}

export const joinParts = (parts: readonly Part[]): Part => ({
  breaches: parts.flatMap(({ breaches }) => breaches),
  summary: parts.map(({ summary }) => summary).join('; '),
});

/** The text of the report; the breaches come first. */
export const inWords = ({ breaches, summary }: Part) =>
  breaches.length === 0 ? summary : `broken: ${shortList(breaches)}; but for that ${summary}`;

const SHOWN_MAX = 5;
const shortList = (breaches: readonly string[]) =>
  breaches.length <= SHOWN_MAX
    ? breaches.join('; ')
    : `${breaches.slice(0, SHOWN_MAX).join('; ')} and ${breaches.length - SHOWN_MAX} more`;
