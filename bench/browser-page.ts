import type { CDPSession, Page } from '@playwright/test';

// The browser's own measurements of how fast it responds and draws.

/**
 * Milliseconds from each press or key to the frame that shows its result, and the duration of frames
 * meanwhile.
 */
type Watch = {
  interactions: Map<number, number>;
  frames: number[];
  nodes: number;
  blank: number;
  stop?: () => void;
};
declare global {
  var __watch: Watch;
}

/** The browser does not report shorter interactions. */
const LEAST_MS = 16;
/** The browser reports an interaction a moment after its frame. */
const SETTLED_MS = 200;
/** Frames between two inspections of the page. */
const LOOK_EVERY = 10;

/** Records the duration of each interaction on every later page. Call it before the page is opened. */
export const watchInteractions = (page: Page) =>
  page.addInitScript((durationThreshold) => {
    globalThis.__watch = { interactions: new Map(), frames: [], nodes: 0, blank: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration } = entry as PerformanceEventTiming;
        const { interactions } = globalThis.__watch;
        if (interactionId)
          interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
      }
    }).observe({ type: 'event', durationThreshold } as PerformanceObserverInit);
  }, LEAST_MS);

/** The slowest interaction of an act, in milliseconds to the next paint. */
export async function slowestOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => globalThis.__watch.interactions.clear());
  await act();
  return page.evaluate(
    async ({ waitMs, least }) => {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return Math.max(least, ...globalThis.__watch.interactions.values());
    },
    { waitMs: SETTLED_MS, least: LEAST_MS },
  );
}

export type ScrollRun = {
  /** Milliseconds between consecutive frames. */
  readonly frames: readonly number[];
  /** The largest number of elements at any time. */
  readonly nodes: number;
  /** Inspections in which the middle of the window showed no row. */
  readonly blank: number;
};

/** Turns the mouse wheel over the page by `pixels` at `speed` pixels per second, and records the frames. */
export async function scroll(
  page: Page,
  session: CDPSession,
  pixels: number,
  speed: number,
): Promise<ScrollRun> {
  await page.evaluate((lookEvery) => {
    const watch = globalThis.__watch;
    Object.assign(watch, { frames: [], nodes: 0, blank: 0 });
    let [before, running] = [performance.now(), true];
    const look = (now: number) => {
      if (!running) return;
      watch.frames.push(now - before);
      before = now;
      requestAnimationFrame(look);
      // Only every few frames, because inspecting also costs time.
      if (watch.frames.length % lookEvery !== 0) return;
      watch.nodes = Math.max(watch.nodes, document.getElementsByTagName('*').length);
      const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      if (middle?.closest('tr[aria-hidden]')) watch.blank += 1;
    };
    watch.stop = () => (running = false);
    requestAnimationFrame(look);
  }, LOOK_EVERY);
  const at = { x: 700, y: 500 };
  const gesture = { ...at, yDistance: -pixels, speed, gestureSourceType: 'mouse' } as const;
  await session.send('Input.synthesizeScrollGesture', gesture);
  return page.evaluate(() => {
    const { frames, nodes, blank, stop } = globalThis.__watch;
    stop?.();
    // The first frame began before the wheel turned.
    return { frames: frames.slice(1), nodes, blank };
  });
}

/** Scrolls to the end again and again until the list has drawn the row `last`. */
export const scrollToRow = (page: Page, last: number) =>
  page.evaluate(
    (row) =>
      new Promise<void>((resolve) => {
        const lastDrawnRow = () =>
          Number(
            [...document.querySelectorAll('main tr[aria-rowindex]')].at(-1)?.getAttribute('aria-rowindex') ??
              0,
          );
        const go = () => {
          if (lastDrawnRow() >= row) return resolve();
          scrollTo(0, document.body.scrollHeight);
          return requestAnimationFrame(go);
        };
        go();
      }),
    last,
  );
