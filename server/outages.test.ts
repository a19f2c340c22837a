import { expect, test, vi } from 'vitest';
import { noteOutage } from './outages.ts';

test('an outage of any number of failures is a line when it begins, and one when it is over', () => {
  vi.useFakeTimers();
  const lines: unknown[] = [];
  const write = (fields: object, message: string) => void lines.push([message, fields]);
  const log = { info: write, warn: write, error: write };
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) {
      noteOutage(log, 'the database does not answer', { reason: 'ECONNREFUSED' });
      vi.advanceTimersByTime(50);
    }
  };
  const begin = ['the database does not answer', { reason: 'ECONNREFUSED' }];
  fail(400);
  expect(lines).toEqual([begin]);
  vi.advanceTimersByTime(10_000);
  const end = ['no longer: the database does not answer', { failures: 400, seconds: 20 }];
  expect(lines).toEqual([begin, end]);
  // A single failure needs no second line.
  fail(1);
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual([begin, end, begin]);
  vi.useRealTimers();
});
