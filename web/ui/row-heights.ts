/** Rows are added and removed in groups of this size. */
const STEP = 5;
const GUESS_PX = 69;

export type DrawnRows = { first: number; end: number; above: number; below: number };

/** Summed by group, so that 100,000 rows are fast to search. Unmeasured rows keep the first median, or the page moves. */
export class RowHeights {
  readonly #heights: (number | undefined)[] = [];
  readonly #steps: { sum: number; count: number }[] = [];
  #guess: number | undefined;

  note(row: number, height: number) {
    const before = this.#heights[row];
    this.#heights[row] = height;
    const step = (this.#steps[Math.floor(row / STEP)] ??= { sum: 0, count: 0 });
    step.sum += height - (before ?? 0);
    if (before === undefined) step.count += 1;
  }

  #usual() {
    if (this.#guess === undefined) {
      const measured = this.#heights.filter((height) => height !== undefined).toSorted((a, b) => a - b);
      this.#guess = measured[Math.floor(measured.length / 2)];
    }
    return this.#guess ?? GUESS_PX;
  }

  /** In whole groups and at least one. Heights count from the first row's top edge. */
  between(from: number, to: number, count: number): DrawnRows {
    const guess = this.#usual();
    const drawn: DrawnRows = { first: 0, end: 0, above: 0, below: 0 };
    let top = 0;
    for (let at = 0; at < count; at += STEP) {
      const next = Math.min(at + STEP, count);
      const { sum, count: measured } = this.#steps[at / STEP] ?? { sum: 0, count: 0 };
      const height = sum + (next - at - measured) * guess;
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
