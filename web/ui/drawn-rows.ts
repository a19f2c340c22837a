import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Rows come and go this many at a time. */
const STEP = 10;
/** How far above and below the window rows are drawn. */
const BEYOND_PX = 900;
/** A row nobody has seen yet, before any is measured. */
const GUESS_PX = 69;

/** The rows to draw, from `first` to before `end`, and how high the others are above and below them. */
export type DrawnRows = { first: number; end: number; above: number; below: number };

/**
 * Which of `count` rows lie between two heights, measured from the first row's upper edge; some always do. Rows that
 * were not measured are taken for as high as the others on average.
 */
export function drawnRows(heights: readonly (number | undefined)[], count: number, from: number, to: number) {
  const known = heights.filter((height) => height !== undefined);
  const guess = known.length === 0 ? GUESS_PX : known.reduce((sum, height) => sum + height, 0) / known.length;
  const heightOf = (start: number) => {
    let height = 0;
    for (let at = start; at < Math.min(start + STEP, count); at += 1) height += heights[at] ?? guess;
    return height;
  };
  const drawn: DrawnRows = { first: 0, end: 0, above: 0, below: 0 };
  let top = 0;
  for (let at = 0; at < count; at += STEP) {
    const height = heightOf(at);
    const isLast = at + STEP >= count;
    if (top + height <= from && !isLast) {
      drawn.first = at + STEP;
      drawn.above += height;
    } else if (top >= to && drawn.end > drawn.first) {
      drawn.below += height;
    } else {
      drawn.end = Math.min(at + STEP, count);
    }
    top += height;
  }
  return drawn;
}

const isSame = (one: DrawnRows, other: DrawnRows) =>
  one.first === other.first &&
  one.end === other.end &&
  one.above === other.above &&
  one.below === other.below;

/**
 * Keeps a long table short: only the rows near the window are drawn, as the page scrolls. They tell their place by
 * `aria-rowindex`, the head being the first.
 */
export function useDrawnRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const heights = useRef<(number | undefined)[]>([]);
  const [drawn, setDrawn] = useState(() => drawnRows([], count, 0, BEYOND_PX));

  const look = useEffectEvent(() => {
    if (!body.current) return;
    const from = -body.current.getBoundingClientRect().top;
    const next = drawnRows(heights.current, count, from - BEYOND_PX, from + innerHeight + BEYOND_PX);
    setDrawn((before) => (isSame(before, next) ? before : next));
  });
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll('[aria-rowindex]') ?? [])
      heights.current[Number(row.getAttribute('aria-rowindex')) - 2] = row.getBoundingClientRect().height;
    look();
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('scroll', () => look(), { signal, passive: true });
    const resize = () => {
      heights.current = [];
      look();
    };
    addEventListener('resize', resize, { signal });
    // What stands above the table moves it too.
    const page = new ResizeObserver(() => look());
    page.observe(document.body);
    signal.addEventListener('abort', () => page.disconnect());
    return () => stop.abort();
  }, []);
  return { body, ...drawn };
}
