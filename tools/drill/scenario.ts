import type { Row } from './goals.ts';
import type { Stage } from './stage.ts';

/** What was measured of a row, and the command that measures it again. */
export interface Figure {
  readonly id: Row;
  readonly measured: string;
  readonly passed: boolean;
  /** Whether the same measurement reached the stretch mark; undefined where it can't tell. */
  readonly stretched?: boolean | undefined;
  /** Whether it was measured as often and as long as the goal says. */
  readonly isWhole: boolean;
  readonly command: string;
}

export interface Scenario {
  /** The rows it measures; naming one of them runs it. */
  readonly ids: readonly Row[];
  readonly name: string;
  /** Whether it works on the stage that all share, or starts what it needs itself: one process, or two with all their parts as well. */
  readonly needs: 'cluster' | 'alone' | 'places';
  run(drill: Drill): Promise<Figure[]>;
}

/** What a scenario gets to work with. */
export interface Drill {
  /** The stage; asking for it where it could not be started, or was not needed, throws. */
  readonly stage: Stage;
  /** What two processes can't do without and is not here. */
  readonly lacks: readonly string[];
  /** Says what can't be tried here, so that the row is not one of a whole measurement. */
  readonly leftOut: (what: string) => void;
  /** How often to do something: as `--rounds` says, else the usual number, or the goal's own with `--full`. */
  readonly rounds: (usual: number, full: number) => number;
  /** How long to do something: as `--minutes` says, else the usual seconds, or the goal's own with `--full`. */
  readonly seconds: (usual: number, full: number) => number;
  /** How much to ask for in a second: as `--rate` says, else as much as the goal does. */
  readonly rate: (goal: number) => number;
  /** An empty folder that is removed at the end, however it comes. */
  readonly folder: (name: string) => string;
  /** Says how it goes, on a line of its own. */
  readonly say: (line: string) => void;
  /** A row of the report, with the command that measures it again. */
  readonly figure: (row: Omit<Figure, 'command' | 'isWhole'>) => Figure;
}

/** The figure of a row that must hold and does unless something is broken; what is broken is named first. */
export const unless = (broken: readonly string[], measured: string) => ({
  passed: broken.length === 0,
  measured: broken.length === 0 ? measured : `broken: ${shortened(broken)}; but for that ${measured}`,
});

/** Whether as much was tried as a stretch mark asks; less says nothing of it. */
export const tried = (measured: number, stretch: number) => measured >= stretch || undefined;

const SHOWN_MAX = 5;
const shortened = (broken: readonly string[]) =>
  broken.length <= SHOWN_MAX
    ? broken.join('; ')
    : `${broken.slice(0, SHOWN_MAX).join('; ')} and ${broken.length - SHOWN_MAX} more`;
