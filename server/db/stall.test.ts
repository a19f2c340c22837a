import { expect, test, vi } from 'vitest';
import { stall } from './stall.ts';

test('is on from the first unanswered commit until one is answered', async () => {
  const answers = [false, false, true];
  const isAnswered = vi.fn<() => Promise<boolean>>(async () => answers.shift() ?? true);
  const stalled = stall(isAnswered, 1);
  expect(stalled.isOn()).toBe(false);
  stalled.begin();
  // Every hanging commit calls it.
  stalled.begin();
  expect(stalled.isOn()).toBe(true);
  await vi.waitUntil(() => !stalled.isOn(), 10_000);
  expect(isAnswered).toHaveBeenCalledTimes(3);
});
