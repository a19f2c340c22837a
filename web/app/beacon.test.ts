import { expect, test, vi } from 'vitest';
import { atMostEvery } from './beacon.ts';

test('the first activity is sent at once, the next only after the interval', () => {
  let nowMs = 0;
  const send = vi.fn<() => void>();
  const active = atMostEvery(60, send, () => nowMs);
  active();
  expect(send).toHaveBeenCalledTimes(1);
  nowMs = 59_999;
  active();
  expect(send).toHaveBeenCalledTimes(1);
  nowMs = 60_000;
  active();
  expect(send).toHaveBeenCalledTimes(2);
});

test('dropped activity is not sent later and does not delay the next', () => {
  let nowMs = 0;
  const send = vi.fn<() => void>();
  const active = atMostEvery(60, send, () => nowMs);
  for (; nowMs <= 120_000; nowMs += 1000) active();
  expect(send).toHaveBeenCalledTimes(3);
});
