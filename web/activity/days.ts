import { dayOf } from '#web/lib/moments.ts';

/** No zone is farther from UTC. */
const FARTHEST_MS = 15 * 3_600_000;

/** The moment when a calendar day begins in a zone. It searches, because clocks may jump at midnight or skip a day. */
export function startOf(day: string, zone: string | null): Date {
  const dayAt = dayOf(zone);
  const utc = Date.parse(`${day}T00:00:00Z`);
  let [low, high] = [utc - FARTHEST_MS, utc + FARTHEST_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayAt(new Date(middle)) < day) low = middle;
    else high = middle;
  }
  return new Date(high);
}
