import { expect, test } from 'vitest';
import { problemOfAnswer, retryAfterMs } from './rules.ts';

const now = new Date('2026-03-02T09:00:00.000Z');

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
