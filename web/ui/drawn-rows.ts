import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type DrawnRows, RowHeights } from './row-heights.ts';

const BEYOND_PX = 900;

const isSame = (a: DrawnRows, b: DrawnRows) =>
  a.first === b.first && a.end === b.end && a.above === b.above && a.below === b.below;

/** Rows near the window. Each rendered row has an `aria-rowindex`; the head is row 1. */
export function useDrawnRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const heights = useRef(new RowHeights());
  const [rows, setRows] = useState(() => new RowHeights().between(0, BEYOND_PX, count));

  const update = useEffectEvent(() => {
    if (!body.current) return;
    const from = -body.current.getBoundingClientRect().top;
    const next = heights.current.between(from - BEYOND_PX, from + innerHeight + BEYOND_PX, count);
    setRows((before) => (isSame(before, next) ? before : next));
  });
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll('[aria-rowindex]') ?? [])
      heights.current.note(Number(row.getAttribute('aria-rowindex')) - 2, row.getBoundingClientRect().height);
    update();
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('scroll', () => update(), { signal, passive: true });
    const resize = () => {
      heights.current = new RowHeights();
      update();
    };
    addEventListener('resize', resize, { signal });
    // Changes above the table move it too.
    const page = new ResizeObserver(() => update());
    page.observe(document.body);
    signal.addEventListener('abort', () => page.disconnect());
    return () => stop.abort();
  }, []);
  return { body, ...rows };
}
