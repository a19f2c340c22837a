import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/** Whole seconds as `0:24`. */
export const asClock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Seconds that are left of a wait, and a way to start it again; measured by the clock, for sleeping tabs skip ticks. */
export function useCountdown(seconds: number, { running }: { running: boolean }) {
  const [now, setNow] = useState(Date.now);
  const [endsAt, setEndsAt] = useState(() => (running ? Date.now() + seconds * SECOND_MS : 0));
  const left = Math.max(0, Math.ceil((endsAt - now) / SECOND_MS));
  const over = left === 0;

  useEffect(() => {
    if (over) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [over]);

  const restart = (again = seconds) => {
    setNow(Date.now());
    setEndsAt(Date.now() + again * SECOND_MS);
  };
  return { left, restart };
}
