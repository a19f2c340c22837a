import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type DrawnRows, RowHeights } from './row-heights.ts';

/** Rows are rendered this far above and below the window. */
const BEYOND_PX = 900;

const isSame = (one: DrawnRows, other: DrawnRows) =>
  one.first === other.first &&
  one.end === other.end &&
  one.above === other.above &&
  one.below === other.below;

/**
 * Renders only the table rows near the window. Each rendered row has an `aria-rowindex`; the head is row 1.
 */
export function useDrawnRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const heights = useRef(new RowHeights());
  const [drawn, setDrawn] = useState(() => new RowHeights().between(0, BEYOND_PX, count));

  const look = useEffectEvent(() => {
    if (!body.current) return;
    const from = -body.current.getBoundingClientRect().top;
    const next = heights.current.between(from - BEYOND_PX, from + innerHeight + BEYOND_PX, count);
    setDrawn((before) => (isSame(before, next) ? before : next));
  });
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll('[aria-rowindex]') ?? [])
      heights.current.note(Number(row.getAttribute('aria-rowindex')) - 2, row.getBoundingClientRect().height);
    look();
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('scroll', () => look(), { signal, passive: true });
    const resize = () => {
      heights.current = new RowHeights();
      look();
    };
    addEventListener('resize', resize, { signal });
    // Changes above the table move it too.
    const page = new ResizeObserver(() => look());
    page.observe(document.body);
    signal.addEventListener('abort', () => page.disconnect());
    return () => stop.abort();
  }, []);
  return { body, ...drawn };
}
