import { expect, test } from 'vitest';
import { splitByKill } from './crashes.ts';

const kills = [
  { at: 1000, endedAt: 1010 },
  { at: 5000, endedAt: 5010 },
];

test.for([
  { what: 'was in flight', at: 990, ms: 20, expected: { cutRequests: 1, stray: 0, failedAfterMs: 10 } },
  {
    what: 'was sent while the process ended',
    at: 5005,
    ms: 15,
    expected: { cutRequests: 1, stray: 0, failedAfterMs: 20 },
  },
  {
    what: 'hung from the kill on',
    at: 999,
    ms: 3501,
    expected: { cutRequests: 1, stray: 0, failedAfterMs: 3500 },
  },
  {
    what: 'failed before the kill',
    at: 900,
    ms: 99,
    expected: { cutRequests: 0, stray: 1, failedAfterMs: 0 },
  },
  { what: 'was sent after it', at: 1011, ms: 5, expected: { cutRequests: 0, stray: 1, failedAfterMs: 0 } },
  { what: 'failed long after it', at: 3500, ms: 5, expected: { cutRequests: 0, stray: 1, failedAfterMs: 0 } },
])('a request that $what is counted for the right kill, or for none', ({ at, ms, expected }) => {
  const sample = { kind: 'read', at, ms, status: 0, hasRetryAfter: false } as const;
  const { cutRequests, stray, failedAfterMs } = splitByKill(kills, [sample, { ...sample, status: 200 }]);
  expect({ cutRequests: cutRequests.length, stray: stray.length, failedAfterMs }).toEqual(expected);
});
