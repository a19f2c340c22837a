/** Rows come and go this many at a time. */
export const STEP = 5;
/** A row nobody has seen yet, before any is measured. */
const GUESS_PX = 69;

/** The rows to draw, from `first` to before `end`, and how high the others are above and below them. */
export type DrawnRows = { first: number; end: number; above: number; below: number };

/**
 * How high rows were when they were drawn, in sums of a few, so that a list of a hundred thousand is gone through in no
 * time. Rows that were not measured are taken for as high as the others on average.
 */
export class RowHeights {
  readonly #heights: (number | undefined)[] = [];
  readonly #steps: { sum: number; known: number }[] = [];
  readonly #all = { sum: 0, known: 0 };

  note(row: number, height: number) {
    const before = this.#heights[row];
    this.#heights[row] = height;
    const step = (this.#steps[Math.floor(row / STEP)] ??= { sum: 0, known: 0 });
    for (const total of [step, this.#all]) {
      total.sum += height - (before ?? 0);
      if (before === undefined) total.known += 1;
    }
  }

  /** Which of `count` rows lie between two heights, measured from the first row's upper edge; some always do. */
  between(from: number, to: number, count: number): DrawnRows {
    const guess = this.#all.known === 0 ? GUESS_PX : this.#all.sum / this.#all.known;
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
