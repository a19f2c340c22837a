import { expect, test } from 'vitest';
import { problemOfAnswer, retryAfterMs, waitMs } from '#server/webhooks/deliveries/rules.ts';

const now = new Date('2026-03-02T09:00:00.000Z');

test.each([
  [1, null, 5_000],
  [2, null, 10_000],
  [10, null, 2_560_000],
  [11, null, 3_600_000],
  [500, null, 3_600_000],
  [1, 60_000, 60_000],
  [11, 60_000, 3_600_000],
  [1, 10 * 86_400_000, 86_400_000],
])('after try %i and a wish of %s ms, the next waits %i ms', (attempts, wish, ms) =>
  expect(waitMs(attempts, wish)).toBe(ms),
);

test.each([
  [undefined, null],
  ['120', 120_000],
  ['Mon, 02 Mar 2026 09:01:00 GMT', 60_000],
  ['Mon, 02 Mar 2026 08:59:00 GMT', null],
  ['0', null],
  ['soon', null],
])('Retry-After %j means %s ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));

test.each([
  [200, undefined],
  [204, undefined],
  [302, 'answered with 302, a redirect, which is not followed'],
  [410, 'answered with 410'],
  [500, 'answered with 500'],
])('an answer of %i is %s', (status, problem) => expect(problemOfAnswer(status)).toBe(problem));
