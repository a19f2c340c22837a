/** Rows come and go this many at a time. */
const STEP = 5;
/** A row nobody has seen yet, before any is measured. */
const GUESS_PX = 69;

/** The rows to draw, from `first` to before `end`, and how high the others are above and below them. */
export type DrawnRows = { first: number; end: number; above: number; below: number };

/**
 * How high rows were when they were drawn, in sums of a few, so that a list of a hundred thousand is gone through in no
 * time. Rows that were not measured are taken for as high as the middle one of those that were first, and stay so: else
 * each row that comes in would move all that is on the page.
 */
export class RowHeights {
  readonly #heights: (number | undefined)[] = [];
  readonly #steps: { sum: number; known: number }[] = [];
  #guess: number | undefined;

  note(row: number, height: number) {
    const before = this.#heights[row];
    this.#heights[row] = height;
    const step = (this.#steps[Math.floor(row / STEP)] ??= { sum: 0, known: 0 });
    step.sum += height - (before ?? 0);
    if (before === undefined) step.known += 1;
  }

  #usual() {
    if (this.#guess === undefined) {
      const known = this.#heights.filter((height) => height !== undefined).toSorted((a, b) => a - b);
      this.#guess = known[Math.floor(known.length / 2)];
    }
    return this.#guess ?? GUESS_PX;
  }

  /** Which of `count` rows lie between two heights, measured from the first row's upper edge; some always do. */
  between(from: number, to: number, count: number): DrawnRows {
    const guess = this.#usual();
    const drawn: DrawnRows = { first: 0, end: 0, above: 0, below: 0 };
    let top = 0;
    for (let at = 0; at < count; at += STEP) {
      const next = Math.min(at + STEP, count);
      const { sum, known } = this.#steps[at / STEP] ?? { sum: 0, known: 0 };
      const height = sum + (next - at - known) * guess;
      if (top + height <= from && next < count) {
        drawn.first = next;
        drawn.above += height;
      } else if (top >= to && drawn.end > drawn.first) {
        drawn.below += height;
      } else {
        drawn.end = next;
      }
      top += height;
    }
    return drawn;
  }
}
