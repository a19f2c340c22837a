import { expect, test } from 'vitest';
import { isRecentProof } from '#server/sessions/entry/rules.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const before = (ms: number) => new Date(now.getTime() - ms);

test.for([
  { what: 'just now', ms: 0, minutes: 10, recent: true },
  { what: 'within the window', ms: 599_999, minutes: 10, recent: true },
  { what: 'as old as the window', ms: 600_000, minutes: 10, recent: false },
  { what: 'of a shorter window', ms: 60_000, minutes: 1, recent: false },
  { what: 'long ago, with no window', ms: 1e12, minutes: 0, recent: true },
])('a proof $what is recent: $recent', ({ ms, minutes, recent }) => {
  expect(isRecentProof(before(ms), now, minutes)).toBe(recent);
});
