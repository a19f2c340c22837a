import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/** Seconds as a clock, such as `0:24`. */
export const asClock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The seconds left of a wait, and a way to restart it. Uses the clock, because sleeping tabs skip ticks. */
export function useCountdown(seconds: number, { running }: { running: boolean }) {
  const [now, setNow] = useState(Date.now);
  const [endsAt, setEndsAt] = useState(() => (running ? Date.now() + seconds * SECOND_MS : 0));
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / SECOND_MS));
  const over = secondsLeft === 0;

  useEffect(() => {
    if (over) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [over]);

  const restart = (waitSeconds = seconds) => {
    setNow(Date.now());
    setEndsAt(Date.now() + waitSeconds * SECOND_MS);
  };
  return { left: secondsLeft, restart };
}
