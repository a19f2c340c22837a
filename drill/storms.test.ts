import { expect, test } from 'vitest';
import { recoveryMs } from './storms.ts';

test.for<{ name: string; slow: number[]; refused: number[]; expected: number }>([
  { name: 'nothing went wrong', slow: [], refused: [], expected: 0 },
  { name: 'one of each hundred was slow', slow: [7, 150, 299], refused: [], expected: 0 },
  { name: 'two of the second hundred were slow', slow: [120, 160], refused: [], expected: 1990 },
  { name: 'one of the first was refused', slow: [], refused: [3], expected: 990 },
  { name: 'the last was refused', slow: [], refused: [3, 299], expected: 2990 },
])('recovery takes $expected ms when $name', ({ slow, refused, expected }) => {
  const call = { kind: 'read', hasRetryAfter: true } as const;
  const after = Array.from({ length: 300 }, (_, nth) => ({
    ...call,
    at: 5000 + 10 * nth,
    ms: slow.includes(nth) ? 401 : 400,
    status: refused.includes(nth) ? 503 : 200,
  }));
  const before = { ...call, at: 4999, ms: 900, status: 503 };
  expect(recoveryMs([...after.toReversed(), before], 5000)).toBe(expected);
});
